"""Decisions for all: whom they reach, that they are one however often they are sent, and that they can be undone."""

from fractions import Fraction

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from exercises.access import ruling_in
from exercises.actions.grading import (
    Decision,
    Given,
    GradeRefused,
    give_override,
    give_ruling,
    preview_count_as,
    preview_override,
    preview_override_withdrawal,
    preview_ruling,
    preview_ruling_withdrawal,
    rulings,
    settle,
    settle_for,
    withdraw_ruling,
)
from exercises.models import Attempt, AuditEntry, Course, Enrolment, ProblemSet, Ruling, User
from exercises.queries.graded_attempt import settling
from exercises.tasks import settle_rulings
from tests.exercises.courses.sat import (
    ALL,
    HALF,
    NO_EXP,
    NOTHING,
    begun,
    drawn,
    handed_in,
    marked,
    place_of,
    variant_of,
)
from tests.exercises.courses.world import person

pytestmark = pytest.mark.usefixtures("servers")
Kind = Ruling.Kind


def decision(attempt: Attempt, kind: Ruling.Kind, step: str = "", **said: str) -> Decision:
    item = place_of(attempt).item
    item.problem_set = attempt.problem_set
    return Decision(item, kind, step, **said)


@pytest.fixture
def ida(course: Course, quiz: ProblemSet) -> Attempt:
    """Ida made the known mistake at p, once."""
    return marked(begun(quiz, person(course, "ida").user), NO_EXP)


def score(attempt: Attempt) -> Fraction | None:
    attempt.refresh_from_db()
    return attempt.score


def test_a_named_mistake_is_accepted_for_all(dave: User, attempt: Attempt, ida: Attempt) -> None:
    marked(attempt, HALF)
    accept = decision(ida, Kind.ACCEPT, step="p", note="p.no-exp")
    assert score(ida) == Fraction(3, 16)
    moves = preview_ruling(accept)
    assert (moves.looked_at, moves.raised, moves.lowered) == (2, 1, 0)
    assert (moves.listed[0].name, moves.listed[0].before, moves.listed[0].after) == (
        "ida",
        Fraction(3, 16),
        Fraction(3, 8),
    )
    assert not Ruling.objects.exists()
    assert score(ida) == Fraction(3, 16)
    ruling = give_ruling(actor=dave, decision=accept, reason="The statement says logits")
    assert ruling.applied_at is not None
    assert (score(ida), score(attempt)) == (Fraction(3, 8), Fraction(3, 8))
    assert give_ruling(actor=dave, decision=accept, reason="Clicked twice").pk == ruling.pk
    assert preview_ruling(accept).moved == 0
    found = ruling_in(ida.problem_set, ruling.pk)
    assert preview_ruling_withdrawal(found).lowered == 1
    for _ in range(2):
        withdraw_ruling(actor=dave, ruling=found, reason="It does not")
    assert score(ida) == Fraction(3, 16)
    assert [entry.deed for entry in AuditEntry.objects.order_by("pk")] == ["ruling", "ruling-withdrawn"]


def test_this_very_answer_is_accepted_on_this_variant_alone(dave: User, attempt: Attempt, ida: Attempt) -> None:
    wrong = {**HALF, "loss": "0.5"}
    marked(attempt, wrong)
    other = drawn(place_of(ida), {"words": ["mat", "car", "sky"], "z": [2.0, 0.0, 1.0], "t": 0})
    marked(ida, wrong)
    assert (score(attempt), score(ida)) == (Fraction(3, 8), Fraction(3, 16))
    accept = decision(attempt, Kind.ACCEPT, step="loss", read_as="0.5", digest=variant_of(attempt).digest)
    assert other.digest != accept.digest
    assert [move.name for move in preview_ruling(accept).listed] == ["bob"]
    give_ruling(actor=dave, decision=accept, reason="The table was cut off")
    assert (score(attempt), score(ida)) == (Fraction(3, 4), Fraction(3, 16))


def test_a_part_is_discounted_for_all(dave: User, attempt: Attempt, ida: Attempt) -> None:
    marked(attempt, HALF)
    discount = decision(attempt, Kind.DISCOUNT, step="loss")
    moves = preview_ruling(discount)
    assert (moves.raised, moves.lowered) == (2, 0)
    give_ruling(actor=dave, decision=discount, reason="Not taught yet")
    assert (score(attempt), score(ida)) == (Fraction(3, 4), Fraction(3, 8))


def test_a_variant_is_compensated_for_whom_it_helps(dave: User, attempt: Attempt, ida: Attempt) -> None:
    marked(marked(attempt, NOTHING), ALL, position=2)
    marked(ida, ALL)
    before = score(ida)
    compensate = decision(attempt, Kind.COMPENSATE, digest=variant_of(attempt).digest)
    assert score(attempt) == Fraction(1, 4)
    give_ruling(actor=dave, decision=compensate, reason="Its numbers were unfair")
    assert score(attempt) == Fraction(1)
    after = score(ida)
    assert after is not None
    assert before is not None
    assert after >= before


def test_a_preview_and_other_items_are_not_reached(dave: User, alice: User, attempt: Attempt, quiz: ProblemSet) -> None:
    shown = begun(quiz, alice, is_preview=True)
    marked(attempt, NO_EXP, position=2)
    assert preview_ruling(decision(attempt, Kind.ACCEPT, step="p", note="p.no-exp")).looked_at == 1
    give_ruling(actor=dave, decision=decision(attempt, Kind.ACCEPT, step="p", note="p.no-exp"), reason="Why not")
    assert score(shown) is None
    assert score(attempt) == Fraction(1, 16)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (Kind.ACCEPT, {"step": "p"}),
        (Kind.ACCEPT, {"step": "p", "read_as": "0.5"}),
        (Kind.ACCEPT, {"step": "p", "note": "p.no-exp", "digest": "0"}),
        (Kind.ACCEPT, {"step": "nowhere", "note": "p.no-exp"}),
        (Kind.DISCOUNT, {}),
        (Kind.DISCOUNT, {"step": "p", "note": "p.no-exp"}),
        (Kind.COMPENSATE, {}),
        (Kind.COMPENSATE, {"digest": "0", "step": "p"}),
    ],
)
def test_what_says_too_little_or_too_much_is_refused(
    kind: Ruling.Kind, said: dict[str, str], dave: User, attempt: Attempt
) -> None:
    with pytest.raises(GradeRefused):
        preview_ruling(decision(attempt, kind, **said))
    with pytest.raises(GradeRefused):
        give_ruling(actor=dave, decision=decision(attempt, kind, **said), reason="Why not")
    with pytest.raises(GradeRefused):
        give_ruling(actor=dave, decision=decision(attempt, Kind.DISCOUNT, step="p"), reason="")
    assert not Ruling.objects.exists()


def test_what_reaches_many_is_marked_as_unfinished_until_a_worker_has_done_it(
    dave: User, course: Course, quiz: ProblemSet, monkeypatch: pytest.MonkeyPatch, published: list[str],
    django_capture_on_commit_callbacks: object,
) -> None:  # fmt: skip
    for module, name, value in ((rulings, "MOST_AT_ONCE", 4), (settle, "BATCH", 2)):
        monkeypatch.setattr(module, name, value)
    sat = [marked(begun(quiz, person(course, f"learner-{n}").user), HALF) for n in range(5)]
    discount = decision(sat[0], Kind.DISCOUNT, step="loss")
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        ruling = give_ruling(actor=dave, decision=discount, reason="Not taught yet")
    assert published == ["exercises.tasks.settle_rulings"]
    assert ruling.applied_at is None
    assert [score(one) for one in sat] == [Fraction(3, 8)] * 5
    # A worker that is killed after the first batch: what it did is kept, and every page says that more is to come.
    assert settle.settle_batch(ruling.pk)
    told = settling([quiz])
    assert told is not None
    assert (told.done, told.total, told.decisions) == (2, 5, 1)
    assert [score(one) for one in sat] == [Fraction(3, 4)] * 2 + [Fraction(3, 8)] * 3
    # What is marked meanwhile is right already.
    assert marked(sat[4], ALL).score == Fraction(3, 4)
    settle_rulings()
    assert [score(one) for one in sat] == [Fraction(3, 4)] * 5
    assert settling([quiz]) is None
    found = ruling_in(quiz, ruling.pk)
    assert withdraw_ruling(actor=dave, ruling=found, reason="It was taught").applied_at is None
    assert not settle_for(60)
    assert [score(one) for one in sat[:4]] == [Fraction(3, 8)] * 4


def test_somebody_who_left_is_reached_as_well(dave: User, attempt: Attempt, ida: Attempt) -> None:
    ida.learner.enrolments.update(dropped_at=ida.began_at)
    handed_in(ida)
    give_ruling(actor=dave, decision=decision(ida, Kind.ACCEPT, step="p", note="p.no-exp"), reason="Why not")
    assert score(ida) == Fraction(3, 8)


def test_looking_at_what_would_move_writes_and_locks_nothing(
    attempt: Attempt, ida: Attempt, enrolled: Enrolment, quiz: ProblemSet, dave: User
) -> None:
    """It is done while a page is loaded, over everybody; and beside a decision that is taken it must not meet it."""
    handed_in(marked(attempt, HALF))
    accept = decision(ida, Kind.ACCEPT, step="p", note="p.no-exp")
    ruling = ruling_in(quiz, give_ruling(actor=dave, decision=accept, reason="Ambiguous").pk)
    override = give_override(actor=dave, given=Given(quiz, enrolled, Fraction(1, 2)), reason="Oral", seen=None)
    attempt.refresh_from_db()
    with CaptureQueriesContext(connection) as read:
        assert preview_ruling(decision(ida, Kind.DISCOUNT, step="p")).moved
        assert preview_ruling_withdrawal(ruling).moved
        assert preview_override(Given(quiz, enrolled, Fraction(1))).moved
        assert preview_override_withdrawal(override).moved
        assert not preview_count_as(attempt, None).moved
    for word in ("INSERT ", "UPDATE ", "DELETE ", " FOR NO KEY ", "SAVEPOINT "):
        assert not [query["sql"] for query in read if word in query["sql"]]


def test_a_ruling_that_meets_an_error_rests_and_holds_up_no_other(
    dave: User, attempt: Attempt, ida: Attempt, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    marked(attempt, HALF)
    monkeypatch.setattr(rulings, "MOST_AT_ONCE", 0)
    first, second = (
        give_ruling(actor=dave, decision=decision(ida, *said), reason="Ambiguous")
        for said in ((Kind.DISCOUNT, "loss"), (Kind.DISCOUNT, "p"))
    )
    settle_batch = settle.settle_batch

    def fails_at_first(pk: int) -> bool:
        return bool(1 / 0) if pk == first.pk else settle_batch(pk)

    with monkeypatch.context() as broken:
        broken.setattr(settle, "settle_batch", fails_at_first)
        for _ in range(3):
            assert not settle_rulings()
    second.refresh_from_db()
    assert second.applied_at is not None
    assert settling([ida.problem_set]) is not None
    assert len([one for one in caplog.records if "cannot follow" in one.message]) == 1
    cache.clear()
    assert not settle_rulings()
    assert settling([ida.problem_set]) is None
