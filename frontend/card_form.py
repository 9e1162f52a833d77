"""The form of one card: its kind decides the fields, and what is written in them becomes a card as in a deck file."""

from collections.abc import Mapping
from typing import Any

import yaml
from django import forms

from exercises.catalogue import skills
from exercises.catalogue.card_model import KINDS
from grader.errors import ProblemError
from grader.source import read_source

#: What a kind is called, and what it is for.
KIND_WORDS = {
    "text": "Words, with the forms that count as right",
    "cloze": "A gap in a sentence or a formula",
    "number": "A number",
    "count": "A whole number",
    "shape": "A shape",
    "choice": "One of several options",
    "choices": "Any of several options",
    "self": "Not marked: learners judge themselves",
    "drawn": "Other numbers each time",
}
ANSWERED = ("number", "count", "shape", "choice", "choices")
WORDED = ("text", "cloze")
CHOSEN = ("choice", "choices")
ALL_BUT_DRAWN = tuple(kind for kind in KINDS if kind != "drawn")
#: The kinds that have each field; every kind has those that are not named here.
FIELDS_OF: dict[str, tuple[str, ...]] = {
    "front": ALL_BUT_DRAWN,
    "answer": ANSWERED,
    "digits": ("number",),
    "accept": WORDED,
    "options": CHOSEN,
    "shuffle": CHOSEN,
    "mistakes": (*WORDED, *ANSWERED),
    "figure": ALL_BUT_DRAWN,
    "parameters": ALL_BUT_DRAWN,
    "problem": ("drawn",),
}
ANSWER_HELP = {
    "number": "A number, or a formula such as -ln(2/3).",
    "count": "A whole number, or a formula for one.",
    "shape": "Such as [2, 768].",
    "choice": "The word before the colon of the right option.",
    "choices": "The words before the colons of all right options: one, other.",
}
#: Fields that few cards need stand together at the end.
RARE = ("tags", "shuffle", "figure", "parameters")


def _area(rows: int) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": rows, "class": "text-box"})


class CardForm(forms.Form):
    """The fields of one kind of card. ``content`` is the card once the form is valid."""

    id = forms.SlugField(
        required=False,
        max_length=60,
        label="Id",
        help_text="Small letters, digits and hyphens; it never changes. Without one it is made from the front.",
    )
    skill = forms.ChoiceField(required=False, label="Skill")
    front = forms.CharField(max_length=4000, label="Front", widget=_area(4), help_text="Markdown with $TeX$.")
    accept = forms.CharField(
        max_length=4000, label="Accepted answers", widget=_area(3), help_text="One a line. The first one is shown."
    )
    options = forms.CharField(
        max_length=8000, label="Options", widget=_area(4), help_text="One a line: a word for it, a colon, its text."
    )
    answer = forms.CharField(max_length=2000, label="Right answer")
    digits = forms.IntegerField(
        required=False, min_value=2, max_value=8, label="Digits", help_text="Significant digits asked for."
    )
    problem = forms.CharField(
        max_length=20_000,
        label="Problem",
        widget=_area(14),
        help_text="As in a problem file: parameters, statement, and steps with one step.",
    )
    mistakes = forms.CharField(
        required=False,
        max_length=20_000,
        label="Mistakes worth a word",
        widget=_area(3),
        help_text="One a line: a tag | the wrong answer | what to say about it. Forms of one answer: this; or this.",
    )
    hint = forms.CharField(required=False, max_length=4000, label="Hint", widget=_area(2))
    back = forms.CharField(
        required=False, max_length=4000, label="Back", widget=_area(4), help_text="Shown with the answer."
    )
    tags = forms.CharField(required=False, max_length=1000, label="Tags", help_text="With spaces between them.")
    shuffle = forms.BooleanField(required=False, label="Shuffle the options each time", initial=True)
    figure = forms.CharField(
        required=False, max_length=8000, label="Figure", widget=_area(3), help_text="As in a problem file."
    )
    parameters = forms.CharField(
        required=False,
        max_length=8000,
        label="Parameters of the figure",
        widget=_area(3),
        help_text="As in a problem file.",
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, kind: str, is_new: bool, initial: Any = None) -> None:
        super().__init__(data, initial=initial, label_suffix="")
        self.kind = kind
        for name, kinds in FIELDS_OF.items():
            if kind not in kinds:
                del self.fields[name]
        if not is_new:
            del self.fields["id"]
        if kind == "self":
            self.fields["back"].required = True
        if kind == "cloze":
            self.fields["front"].help_text = "Markdown with $TeX$, and [[gap]] once, where the answer was taken out."
        if "answer" in self.fields:
            self.fields["answer"].help_text = ANSWER_HELP[kind]
        if isinstance(skill := self.fields["skill"], forms.ChoiceField):
            skill.choices = [("", "none"), *((each.id, each.title) for each in skills())]

    @property
    def main_fields(self) -> list[forms.BoundField]:
        """The fields of nearly every card."""
        return [field for field in self if field.name not in RARE]

    @property
    def rare_fields(self) -> list[forms.BoundField]:
        """The fields that few cards need."""
        return [field for field in self if field.name in RARE]

    def clean_figure(self) -> Any:
        """As data."""
        return _data(self.cleaned_data["figure"])

    def clean_parameters(self) -> Any:
        """As data."""
        return _data(self.cleaned_data["parameters"])

    def clean_problem(self) -> Any:
        """As data."""
        return _data(self.cleaned_data["problem"])

    def clean_options(self) -> dict[str, str]:
        """Texts by their keys."""
        pairs = [line.partition(":")[::2] for line in _lines(self.cleaned_data["options"])]
        if any(not text.strip() for _, text in pairs):
            raise forms.ValidationError("Write each option as a word for it, a colon, and its text.")
        if len({key.strip() for key, _ in pairs}) < len(pairs):
            raise forms.ValidationError("Two options have the same word before the colon.")
        return {key.strip(): text.strip() for key, text in pairs}

    def clean_mistakes(self) -> dict[str, Any]:
        """Mistakes by their tags."""
        found: dict[str, Any] = {}
        for line in _lines(self.cleaned_data["mistakes"]):
            tag, answer, says = ([part.strip() for part in line.split("|", 2)] + ["", ""])[:3]
            if not (tag and answer and says):
                raise forms.ValidationError("Write each mistake as: a tag | the wrong answer | what to say about it.")
            if tag in found:
                raise forms.ValidationError(f"The tag {tag} stands there twice.")
            forms_of = [form.strip() for form in answer.split(";") if form.strip()]
            found[tag] = {"accept": forms_of} if self.kind in WORDED else {"is": answer}
            found[tag]["says"] = says
        return found

    def content(self, key: str = "") -> dict[str, Any]:
        """The card as in a deck file, of the id ``key`` where the form has none. The form is valid."""
        said = dict(self.cleaned_data)
        said["accept"] = _lines(said.get("accept", ""))
        said["tags"] = said.get("tags", "").split()
        content = {"id": said.pop("id", "") or key, "kind": self.kind}
        content |= {name: value for name, value in said.items() if value not in ("", None, [], {}, True)}
        return content if said.get("shuffle", True) else {**content, "shuffle": False}


def initial_of(content: Mapping[str, Any]) -> dict[str, Any]:
    """What the form holds for a card as it is stored."""
    initial = dict(content)
    initial["accept"] = "\n".join(content.get("accept", ()))
    initial["tags"] = " ".join(content.get("tags", ()))
    initial["options"] = "\n".join(f"{key}: {text}" for key, text in content.get("options", {}).items())
    initial["mistakes"] = "\n".join(
        f"{tag} | {'; '.join(mistake.get('accept', ())) or mistake.get('is', '')} | {mistake['says']}"
        for tag, mistake in content.get("mistakes", {}).items()
    )
    for name in ("figure", "parameters", "problem"):
        initial[name] = _text(content.get(name))
    return {"shuffle": True, **initial}


def is_lossless(content: Mapping[str, Any]) -> bool:
    """Whether this form can hold all of a card; one that it cannot is edited as a file."""
    form = CardForm(initial_of(content), kind=content["kind"], is_new=False)
    return form.is_valid() and form.content(content["id"]) == dict(content)


class CardSourceForm(forms.Form):
    """A card as a deck file has it, for what has no place in the fields."""

    source = forms.CharField(max_length=40_000, label="The card, as in a deck file", widget=_area(24))

    def clean_source(self) -> dict[str, Any]:
        """As data."""
        data = _data(self.cleaned_data["source"])
        if not isinstance(data, dict):
            raise forms.ValidationError("A card is a mapping of keys such as id, kind and front.")
        return data

    def content(self, key: str = "") -> dict[str, Any]:
        """The card as in a deck file, of the id ``key``. The form is valid."""
        return {**self.cleaned_data["source"], "id": key}


def source_of(content: Mapping[str, Any]) -> str:
    """A card as a deck file has it."""
    return _text(content)


def _data(text: str) -> Any:
    """What a problem file would say by this text."""
    if not text.strip():
        return None
    try:
        return read_source(text).data
    except ProblemError as error:
        raise forms.ValidationError([str(fault) for fault in error.faults]) from error


def _text(data: Any) -> str:
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=100) if data else ""


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
