"""The forms of a deck: its title and who may learn from it, and the cards that come in from a file."""

from typing import Any

from django import forms

from exercises.decks.rows import MOST_BYTES
from grader.sizes import too_large

FORMATS = (("csv", "CSV, as it is exported here"), ("anki", "Anki text"))


class DeckForm(forms.Form):
    """What a deck is called, and whether others see it."""

    title = forms.CharField(max_length=200, label="Title")
    summary = forms.CharField(
        required=False,
        max_length=2000,
        label="Summary",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="One sentence on what one can do after it.",
    )
    is_shared = forms.BooleanField(required=False, label="Whoever is in a course that I teach may learn from it")


class ImportForm(forms.Form):
    """A file or a pasted text. What a file held comes back as text, so that it need not be chosen twice."""

    format = forms.ChoiceField(choices=FORMATS, label="Format")
    upload = forms.FileField(required=False, label="File", allow_empty_file=False)
    text = forms.CharField(
        required=False, label="Or paste it here", strip=False, widget=forms.Textarea(attrs={"rows": 10})
    )

    def clean(self) -> dict[str, Any]:
        """The text of the file, if there is one, in place of the pasted text."""
        said = super().clean() or {}
        if upload := said.get("upload"):
            if upload.size > MOST_BYTES:
                raise forms.ValidationError(
                    f"{too_large(upload.size, MOST_BYTES)}. Divide it, and import the parts one after the other."
                )
            try:
                said["text"] = upload.read().decode("utf-8-sig")
            except UnicodeDecodeError:
                raise forms.ValidationError("The file is not UTF-8: save it again with this encoding.") from None
        if not said.get("text", "").strip():
            raise forms.ValidationError("Choose a file, or paste its text.")
        return said
