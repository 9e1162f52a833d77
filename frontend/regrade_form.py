"""The form for a regrade: what it offers depends on the problem, which is chosen first."""

from dataclasses import dataclass
from typing import Any

from django import forms

from exercises.models import Course, Problem, ProblemSet, ProblemVersion
from exercises.queries import regrades
from grader.adapting import LEAST_DIGITS

MOST_DIGITS = 8
#: Not one set of the course, but all of them.
ALL = "all"


@dataclass(frozen=True)
class Choices:
    """What can be chosen: a problem among those of the course, and once there is one, its versions and sets."""

    problems: list[Problem]
    problem: Problem | None
    versions: list[ProblemVersion]
    sets: list[ProblemSet]


def choices_for(course: Course, slug: str) -> Choices:
    """What a course has to choose from, ``slug`` being the problem that was chosen. Three queries at most."""
    problems = regrades.regradable(course)
    problem = next((one for one in problems if one.slug == slug), None)
    if problem is None:
        return Choices(problems, None, [], [])
    return Choices(problems, problem, regrades.versions_for(course, problem), regrades.sets_with(course, problem))


class RegradeForm(forms.Form):
    """By which version answers are marked again, where, and why. Its clean data are the arguments of the action."""

    version = forms.ChoiceField(
        label="Mark by",
        help_text="A corrected key is a newer version of the problem: correct it in the editor and publish it first.",
    )
    digits = forms.IntegerField(
        label="Accept rougher answers",
        required=False,
        min_value=LEAST_DIGITS,
        max_value=MOST_DIGITS,
        help_text="Significant digits that an answer must have. Fewer than the version asks for widen the tolerance; "
        "empty is as the version says.",
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    problem_set = forms.ChoiceField(label="In which sets")
    never_lower = forms.BooleanField(
        label="Never lower: where the new verdict on an answer is worth less, the old one goes on counting",
        required=False,
        initial=True,
    )
    reason = forms.CharField(
        label="Why",
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="For the audit trail, and for whoever asks later.",
    )

    def __init__(self, *args: Any, choices: Choices, **options: Any) -> None:
        super().__init__(*args, **options)
        self._versions = {str(one.pk): one for one in choices.versions}
        self._sets = {str(one.public_id): one for one in choices.sets}
        current = choices.problem.current_id if choices.problem else None
        self._offer("version", [(key, version_words(one, current)) for key, one in self._versions.items()])
        sets = [(key, one.title) for key, one in self._sets.items()]
        self._offer("problem_set", [(ALL, "All sets of the course"), *sets])
        self.fields["version"].initial = str(current or "")

    def clean_version(self) -> ProblemVersion:
        """The version that was chosen."""
        return self._versions[self.cleaned_data["version"]]

    def clean_problem_set(self) -> ProblemSet | None:
        """The set that was chosen, None for all."""
        return self._sets.get(self.cleaned_data["problem_set"])

    def _offer(self, name: str, offered: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            field.choices = offered


def version_words(version: ProblemVersion, current: int | None) -> str:
    """What a version is called where one is chosen."""
    words = f"version {version.number} of {version.created_at:%-d %b %Y}"
    if version.pk == current:
        words += ", the current one"
    if version.adapted_from is not None:
        words += f", adapted from version {version.adapted_from.number}"
    return f"{words}: {version.summary}" if version.summary else words
