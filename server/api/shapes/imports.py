"""Files that come in: what they are sent with, and what became of each entry."""

from typing import Any

from rest_framework import serializers

from exercises import catalogue
from exercises.exchange.archive import MOST_BYTES
from grader.sizes import size_words, too_large

SKILLS = [skill.id for skill in catalogue.skills()]


class ImportFields(serializers.Serializer):
    file = serializers.FileField(
        allow_empty_file=True,
        help_text="A zip of the BERT gym, Moodle XML, GIFT, or one problem file whose name ends in `.yaml`; up to "
        f"{size_words(MOST_BYTES)}.",
    )
    course = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=210,
        help_text="For sets: the id of a course that you manage, or `ext:` and yours. Without one they stay out.",
    )  # fmt: skip
    skill = serializers.ChoiceField(
        choices=SKILLS, required=False, default="",
        help_text="What questions of other systems are taken to train; the first one of the map if left out.",
    )  # fmt: skip
    dry_run = serializers.BooleanField(
        required=False, default=False, help_text="Do it all and undo it again: the report says what would happen."
    )

    def validate_file(self, file: Any) -> Any:
        """By its size before it is read."""
        if file.size > MOST_BYTES:
            raise serializers.ValidationError(f"{too_large(file.size, MOST_BYTES)}. Divide it, and import the parts.")
        return file


class ImportEntry(serializers.Serializer):
    title = serializers.CharField(help_text="What it is called in the file.")
    done = serializers.CharField(help_text="What becomes of it.")
    lost = serializers.ListField(child=serializers.CharField(), help_text="What does not come along.")
    fault = serializers.CharField(help_text="What is wrong with it. Where anything is, nothing is taken.")
    left = serializers.CharField(help_text="Why it alone is left out.")


class ImportReport(serializers.Serializer):
    is_applied = serializers.BooleanField(help_text="Whether it was done: no dry run.")
    is_sound = serializers.BooleanField(help_text="Whether it can be done: no entry has a fault.")
    heading = serializers.CharField(help_text="What kind of file it is.")
    notes = serializers.ListField(child=serializers.CharField(), help_text="What holds for all entries.")
    entries = ImportEntry(many=True)
    problems = serializers.ListField(
        child=serializers.CharField(), help_text="Slugs of the drafts that came in; none for a dry run."
    )
    problem_sets = serializers.ListField(
        child=serializers.UUIDField(), help_text="The drafts of sets that came in; none for a dry run."
    )
