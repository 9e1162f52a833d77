"""Our own file by itself: whatever bundle is written is read back as it was, and written again as the same bytes."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from exercises import catalogue
from exercises.courses.set_details import SetDetails, faults_of, in_mode
from exercises.exchange.archive import opened
from exercises.exchange.own.bundle import Authored, Bundle, BundledItem, BundledPool, BundledSet, Origin, digest_of
from exercises.exchange.own.reading import read_bundle
from exercises.exchange.own.writing import own_package
from grader.problem import load
from tests.exercises.authoring.world import SMALL

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=30)
SHARES = st.lists(st.fractions(0, 1, max_denominator=12), max_size=4).map(lambda x: tuple(sorted(x, reverse=True)))
MOMENTS = st.none() | st.integers(1_600_000_000, 2_200_000_000).map(
    lambda second: dt.datetime.fromtimestamp(second, dt.UTC)
)
WEIGHTS = st.integers(0, 99_990_000).map(lambda x: Decimal(x) / 10_000)
DETAILS = st.builds(
    SetDetails, title=TEXT.filter(str.strip), mode=st.sampled_from(["practice", "quiz", "exam"]), instructions=TEXT,
    opens_at=MOMENTS, due_at=MOMENTS, closes_at=MOMENTS, time_limit=st.none() | st.integers(1, 600), credits=SHARES,
    retry=st.sampled_from(["same", "new"]), feedback=st.sampled_from(["at-once", "handed-in", "released"]),
    late=SHARES, hints=st.booleans(), shuffle=st.booleans(),
    pass_mark=st.none() | st.fractions(Fraction(1, 100), 1, max_denominator=100),
)  # fmt: skip
LICENCES = st.sampled_from(["", "CC BY 4.0", "CC0 1.0"])
#: Different texts of one title, and of several.
SOURCES = [
    SMALL,
    SMALL + "# two\n",
    SMALL + "\r\n",
    SMALL.replace("A seventh", "Ünï, çödé!"),
    SMALL.replace("A s", "S"),
]


@st.composite
def bundles(draw: st.DrawFn) -> Bundle:
    sources = draw(st.lists(st.sampled_from(SOURCES), min_size=1, max_size=5, unique=True))
    problems = tuple(
        Authored(
            load(source).title, source, draw(LICENCES),
            tuple(Origin(one, draw(LICENCES)) for one in draw(st.lists(st.sampled_from(SOURCES), max_size=3))),
        )
        for source in sources
    )  # fmt: skip
    sets = []
    for details in draw(st.lists(DETAILS, max_size=2)):
        kept = in_mode(details)
        assume(not faults_of(kept))
        names = draw(st.lists(st.sampled_from(["A", "B pool", "ç"]), max_size=3, unique=True))
        pools = tuple(BundledPool(name, draw(st.integers(1, 5)), draw(WEIGHTS)) for name in names)
        items = tuple(
            BundledItem(
                digest=digest_of(draw(st.sampled_from(sources))), is_pinned=draw(st.booleans()), weight=draw(WEIGHTS),
                variants=draw(st.integers(1, 20)), pool=draw(st.none() | st.sampled_from(names)) if names else None,
                adaptation=draw(st.sampled_from([{}, {"digits": 4}])),
            )
            for _ in range(draw(st.integers(0, 4)))
        )  # fmt: skip
        sets.append(BundledSet(kept, pools, items))
    return Bundle(problems, tuple(sets))


@given(bundles())
def test_what_is_written_is_read_back_and_written_again_as_the_same_bytes(bundle: Bundle) -> None:
    package = own_package(bundle, "Everything")
    read = read_bundle(opened(package.content))
    assert not read.faults
    assert {one.digest: one for one in read.bundle.problems} == {one.digest: one for one in bundle.problems}
    assert [one.details for one in read.bundle.sets] == [one.details for one in bundle.sets]
    assert [(one.pools, one.items) for one in read.bundle.sets] == [(one.pools, one.items) for one in bundle.sets]
    assert own_package(read.bundle, "Everything").content == package.content


@given(st.permutations(list(catalogue.slugs())))
def test_the_order_in_which_problems_are_chosen_makes_no_difference(slugs: list[str]) -> None:
    def of(names: list[str]) -> bytes:
        problems = tuple(Authored(load(catalogue.source(one)).title, catalogue.source(one)) for one in names)
        return own_package(Bundle(problems), "All").content

    assert of(slugs) == of(sorted(slugs))


@pytest.mark.parametrize("ending", ["", "\n", "\r\n", "\n\n# no end"])
def test_a_problem_file_leaves_byte_for_byte(ending: str) -> None:
    source = SMALL.rstrip("\n") + ending
    package = own_package(Bundle((Authored("A seventh", source),)), "x")
    assert opened(package.content).files["problems/a-seventh.yaml"] == source.encode()
