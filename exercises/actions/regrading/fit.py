"""Whether what was drawn can be marked by another version, and if not, why."""

from collections.abc import Iterable, Mapping

from exercises.loading import loaded
from exercises.models import ProblemVersion, Variant
from exercises.refusals import ProblemBroken
from grader.errors import ParameterError
from grader.problem import Problem
from grader.sampling import read_parameters
from grader.template import Drawn

NOT_DRAWN = "What was drawn does not fit this version."
NOT_ASKED = "This version does not ask every step that the set asks."
OTHER_DIGITS = (
    "It was drawn from a version with digits changed for its set, and this version asks for others: choose a version "
    "that is adapted for the set."
)


class Fit:
    """One version, and whether variants of the problem can be marked by it."""

    def __init__(self, version: ProblemVersion) -> None:
        """Raises ProblemBroken for a version that can no longer be read. No query."""
        self.version = version
        self._problem = loaded(version)
        self._asked = {step.name for step in self._problem.asked}
        self._has_other_digits: dict[int, bool] = {version.pk: False}
        self._read: dict[int, Drawn] = {}

    @property
    def drawn(self) -> Mapping[int, Drawn]:
        """The parameters of the variants that fit, as this version reads them, by primary key."""
        return self._read

    def learn(self, variants: Iterable[Variant]) -> None:
        """Look at the versions that these variants were drawn from. One query, for those not seen before. What was read
        of other variants is let go."""
        self._read = {}
        unknown = {variant.version_id for variant in variants} - self._has_other_digits.keys()
        if unknown:
            rows = ProblemVersion.objects.filter(pk__in=unknown)
            self._has_other_digits |= {row.pk: self._differs(row) for row in rows}

    def misfit(self, variant: Variant) -> str:
        """Why it cannot be marked by this version, in a sentence for staff; empty if it can. Call ``learn`` before."""
        if self._has_other_digits[variant.version_id]:
            return OTHER_DIGITS
        if variant.asked is not None and not self._asked.issuperset(variant.asked):
            return NOT_ASKED
        try:
            self._read[variant.pk] = read_parameters(self._problem, variant.parameters)
        except ParameterError:
            return NOT_DRAWN
        return ""

    def _differs(self, drawn: ProblemVersion) -> bool:
        """Whether digits were chosen for a set, and would be lost: a version that is adapted itself was chosen so."""
        if drawn.adapted_from_id is None or self.version.adapted_from_id is not None:
            return False
        try:
            before = loaded(drawn)
        except ProblemBroken:
            return False
        return before.working != self._problem.working or _digits(before, self._asked) != _digits(
            self._problem, {step.name for step in before.asked}
        )


def _digits(problem: Problem, names: set[str]) -> dict[str, int]:
    return {step.name: step.digits for step in problem.asked if step.name in names}
