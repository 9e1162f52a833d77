"""The forms of a deck: its title and who may learn from it, and the cards that come in from a file."""

from django import forms

from exercises.decks.rows import MOST_BYTES
from frontend.table_form import TableForm

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
    is_shared = forms.BooleanField(required=False, label="Share it with everybody in the courses that I teach")


class ImportForm(TableForm):
    """Cards as a file or a pasted text."""

    most_bytes = MOST_BYTES
    field_order = ("format", "upload", "text")

    format = forms.ChoiceField(choices=FORMATS, label="Format")
