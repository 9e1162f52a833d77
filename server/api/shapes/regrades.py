"""Regrades: answers marked again by another version of their problem."""

from rest_framework import serializers

from exercises.actions.regrading.deciding import MOST_REASON
from exercises.models import RegradeEvent
from grader.adapting import LEAST_DIGITS
from server.api.shapes.practice import Mark

#: Named here for the schema, which calls each set of choices by a name of its own.
REGRADE_STATES = RegradeEvent.State.values
SHOWN_MOVES = ["all", "raised", "lowered", "same"]
MOST_DIGITS = 8


class NewRegrade(serializers.Serializer):
    problem = serializers.CharField(max_length=80, help_text="The slug of a problem in the sets of the course.")
    version = serializers.IntegerField(min_value=1, help_text="The number of the version to mark by.")
    digits = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=LEAST_DIGITS,
        max_value=MOST_DIGITS,
        help_text="How many significant digits an answer must have, where it is to be fewer than the version asks.",
    )
    problem_set = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="null: all sets of the course."
    )
    never_lower = serializers.BooleanField(
        required=False, default=True, help_text="Where the new verdict is worth less, the old one goes on counting."
    )
    reason = serializers.CharField(max_length=MOST_REASON)


class Regrade(serializers.Serializer):
    id = serializers.UUIDField(source="public_id")
    problem = serializers.CharField(source="problem.slug")
    version = serializers.IntegerField(source="version.number")
    problem_set = serializers.UUIDField(source="problem_set.public_id", allow_null=True, default=None)
    never_lower = serializers.BooleanField()
    reason = serializers.CharField()
    state = serializers.ChoiceField(
        choices=REGRADE_STATES,
        help_text="`counting`: the dry run goes on. `ready`: it is done, and nothing is changed.",
    )
    done = serializers.IntegerField(help_text="Answers looked at, of `total`.")
    total = serializers.IntegerField()
    raised = serializers.IntegerField(help_text="Answers that are worth more.")
    lowered = serializers.IntegerField()
    failed = serializers.IntegerField(help_text="Answers that this version cannot mark; `reasons` say why.")
    skipped = serializers.IntegerField(help_text="Judged otherwise by somebody else meanwhile.")
    reasons = serializers.DictField(child=serializers.IntegerField())
    failure = serializers.CharField()
    made_by = serializers.CharField(source="made_by.username", allow_null=True, default=None)
    created_at = serializers.DateTimeField()
    applied_at = serializers.DateTimeField(allow_null=True)
    undone_at = serializers.DateTimeField(allow_null=True)


class RegradeMoves(serializers.Serializer):
    raised = serializers.IntegerField()
    lowered = serializers.IntegerField()
    same = serializers.IntegerField()
    kept = serializers.IntegerField(help_text="Answers whose verdict goes on counting, since the new one is lower.")


class RegradeWithMoves(Regrade):
    moves = RegradeMoves(help_text="Items of attempts, by which way they move.")


class StepMove(serializers.Serializer):
    step = serializers.CharField()
    before = Mark(allow_null=True)
    after = Mark(allow_null=True)


class AnswerMove(serializers.Serializer):
    submission = serializers.UUIDField()
    before = serializers.CharField(help_text="Its score; exact fractions.")
    after = serializers.CharField()
    steps = StepMove(many=True)


class RegradeMove(serializers.Serializer):
    attempt = serializers.UUIDField()
    problem_set = serializers.UUIDField()
    learner = serializers.CharField()
    position = serializers.IntegerField()
    item_before = serializers.CharField(help_text="Scores are exact fractions; empty is none yet.")
    item_after = serializers.CharField()
    attempt_before = serializers.CharField()
    attempt_after = serializers.CharField()
    is_raised = serializers.BooleanField(allow_null=True, help_text="null: neither moves.")
    why = AnswerMove(many=True, help_text="The answers there that are judged otherwise, at most ten.")


class AskedMoves(serializers.Serializer):
    show = serializers.ChoiceField(choices=SHOWN_MOVES, required=False, default="all")
