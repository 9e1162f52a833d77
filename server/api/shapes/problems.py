"""Problems as their authors write them. Nothing here is for learners: texts hold keys."""

import re
from typing import Any

from rest_framework import serializers

from exercises.actions.authoring.publishing import MOST_SUMMARY
from exercises.actions.authoring.withdrawing import MOST_REASON, MOST_SEED
from exercises.queries.authoring.seeing import MOST_PANES
from grader.source import MAX_BYTES

#: Named here for the schema, which calls each set of choices by a name of its own.
CHECK_STATES = ["none", "waiting", "passed", "failed", "other-text"]
SWITCHES = ["same-marks", "other-texts", "marks-may-change", "does-not-fit"]
CHANGE_PARTS = ["text", "parameter", "step", "mistake", "rule"]
CHANGES = ["added", "removed", "changed"]
LINES = ["same", "old", "new", "gap"]
_TEXT = re.compile(r"draft|[1-9]\d{0,8}", re.ASCII)


class SourceField(serializers.CharField):
    """The text of a problem file, kept to the letter: what is wrong with it is said by line."""

    def __init__(self, **options: Any) -> None:
        options = {"trim_whitespace": False, "max_length": MAX_BYTES, **options}
        super().__init__(**options)


class NewProblem(serializers.Serializer):
    title = serializers.CharField(max_length=200)
    slug = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)
    licence = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)
    source = SourceField(  # type: ignore[assignment]
        required=False, default="", allow_blank=True, help_text="The draft to begin with; left out, a small example."
    )


class NamedProblem(serializers.Serializer):
    title = serializers.CharField(max_length=200, help_text="Until it is published; then that of its text.")
    licence = serializers.CharField(max_length=80, required=False, allow_blank=True)
    source = SourceField(help_text="Becomes the draft.")  # type: ignore[assignment]


class ProblemFork(serializers.Serializer):
    title = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)
    slug = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)
    licence = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)


class ProblemChange(serializers.Serializer):
    is_shared = serializers.BooleanField(required=False, help_text="Whether other authors may use and fork it.")
    licence = serializers.CharField(max_length=80, required=False, allow_blank=True)
    is_retired = serializers.BooleanField(
        required=False, help_text="Put away: in no new set, and forked by nobody. Sets that have it keep it."
    )


class ForkedFrom(serializers.Serializer):
    problem = serializers.CharField()
    version = serializers.IntegerField()


class AuthoredProblem(serializers.Serializer):
    slug = serializers.CharField()
    external_id = serializers.CharField(allow_null=True, help_text="What you call it, if you gave it an id of yours.")
    title = serializers.CharField()
    summary = serializers.CharField()
    skills = serializers.ListField(child=serializers.CharField())
    owner = serializers.CharField(allow_null=True, help_text="Null for one that is built in.")
    is_own = serializers.BooleanField()
    is_shared = serializers.BooleanField()
    is_retired = serializers.BooleanField()
    licence = serializers.CharField()
    fault = serializers.CharField(help_text="Why its source cannot be used; empty otherwise.")
    version = serializers.IntegerField(allow_null=True, help_text="That learners meet; null before there is one.")
    has_draft = serializers.BooleanField(help_text="Of your own; false for those of others.")
    forked_from = ForkedFrom(allow_null=True)
    updated_at = serializers.DateTimeField()


class AuthoredProblemText(AuthoredProblem):
    source = serializers.CharField(allow_null=True, help_text="Of the version that learners meet.")  # type: ignore[assignment]


class ProblemVersion(serializers.Serializer):
    number = serializers.IntegerField()
    digest = serializers.CharField(help_text="SHA-256 of its source, in hex.")
    created_at = serializers.DateTimeField()
    author = serializers.CharField(allow_null=True)
    summary = serializers.CharField(help_text="What is different from the one before.")
    is_current = serializers.BooleanField()
    has_passed = serializers.BooleanField(
        allow_null=True, help_text="The check over 1,000 seeds; null where none was asked for, as of what is built in."
    )


class ProblemVersionText(ProblemVersion):
    source = serializers.CharField()  # type: ignore[assignment]
    report = serializers.DictField(allow_null=True, help_text="What the check found.")


class SourceFault(serializers.Serializer):
    line = serializers.IntegerField()
    column = serializers.IntegerField(allow_null=True)
    key = serializers.CharField()
    message = serializers.CharField()


class DraftText(serializers.Serializer):
    source = SourceField(allow_blank=True)  # type: ignore[assignment]


class Draft(serializers.Serializer):
    source = serializers.CharField()  # type: ignore[assignment]
    revision = serializers.IntegerField(help_text="0: there is no draft, and this is what is published.")
    digest = serializers.CharField()
    based_on = serializers.IntegerField(allow_null=True, help_text="The version that it was begun from.")
    is_behind = serializers.BooleanField(help_text="Another version was published since it was begun.")
    edited_by = serializers.CharField()
    edited_at = serializers.DateTimeField(allow_null=True)
    faults = SourceFault(many=True, help_text="What is in the way of checking it, by line.")


class DraftRevision(serializers.Serializer):
    revision = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=0,
        help_text="Of the draft that you mean: 412 for another one. Left out, whatever stands there.",
    )  # fmt: skip


class Check(serializers.Serializer):
    state = serializers.ChoiceField(choices=CHECK_STATES)
    revision = serializers.IntegerField()
    digest = serializers.CharField(help_text="Of the text that stands there now.")
    report = serializers.DictField(help_text="What was found over 1,000 seeds; empty before that.")


class Publication(DraftRevision):
    summary = serializers.CharField(
        max_length=MOST_SUMMARY, required=False, default="", allow_blank=True,
        help_text="What is different; wanted from the second version on.",
    )  # fmt: skip
    source = SourceField(  # type: ignore[assignment]
        required=False, allow_null=True, default=None,
        help_text="The text that you mean. With it a request that is sent again finds its version, and makes no other.",
    )  # fmt: skip


class PreviewQuery(serializers.Serializer):
    seeds = serializers.CharField(required=False, default="1,2,3", max_length=140)
    text = serializers.RegexField(_TEXT, required=False, default="")

    def validate_seeds(self, said: str) -> list[int]:
        """The seeds between the commas."""
        parts = [part.strip() for part in said.split(",")]
        is_sound = all(part.isascii() and part.isdigit() and int(part) <= MOST_SEED for part in parts)
        if not is_sound or len(parts) > MOST_PANES:
            raise serializers.ValidationError(f"Write up to {MOST_PANES} whole numbers between commas, such as 1,2,3.")
        return [int(part) for part in parts]


class PreviewBox(serializers.Serializer):
    step = serializers.CharField()
    kind = serializers.CharField()
    ask = serializers.CharField()
    unit = serializers.CharField()
    optional = serializers.BooleanField()


class PreviewKey(serializers.Serializer):
    step = serializers.CharField()
    ask = serializers.CharField()
    key = serializers.CharField()
    allowance = serializers.CharField(help_text="How far an answer may lie from it; empty where it must be exact.")
    is_asked = serializers.BooleanField()


class PreviewMistake(serializers.Serializer):
    note = serializers.CharField()
    says = serializers.CharField()
    value = serializers.CharField()
    is_active = serializers.BooleanField(help_text="Whether it comes to something else than the key here.")


class PreviewVariant(serializers.Serializer):
    seed = serializers.IntegerField()
    fault = serializers.CharField(help_text="Why there is no variant of this seed; then the rest is empty.")
    parameters = serializers.DictField()
    statement = serializers.CharField(help_text="Markdown with $TeX$.")
    forecast = serializers.CharField()
    fields = PreviewBox(many=True)  # type: ignore[assignment]  # what stands in the answer, not what the shape is made of
    keys = PreviewKey(many=True)
    mistakes = PreviewMistake(many=True)
    verify = serializers.ListField(child=serializers.CharField())


class ProblemPreview(serializers.Serializer):
    title = serializers.CharField()
    skills = serializers.ListField(child=serializers.CharField())
    level = serializers.CharField()
    faults = SourceFault(many=True, help_text="With these it is no problem yet, and there are no variants.")
    variants = PreviewVariant(many=True)


class DifferenceQuery(serializers.Serializer):
    old = serializers.RegexField(_TEXT, help_text="The number of a version, or `draft`.")
    new = serializers.RegexField(_TEXT)


class DifferenceLine(serializers.Serializer):
    kind = serializers.ChoiceField(choices=LINES)
    old = serializers.IntegerField(allow_null=True)
    new = serializers.IntegerField(allow_null=True)
    text = serializers.CharField()


class DifferenceChange(serializers.Serializer):
    part = serializers.ChoiceField(choices=CHANGE_PARTS)
    name = serializers.CharField()
    how = serializers.ChoiceField(choices=CHANGES)
    says = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()


class ProblemDifference(serializers.Serializer):
    is_same = serializers.BooleanField()
    changes = DifferenceChange(many=True, help_text="By meaning; empty where one of the texts cannot be read.")
    lines = DifferenceLine(many=True)


class CompatibilityQuery(serializers.Serializer):
    text = serializers.RegexField(_TEXT, help_text="By which they would be marked: a version's number, or `draft`.")


class Compatibility(serializers.Serializer):
    verdict = serializers.ChoiceField(choices=SWITCHES)
    says = serializers.CharField()
    reasons = serializers.ListField(child=serializers.CharField())
    variants = serializers.IntegerField(help_text="How many were looked at, the latest ones.")
    unfit = serializers.IntegerField(help_text="Of these, so many cannot be shown by the new text.")
    differing = serializers.IntegerField(help_text="And so many have other keys, allowances or mistakes.")


class Withdrawal(serializers.Serializer):
    reason = serializers.CharField(max_length=MOST_REASON)
    seed = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=0, max_value=MOST_SEED)
    variant = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="One that somebody has, instead of a seed."
    )
    course = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="In the sets of this course of yours alone."
    )


class WithdrawnQuery(serializers.Serializer):
    course = serializers.UUIDField(required=False, allow_null=True, default=None)


class WithdrawnVariant(serializers.Serializer):
    digest = serializers.CharField()
    seed = serializers.IntegerField(allow_null=True)
    parameters = serializers.DictField()
    reason = serializers.CharField()
    withdrawn_by = serializers.CharField(allow_null=True)
    course = serializers.UUIDField(allow_null=True, help_text="Null: everywhere.")
    created_at = serializers.DateTimeField()
