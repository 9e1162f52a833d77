"""What a switch of variants in flight to another text would change for those who have begun."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from exercises.actions.draw import fresh_variant
from exercises.models import ProblemVersion, User, Variant
from exercises.queries.authoring import compatibility
from tests.exercises.authoring.world import BROKEN, SMALL, current_of, published

pytestmark = pytest.mark.usefixtures("quick_gate")


@pytest.fixture
def version(alice: User, bob: User) -> ProblemVersion:
    """A version that Bob has three variants of."""
    found = current_of(published(alice))
    for seed in range(3):
        fresh_variant(learner=bob, version=found, seed=10 * seed).save()
    return found


@pytest.mark.parametrize(
    ("old", "new", "verdict", "reason"),
    [
        ("# A seventh.", "# Something.", "same-marks", ""),
        ("[8, 90]", "[20, 30]", "same-marks", ""),
        ("summary: Divide", "summary: Please divide", "same-marks", ""),
        ("steps:", "require: [x > 9]\nsteps:", "same-marks", ""),
        ("is: x / 7", "is: x/7", "same-marks", ""),
        ("statement: What", "statement: Now, what", "other-texts", "statement"),
        ("hint: Divide", "hint: Now divide", "other-texts", "texts of s"),
        ("an eighth.", "an eighth, not a seventh.", "other-texts", "s.eighth is told"),
        ("is: x / 7", "is: x / 6", "marks-may-change", "comes to something else"),
        ("is: x / 7", "is: (x + x) / 14", "marks-may-change", "another rule"),
        ("is: x / 8", "is: x / 9", "marks-may-change", "s.eighth has another rule"),
        ("eighth:", "eight:", "marks-may-change", "is not recognised any more"),
        ("    hint:", "    digits: 2\n    hint:", "marks-may-change", "other digits"),
        ("steps:", "digits: {working: 5}\nsteps:", "marks-may-change", "5 digits instead of 4"),
        ("    hint:", "    weight: 3\n    hint:", "marks-may-change", "another weight"),
        ("    mistakes:", "    undefined: true\n    mistakes:", "marks-may-change", "undefined"),
        ("steps:", "steps:\n  u: {is: x + 1, ask: And one more}", "marks-may-change", "step u is new"),
        ("    is: x / 7\n", "    is: x\n    kind: count\n", "does-not-fit", "another kind"),
        ("  s:\n", "  t:\n", "does-not-fit", "s is not asked any more"),
        ("  x: {range: [8, 90]}", "  y: {range: [8, 90]}\n  x: {is: y + 1}", "does-not-fit", "do not fit"),
        ("is: x / 7", "is: x /", "does-not-fit", "cannot be read"),
    ],
)
def test_the_verdict_says_what_a_switch_would_change(
    version: ProblemVersion, old: str, new: str, verdict: str, reason: str
) -> None:
    assert old in SMALL
    found = compatibility(version, SMALL.replace(old, new))
    assert found.verdict == verdict
    assert found.says
    assert any(reason in line for line in found.reasons) if reason else found.reasons == []
    assert (found.variants, bool(found.unfit)) == (0 if "cannot be read" in reason else 3, "do not fit" in reason)


def test_how_many_variants_have_other_keys_is_counted(version: ProblemVersion, bob: User) -> None:
    values = list(Variant.objects.values_list("parameters", flat=True))
    above = sum(one["x"] > 50 for one in values)
    found = compatibility(version, SMALL.replace("is: x / 7", "is: where(x > 50, x / 6, x / 7)"))
    assert (found.variants, found.differing) == (len(values), above)


def test_a_step_that_only_some_variants_ask_must_stay(version: ProblemVersion) -> None:
    Variant.objects.filter(number=1).update(asked=["gone"])
    found = compatibility(version, SMALL)
    assert (found.verdict, found.unfit) == ("does-not-fit", 1)


def test_only_the_latest_are_looked_at_in_one_query(version: ProblemVersion) -> None:
    with CaptureQueriesContext(connection) as queries:
        found = compatibility(version, SMALL, most=2)
    assert (len(queries), found.variants) == (1, 2)


def test_a_version_that_can_no_longer_be_read_fits_nothing(version: ProblemVersion) -> None:
    ProblemVersion.objects.update(source=BROKEN)
    assert compatibility(ProblemVersion.objects.get(), SMALL).verdict == "does-not-fit"
