"""Grades, and what people decide about them."""

from typing import get_args

from rest_framework import serializers

from exercises.actions.sets.extensions import MOST_ATTEMPTS
from exercises.models import Ruling as RulingRow
from exercises.queries.gradebook import State
from server.api.shapes.attempts import Attempt

#: Named here for the schema, which calls each set of choices by a name of its own.
GRADE_STATES = list(get_args(State))
RULING_KINDS = RulingRow.Kind.values
MOST_REASON = 500


class Standing(serializers.Serializer):
    """Where a learner stands in a set."""

    state = serializers.ChoiceField(
        choices=GRADE_STATES,
        help_text="`not-for`: for other groups. `missing`: no attempt, and closed. `waiting`: not all is marked yet.",
    )
    score = serializers.CharField(allow_null=True, help_text="An exact fraction from 0 to 1; null: none yet.")
    percent = serializers.CharField(allow_null=True, help_text="The same in words, such as `69.6 %`.")
    points = serializers.CharField(allow_null=True, help_text="An exact fraction, of `out_of`.")
    out_of = serializers.CharField(help_text="What the set weighs, an exact fraction.")
    attempt = serializers.UUIDField(allow_null=True, help_text="The one that counts, the best.")
    attempts = serializers.IntegerField(help_text="How many there are.")
    late_days = serializers.IntegerField()
    is_extended = serializers.BooleanField()
    is_overridden = serializers.BooleanField(help_text="Set by hand.")
    is_withheld = serializers.BooleanField(help_text="The learner does not know the score yet.")


class Grade(Standing):
    problem_set = serializers.UUIDField()


class LearnerGrades(serializers.Serializer):
    learner = serializers.CharField(help_text="User name.")
    name = serializers.CharField()
    external_id = serializers.CharField(help_text="Their number at your institution.")
    updated_at = serializers.DateTimeField(
        help_text="When something that these grades go by was written last, or a set was closed."
    )
    grades = Grade(many=True, help_text="One for each published set, in their order.")


class ItemGrade(serializers.Serializer):
    item = serializers.IntegerField(help_text="The id of the item in its set.")
    score = serializers.CharField(allow_null=True)
    percent = serializers.CharField(allow_null=True)
    tries = serializers.IntegerField()
    is_overridden = serializers.BooleanField()


class LearnerSetGrades(Standing):
    learner = serializers.CharField(help_text="User name.")
    name = serializers.CharField()
    external_id = serializers.CharField(help_text="Their number at your institution.")
    updated_at = serializers.DateTimeField(
        help_text="When something that these grades go by was written last, or a set was closed."
    )
    items = ItemGrade(many=True, help_text="Those that were put to the learner.")


class AskedGrades(serializers.Serializer):
    group = serializers.IntegerField(required=False, default=None, min_value=1, max_value=2**63 - 1)
    dropped = serializers.BooleanField(required=False, default=False)


class GradeMove(serializers.Serializer):
    learner = serializers.CharField()
    name = serializers.CharField()
    before = serializers.CharField(allow_null=True, help_text="Of the set; exact fractions, null is none yet.")
    after = serializers.CharField(allow_null=True)
    item_before = serializers.CharField(allow_null=True, help_text="Of the item that is decided about.")
    item_after = serializers.CharField(allow_null=True)


class GradeMoves(serializers.Serializer):
    looked_at = serializers.IntegerField(help_text="How many learners.")
    raised = serializers.IntegerField()
    lowered = serializers.IntegerField()
    listed = GradeMove(many=True, help_text="The first 200 of those who move.")


class Decided(serializers.Serializer):
    dry_run = serializers.BooleanField(
        required=False, default=False, help_text="Change nothing, and say in `moves` whom it would move."
    )
    reason = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=MOST_REASON,
        help_text="For the audit trail: wanted but for a dry run.",
    )


class Override(serializers.Serializer):
    id = serializers.IntegerField(source="pk")
    learner = serializers.CharField(source="learner.username")
    item = serializers.IntegerField(source="item_id", allow_null=True, help_text="null: the whole set.")
    step = serializers.CharField(help_text="Of the item; empty: all of it.")
    score = serializers.CharField(help_text="An exact fraction from 0 to 1.")
    reason = serializers.CharField()
    given_by = serializers.CharField(source="given_by.username", allow_null=True, default=None)
    created_at = serializers.DateTimeField()
    withdrawn_at = serializers.DateTimeField(allow_null=True)


class GiveOverride(Decided):
    learner = serializers.CharField(max_length=150, help_text="User name.")
    item = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=1)
    step = serializers.CharField(required=False, allow_blank=True, default="", max_length=80)
    score = serializers.CharField(max_length=60, help_text="A share: `3/4`, `75 %` or `0.75`.")
    seen = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        help_text="The override that you saw in force there, null for none: 412 if another one is.",
    )


class OverrideDecision(serializers.Serializer):
    moves = GradeMoves(allow_null=True, help_text="Of a dry run.")
    override = Override(allow_null=True)


class AskedOverrides(serializers.Serializer):
    learner = serializers.CharField(required=False, default="", max_length=150)


class Ruling(serializers.Serializer):
    id = serializers.IntegerField(source="pk")
    item = serializers.IntegerField(source="item_id")
    kind = serializers.ChoiceField(choices=RULING_KINDS)
    step = serializers.CharField()
    note = serializers.CharField(help_text="The named mistake that is accepted.")
    read_as = serializers.CharField(help_text="The very answer that is accepted, on variants of that digest.")
    digest = serializers.CharField(help_text="Of the parameters of a variant.")
    words = serializers.CharField(help_text="What is decided, in a few words.")
    reason = serializers.CharField()
    given_by = serializers.CharField(source="given_by.username", allow_null=True, default=None)
    created_at = serializers.DateTimeField()
    withdrawn_at = serializers.DateTimeField(allow_null=True)
    applied_at = serializers.DateTimeField(allow_null=True, help_text="null: the scores are still being worked out.")


class GiveRuling(Decided):
    item = serializers.IntegerField(min_value=1)
    kind = serializers.ChoiceField(choices=RULING_KINDS)
    step = serializers.CharField(required=False, allow_blank=True, default="", max_length=80)
    note = serializers.CharField(required=False, allow_blank=True, default="", max_length=120)
    read_as = serializers.CharField(required=False, allow_blank=True, default="", max_length=500)
    digest = serializers.CharField(required=False, allow_blank=True, default="", max_length=64)


class RulingDecision(serializers.Serializer):
    moves = GradeMoves(allow_null=True, help_text="Of a dry run.")
    ruling = Ruling(allow_null=True)


class CountAs(Decided):
    at = serializers.DateTimeField(allow_null=True, help_text="null: the real time counts again.")


class CountAsDecision(serializers.Serializer):
    moves = GradeMoves(allow_null=True, help_text="Of a dry run.")
    attempt = Attempt()


class GrantAttempts(Decided):
    learner = serializers.CharField(max_length=150, help_text="User name.")
    granted = serializers.IntegerField(
        min_value=1, max_value=MOST_ATTEMPTS, help_text="How many more than everybody, in all: sent twice it is once."
    )


class GrantedAttempts(serializers.Serializer):
    learner = serializers.CharField()
    attempts_before = serializers.IntegerField(help_text="How often they might sit it.")
    attempts = serializers.IntegerField(help_text="How often they may, or would.")
