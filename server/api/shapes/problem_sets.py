"""Problem sets: their rules as written and as they hold for somebody, items, pools and extensions."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from exercises.actions.sets.extensions import MOST_ATTEMPTS, MOST_REASON
from exercises.actions.sets.items import MOST_ITEMS
from exercises.courses.item_details import MOST_VARIANTS, weight_text
from exercises.courses.set_details import LONGEST_LIMIT, MOST_INSTRUCTIONS, MOST_LATE_DAYS, MOST_TITLE, MOST_TRIES
from exercises.courses.shares import ShareError, read_share
from exercises.models import ProblemSet as Row

#: Named here for the schema, which calls each set of choices by a name of its own.
MODES, RETRIES, FEEDBACKS = Row.Mode.values, Row.Retry.values, Row.Feedback.values
PHASES = ["not-yet", "open", "late", "closed"]
STANDINGS = ["not-begun", "going-on", "handed-in"]
#: Of a typed whole number, so that a database can hold it.
MOST_ID = 2**31 - 1


class Moment(serializers.DateTimeField):
    """A moment with its time zone: whose midnight it is would be guessed otherwise."""

    def enforce_timezone(self, value: dt.datetime) -> dt.datetime:
        """Raises ValidationError for a moment without one."""
        if value.tzinfo is None:
            raise serializers.ValidationError("Write a moment with its time zone, such as 2026-11-30T08:00:00+01:00.")
        try:
            return value.astimezone(dt.UTC)
        except OverflowError:
            raise serializers.ValidationError("There is no such moment.") from None


@extend_schema_field(OpenApiTypes.STR)
class Share(serializers.Field):
    """A share of credit, exactly: 1, 1/2, 50 % or 0.5; told as a fraction."""

    def to_internal_value(self, data: Any) -> Fraction:
        """The share. Raises ValidationError."""
        if not isinstance(data, str):
            raise serializers.ValidationError('Write a share as text, such as "1/2" or "50 %".')
        try:
            return read_share(data)
        except ShareError as error:
            raise serializers.ValidationError(str(error)) from None

    def to_representation(self, value: Any) -> str:
        """As an exact fraction."""
        return str(value)


class Weight(serializers.DecimalField):
    """A weight, exactly, told without the zeros that it does not need."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_digits": 8, "decimal_places": 4, "min_value": 0, **options})

    def to_representation(self, value: Any) -> str:
        """As it is typed."""
        return weight_text(value)


class ProblemSetFields(serializers.Serializer):
    """What is written on a set; what means nothing in its mode is left out."""

    title = serializers.CharField(max_length=MOST_TITLE)
    mode = serializers.ChoiceField(choices=MODES)
    instructions = serializers.CharField(
        max_length=MOST_INSTRUCTIONS, required=False, allow_blank=True, default="", help_text="Markdown with $TeX$."
    )
    opens_at = Moment(required=False, allow_null=True, default=None)
    due_at = Moment(required=False, allow_null=True, default=None)
    closes_at = Moment(required=False, allow_null=True, default=None)
    time_limit = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=1, max_value=LONGEST_LIMIT, help_text="In minutes."
    )
    credits = serializers.ListField(
        child=Share(), required=False, max_length=MOST_TRIES, default=list,
        help_text="What each try of a quiz is worth, the first first.",
    )  # fmt: skip
    retry = serializers.ChoiceField(choices=RETRIES, required=False, default="same")
    feedback = serializers.ChoiceField(choices=FEEDBACKS, required=False, default="at-once")
    late = serializers.ListField(
        child=Share(), required=False, max_length=MOST_LATE_DAYS, default=list,
        help_text="What is left of the credit on the first day after due, on the second and so on.",
    )  # fmt: skip
    hints = serializers.BooleanField(required=False, default=False)
    shuffle = serializers.BooleanField(required=False, default=False)
    pass_mark = Share(required=False, allow_null=True, default=None)
    groups = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MOST_ID), required=False, max_length=200, default=list,
        help_text="For the members of these groups only; none is everybody.",
    )  # fmt: skip


class EffectiveRules(serializers.Serializer):
    """The rules with everything worked in that is different for somebody."""

    mode = serializers.ChoiceField(choices=MODES)
    time_zone = serializers.CharField()
    opens_at = serializers.DateTimeField(allow_null=True)
    due_at = serializers.DateTimeField(allow_null=True)
    closes_at = serializers.DateTimeField(allow_null=True, help_text="The hard end; null is never.")
    time_limit_seconds = serializers.FloatField(allow_null=True, help_text="With the time factor.")
    time_factor = serializers.CharField()
    credits = serializers.ListField(child=Share(), help_text="One for each try that counts.")
    retry = serializers.ChoiceField(choices=RETRIES)
    feedback = serializers.ChoiceField(choices=FEEDBACKS)
    released_at = serializers.DateTimeField(allow_null=True)
    late = serializers.ListField(child=Share())
    hints = serializers.BooleanField()
    attempts = serializers.IntegerField(help_text="So many sittings; the best counts.")
    pass_mark = Share(allow_null=True)
    is_extended = serializers.BooleanField(help_text="An extension is worked into this.")


class OwnStanding(serializers.Serializer):
    """How a learner stands in a set."""

    state = serializers.ChoiceField(choices=STANDINGS)
    attempt = serializers.UUIDField(allow_null=True, help_text="The one that is open, else the latest.")
    may_begin = serializers.BooleanField()
    score = serializers.CharField(allow_null=True, help_text="The best that may be shown, an exact fraction.")
    is_passed = serializers.BooleanField(allow_null=True)
    waits = serializers.BooleanField(help_text="Something is handed in whose result is not shown yet.")


class CourseSet(serializers.Serializer):
    """A problem set. Its rules are those for whoever asks; for staff, as they are for everybody."""

    id = serializers.UUIDField()
    external_id = serializers.CharField(allow_null=True, help_text="What you call it, if you gave it an id of yours.")
    course = serializers.UUIDField()
    title = serializers.CharField()
    mode = serializers.ChoiceField(choices=MODES)
    instructions = serializers.CharField()
    phase = serializers.ChoiceField(choices=PHASES)
    rules = EffectiveRules()
    updated_at = serializers.DateTimeField()
    own = OwnStanding(required=False, help_text="For learners: how they stand.")
    details = ProblemSetFields(required=False, help_text="For staff: what is written on it, and can be sent back.")
    revision = serializers.IntegerField(required=False, help_text="For staff.")
    position = serializers.IntegerField(required=False, help_text="For staff: in the list of the course.")
    published_at = serializers.DateTimeField(required=False, allow_null=True, help_text="For staff; null is a draft.")


class SetRules(serializers.Serializer):
    learner = serializers.CharField(help_text="Whose these are, by user name.")
    phase = serializers.ChoiceField(choices=PHASES)
    rules = EffectiveRules()
    places = serializers.IntegerField(help_text="How many variants whoever begins now is given.")
    words = serializers.ListField(child=serializers.CharField(), help_text="The same as pages say it.")


class SetState(serializers.Serializer):
    published_at = serializers.DateTimeField(allow_null=True)
    released_at = serializers.DateTimeField(allow_null=True)
    obstacles = serializers.ListField(child=serializers.CharField(), help_text="Why it cannot be published, if so.")


class SetCopy(serializers.Serializer):
    title = serializers.CharField(max_length=MOST_TITLE, required=False, allow_blank=True, default="")
    course = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="Into this course of yours; left out, its own."
    )


class CopiedSet(serializers.Serializer):
    problem_set = CourseSet()
    left_behind = serializers.ListField(
        child=serializers.CharField(), help_text="Titles of problems that their authors do not share."
    )


class Move(serializers.Serializer):
    by = serializers.IntegerField(min_value=-1000, max_value=1000, help_text="Places down; up where it is negative.")


class SetItemFields(serializers.Serializer):
    weight = Weight(required=False)
    variants = serializers.IntegerField(min_value=1, max_value=MOST_VARIANTS, required=False)
    asked = serializers.ListField(
        child=serializers.CharField(max_length=80), required=False, allow_null=True, max_length=100,
        help_text="The steps that are asked; null is all.",
    )  # fmt: skip
    version = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=MOST_ID,
        help_text="Pinned to this version; null is whichever is current when somebody begins.",
    )  # fmt: skip
    pool = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=MOST_ID)
    adaptation = serializers.DictField(
        required=False,
        help_text='What is changed of the problem, such as `{"parameters": {"z": {"range": [0, 2]}}, "digits": 3}`.',
    )

    def validate_adaptation(self, said: dict[str, Any]) -> dict[str, Any]:
        """What else stands there would be kept and mean nothing. Raises ValidationError."""
        if set(said) - {"parameters", "digits"} or not isinstance(said.get("parameters", {}), dict):
            raise serializers.ValidationError('Name "parameters" by their names, and "digits"; nothing else.')
        return {name: value for name, value in said.items() if value not in (None, {})}


class NewItems(serializers.Serializer):
    problems = serializers.ListField(
        child=serializers.CharField(max_length=210), min_length=1, max_length=MOST_ITEMS,
        help_text="Slugs, or `ext:…`, of problems that you may use.",
    )  # fmt: skip


class SetItem(serializers.Serializer):
    id = serializers.IntegerField()
    position = serializers.IntegerField()
    problem = serializers.CharField()
    title = serializers.CharField()
    weight = Weight(help_text="Of one variant; in a pool that of the pool counts.")
    variants = serializers.IntegerField()
    asked = serializers.ListField(child=serializers.CharField(), allow_null=True)
    version = serializers.IntegerField(allow_null=True, help_text="That it is pinned to; null is the current one.")
    newer_version = serializers.IntegerField(
        allow_null=True, help_text="The current one, where it is pinned to another."
    )
    pool = serializers.IntegerField(allow_null=True)
    adaptation = serializers.DictField()
    is_checking = serializers.BooleanField(help_text="What was changed of the problem is being checked.")
    is_retired = serializers.BooleanField(help_text="Taken out: who has begun keeps it.")
    obstacle = serializers.CharField(help_text="Why nobody can be given it; empty when they can.")


class SetItems(serializers.Serializer):
    results = SetItem(many=True)


class PoolFields(serializers.Serializer):
    name = serializers.CharField(max_length=80)
    choose = serializers.IntegerField(min_value=1, max_value=MOST_ITEMS, required=False, default=1)
    weight = Weight(required=False, default=Decimal(1))


class Pool(serializers.Serializer):
    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    choose = serializers.IntegerField(help_text="So many of its items are put to each learner.")
    weight = Weight()


class Pools(serializers.Serializer):
    results = Pool(many=True)


class ExtensionFields(serializers.Serializer):
    """What is different; what is left out or null changes nothing."""

    opens_at = Moment(required=False, allow_null=True, default=None)
    due_at = Moment(required=False, allow_null=True, default=None)
    closes_at = Moment(required=False, allow_null=True, default=None)
    time_limit = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=1, max_value=LONGEST_LIMIT,
        help_text="In minutes, before the time factor.",
    )  # fmt: skip
    attempts = serializers.IntegerField(
        required=False, default=0, min_value=0, max_value=MOST_ATTEMPTS, help_text="So many attempts more."
    )
    reason = serializers.CharField(max_length=MOST_REASON, help_text="For those who teach.")


class NewExtension(ExtensionFields):
    learner = serializers.CharField(
        max_length=200, required=False, allow_null=True, default=None,
        help_text="User name, or `ext:` and their number; or a group instead.",
    )  # fmt: skip
    group = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=1, max_value=MOST_ID)


class SetExtension(serializers.Serializer):
    id = serializers.IntegerField()
    learner = serializers.CharField(allow_null=True, help_text="Their user name.")
    group = serializers.IntegerField(allow_null=True)
    opens_at = serializers.DateTimeField(allow_null=True)
    due_at = serializers.DateTimeField(allow_null=True)
    closes_at = serializers.DateTimeField(allow_null=True)
    time_limit = serializers.IntegerField(allow_null=True)
    attempts = serializers.IntegerField()
    reason = serializers.CharField()
    given_by = serializers.CharField(allow_null=True)
    created_at = serializers.DateTimeField()
