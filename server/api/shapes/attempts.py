"""Attempts: how they stand, their items, what is saved and sent in them."""

from typing import get_args

from rest_framework import serializers

from exercises.actions.fault_report import MOST_CHARACTERS
from exercises.models import Attempt as AttemptRow
from exercises.models import Grading as GradingRow
from exercises.models import ProblemSet, Submission
from exercises.queries.attempt import State
from server.api.shapes.practice import Field, Mark, Reading, Verdict

#: Named here for the schema, which calls each set of choices by a name of its own.
MODES = ProblemSet.Mode.values
HANDED_IN_BY = AttemptRow.HandedInBy.values
PLACE_STATES = list(get_args(State))
SUBMISSION_STATES = Submission.State.values
GRADING_REASONS = GradingRow.Reason.values
CHECK_KINDS = ["queued", "unreadable", "blank", "some-blank", "already-tried", "duplicate"]
ATTEMPT_STATES = ["going-on", "handed-in"]


class Attempt(serializers.Serializer):
    id = serializers.UUIDField()
    problem_set = serializers.UUIDField()
    mode = serializers.ChoiceField(choices=MODES)
    learner = serializers.CharField(help_text="User name.")
    number = serializers.IntegerField(help_text="Which of the learner's attempts at the set it is.")
    is_preview = serializers.BooleanField(help_text="By somebody who teaches, and in no list, score or statistics.")
    state = serializers.ChoiceField(choices=ATTEMPT_STATES)
    began_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField(allow_null=True, help_text="When nothing more is taken; null is never.")
    handed_in_at = serializers.DateTimeField(allow_null=True)
    handed_in_by = serializers.ChoiceField(choices=HANDED_IN_BY, allow_null=True)
    count_as_at = serializers.DateTimeField(
        allow_null=True, help_text="What it counts as handed in at, where staff said so."
    )
    late_days = serializers.IntegerField()
    score = serializers.CharField(
        allow_null=True,
        help_text="An exact fraction from 0 to 1; null while nothing is marked, and for its learner until the set "
        "tells results.",
    )
    percent = serializers.CharField(allow_null=True, help_text="The same in words, such as `69.6 %`.")
    receipt = serializers.CharField(help_text="The code of the hand-in; empty before it.")
    updated_at = serializers.DateTimeField()


class Place(serializers.Serializer):
    position = serializers.IntegerField(help_text="Its number in the attempt, from 1.")
    problem = serializers.CharField(help_text="Slug.")
    title = serializers.CharField()
    weight = serializers.CharField(help_text="An exact fraction.")
    variant = serializers.UUIDField(help_text="The variant that is open there.")
    state = serializers.ChoiceField(
        choices=PLACE_STATES,
        help_text="`blank`, `unreadable`, `partly` or `typed`: what is saved, and nothing was sent yet. `pending`: "
        "being marked. `tried`, `used`: a try is left, or none. `right`: everything is.",
    )
    tries = serializers.IntegerField(help_text="How many were taken.")
    is_unsent = serializers.BooleanField(help_text="Something is saved that was not sent as a try.")
    score = serializers.CharField(allow_null=True, help_text="Before its weight; null as for the attempt.")


class AttemptWithPlaces(Attempt):
    over = serializers.CharField(help_text="Why nothing more is taken; empty while the attempt goes on.")
    tells = serializers.BooleanField(help_text="Whether results are told to its learner by now.")
    places = Place(many=True)


class BeginAttempt(serializers.Serializer):
    number = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        max_value=1000,
        help_text="Which attempt you mean to begin: wanted once one is handed in, so that none begins by mistake.",
    )
    is_preview = serializers.BooleanField(
        required=False, default=False, help_text="For who teaches: see what learners will see, at any time."
    )


class HandIn(serializers.Serializer):
    because_time_is_up = serializers.BooleanField(
        required=False, default=False, help_text="Refuse if there is more time by now: 409 `time-not-up`."
    )


class Receipt(serializers.Serializer):
    attempt = serializers.UUIDField()
    problem_set = serializers.UUIDField()
    learner = serializers.CharField()
    number = serializers.IntegerField()
    handed_in_at = serializers.DateTimeField()
    handed_in_by = serializers.ChoiceField(choices=HANDED_IN_BY)
    receipt = serializers.CharField(help_text="The code that proves it.")


class VerifiedReceipt(Receipt):
    is_genuine = serializers.BooleanField(help_text="Whether what is stored is what was handed in.")


class SavedAnswers(serializers.Serializer):
    variant = serializers.UUIDField(help_text="The variant that they answer.")
    revision = serializers.IntegerField(help_text="How often something was saved here.")
    answers = serializers.DictField(help_text="As typed: a text, or a list of texts.")
    locale = serializers.CharField(help_text="How numbers are written.")
    at = serializers.DateTimeField(allow_null=True)


class SaveAnswers(serializers.Serializer):
    answers = serializers.DictField(help_text="Step names with typed text; steps left out stay as they are.")
    locale = serializers.CharField(max_length=16, required=False, default="en")
    client = serializers.CharField(
        max_length=64,
        required=False,
        allow_blank=True,
        default="",
        help_text="A name that you choose for this page or run: who saves again after a reply that was lost is never "
        "taken for somebody else.",
    )


class CheckItem(SaveAnswers):
    variant = serializers.UUIDField(help_text="The variant that you answer: 409 if another was drawn since.")
    revision = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        help_text="The revision you go on from; the present one if left out.",
    )
    sure = serializers.BooleanField(required=False, default=False, help_text="What is left blank is meant to be.")


class AttemptSubmission(serializers.Serializer):
    id = serializers.UUIDField()
    variant = serializers.UUIDField()
    state = serializers.ChoiceField(choices=SUBMISSION_STATES)
    answers = serializers.DictField()
    created_at = serializers.DateTimeField()
    verdict = Verdict(allow_null=True, help_text="null while there is none, and until the set tells results.")


class CheckedItem(serializers.Serializer):
    kind = serializers.ChoiceField(
        choices=CHECK_KINDS,
        help_text="`queued`, or `duplicate` of one with your key: a try. Anything else used none: `readings` say why.",
    )
    readings = serializers.DictField(child=Reading())
    submission = AttemptSubmission(allow_null=True)


class SetAsideAnswers(serializers.Serializer):
    id = serializers.IntegerField(source="pk")
    answers = serializers.DictField()
    at = serializers.DateTimeField()


class WorkedLine(serializers.Serializer):
    step = serializers.CharField()
    ask = serializers.CharField()
    formula = serializers.CharField(help_text="TeX, as are `numbers` and `value`.")
    numbers = serializers.CharField()
    value = serializers.CharField()
    text = serializers.CharField(help_text="Markdown, where the value is no number.")


class Item(Place):
    statement = serializers.CharField(help_text="Markdown with $TeX$.")
    steps = Field(many=True, help_text="What is asked, in order.")
    over = serializers.CharField(help_text="Why nothing more is taken; empty while the attempt goes on.")
    tries_allowed = serializers.IntegerField(help_text="0 in practice and where nothing is checked before hand-in.")
    variants = serializers.ListField(
        child=serializers.UUIDField(), help_text="Drawn here so far, in practice the latest 20; the open one is last."
    )
    saved = SavedAnswers()
    saved_tag = serializers.CharField(help_text="Send it as `If-Match` to save.")
    asides = SetAsideAnswers(many=True, help_text="What was set aside, and neither taken up nor left.")
    hints = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))
    marks = serializers.DictField(child=Mark(), help_text="The best of each step; empty until the set tells results.")
    submissions = AttemptSubmission(many=True, help_text="What was sent on this variant, the latest first.")
    worked = WorkedLine(many=True, allow_null=True, help_text="The worked solution, once it may be shown.")


class AskedItem(serializers.Serializer):
    variant = serializers.UUIDField(required=False, default=None)


class AfterVariant(serializers.Serializer):
    after = serializers.UUIDField(help_text="The variant that is open: asked twice, one is drawn.")


class AskHint(serializers.Serializer):
    variant = serializers.UUIDField()
    step = serializers.CharField(max_length=80)
    answers = serializers.DictField(required=False, default=dict)
    locale = serializers.CharField(max_length=16, required=False, default="en")


class GivenHint(serializers.Serializer):
    step = serializers.CharField()
    number = serializers.IntegerField(help_text="From 1, the gentlest.")
    text = serializers.CharField(help_text="Markdown with $TeX$.")


class DealAside(serializers.Serializer):
    take_up = serializers.BooleanField(help_text="true: let it stand in the boxes. false: leave it.")


class TellFault(serializers.Serializer):
    text = serializers.CharField(max_length=MOST_CHARACTERS, help_text="What is wrong.")
