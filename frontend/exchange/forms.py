"""The forms of export and import."""

from collections.abc import Sequence
from typing import Any

from django import forms

from exercises import catalogue
from exercises.exchange.archive import MOST_BYTES
from exercises.exchange.formats import FORMATS
from exercises.exchange.variants import MOST_SEED, MOST_VARIANTS
from exercises.models import Course
from grader.sizes import size_words, too_large


class ExportForm(forms.Form):
    """In which form, and which variants."""

    form = forms.ChoiceField(
        label="For",
        choices=[(each.key, each.title) for each in FORMATS.values()],
        widget=forms.RadioSelect,
        initial="own",
    )
    variants = forms.IntegerField(
        label="Variants of each problem",
        min_value=1,
        max_value=MOST_VARIANTS,
        initial=10,
        help_text="Each learner gets one of them. For the BERT gym itself it makes no difference.",
    )
    first_seed = forms.IntegerField(
        label="First seed",
        min_value=0,
        max_value=MOST_SEED,
        initial=1,
        help_text="Variants are drawn from this seed on: the same seeds give the same variants.",
    )


class ImportForm(forms.Form):
    """A file, the course into which its sets come, and the skill that questions of other systems train.

    ``kept`` names the file of the page before, so that it need not be chosen twice.
    """

    kept = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    upload = forms.FileField(
        required=False,
        label="File",
        allow_empty_file=True,
        error_messages={"required": "Choose a file."},
        help_text=f"A zip of the BERT gym, Moodle XML, GIFT, or one problem file; up to {size_words(MOST_BYTES)}.",
    )
    course = forms.ChoiceField(required=False, label="Course for problem sets")
    skill = forms.ChoiceField(
        required=False,
        label="Skill that questions of other systems train",
        help_text="Each problem can be given another one in the editor.",
    )

    def __init__(self, *args: Any, courses: Sequence[Course], **options: Any) -> None:
        super().__init__(*args, **options)
        named = [(str(course.public_id), f"{course.title}, {course.term}".rstrip(", ")) for course in courses]
        self.fields["course"].choices = [("", "none: leave sets out"), *named]  # type: ignore[attr-defined]
        skills = [(skill.id, skill.title) for skill in catalogue.skills()]
        self.fields["skill"].choices = skills  # type: ignore[attr-defined]
        self.fields["upload"].required = not self["kept"].value()

    def clean(self) -> dict[str, Any]:
        """No file that is too large to be read."""
        said = super().clean() or {}
        upload = said.get("upload")
        # By its size before it is read: no form may fill the memory.
        if upload is not None and upload.size > MOST_BYTES:
            self.add_error("upload", f"{too_large(upload.size, MOST_BYTES)}. Divide it, and import the parts.")
        return said
