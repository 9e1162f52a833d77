"""When a step closes and what it shows: by the order in which things were done, not in which they become known."""

import datetime as dt
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from exercises.mastery.closing import Answer, AskedStep, Closing, History, Reason, Try, closings

START = dt.datetime(2026, 11, 2, 9, tzinfo=dt.UTC)
P = AskedStep("p", "softmax", blame={"p.no-exp": "exp-log"})
TOTAL = AskedStep("total", "exp-log", is_optional=True)
RIGHT = Answer("right", "", "0.665", 1.0)
CARRIED = Answer("carried", "", "0.41", 1.0)


def at(minutes: float) -> dt.datetime:
    return START + dt.timedelta(minutes=minutes)


def wrong(read_as: str, correctness: float = 0.0, note: str = "") -> Answer:
    return Answer("mistake" if note else "wrong", note, read_as, correctness)


def tries(*answers: Answer, step: str = "p") -> tuple[Try, ...]:
    """One submission a minute, from 1 on."""
    return tuple(Try(number, at(number), {step: answer}) for number, answer in enumerate(answers, start=1))


def only(steps: tuple[AskedStep, ...] = (P,), **history: Any) -> Closing | None:
    found = closings(steps, History(**history))
    assert len(found) <= 1
    return found[0] if found else None


def closed(**history: Any) -> Closing:
    found = only(**history)
    assert found is not None
    return found


def test_a_right_answer_closes_its_step_when_it_was_sent() -> None:
    found = closed(tries=tries(RIGHT))
    assert (found.reason, found.submission, found.closed_at) == (Reason.RIGHT, 1, at(1))
    assert (found.correctness, found.tries, found.e, found.w) == (1.0, 1, 1.0, 1.0)


def test_what_follows_from_ones_own_values_is_right() -> None:
    assert closed(tries=tries(CARRIED)).e == 1.0


def test_every_other_answer_before_it_costs_a_share() -> None:
    found = closed(tries=tries(wrong("1"), wrong("2"), RIGHT))
    assert (found.tries, found.e, found.submission) == (3, 0.36, 3)


def test_the_same_answer_again_is_no_try() -> None:
    found = closed(tries=tries(wrong("1"), wrong("1"), wrong("1"), RIGHT))
    assert (found.reason, found.tries) == (Reason.RIGHT, 2)


def test_an_answer_that_was_wrong_and_is_carried_now_is_right_at_the_second_try() -> None:
    found = closed(tries=tries(wrong("0.41"), CARRIED))
    assert (found.reason, found.tries, found.submission, found.e) == (Reason.RIGHT, 2, 2, 0.6)
    # Sent again before that, it was still one wrong try.
    assert closed(tries=tries(wrong("0.41"), wrong("0.41"), CARRIED)).tries == 2


def test_blank_unreadable_and_not_to_be_carried_are_no_tries() -> None:
    refused = Answer("wrong", "carry-refused", "9", 0.0)
    nothing = (Answer("blank", "", "", 0.0), Answer("unreadable", "", "", 0.0), refused)
    assert only(tries=tries(*nothing, *nothing)) is None
    assert closed(tries=tries(*nothing, RIGHT)).tries == 1


def test_three_different_wrong_answers_close_a_step_with_what_the_last_shows() -> None:
    found = closed(tries=tries(wrong("1"), wrong("2", 2 / 3), wrong("3", 1 / 3), RIGHT))
    assert (found.reason, found.submission, found.tries, found.correctness) == (Reason.TRIES, 3, 3, 1 / 3)
    assert found.e == 1 / 3 * 0.36


def test_of_what_is_left_unfinished_the_last_try_tells() -> None:
    sent = tries(wrong("1"), wrong("2", 2 / 3), wrong("1"))
    # Going back to an answer that was sent before is no try.
    assert closed(tries=sent, drawn_later=[at(9)]).correctness == 2 / 3
    assert closed(tries=tries(wrong("1", 2 / 3), wrong("2")), drawn_later=[at(9)]).e == 0.0


def test_what_is_open_says_nothing_yet() -> None:
    assert only(tries=tries(wrong("1"), wrong("2"))) is None
    assert only() is None


def test_hints_before_the_close_count_and_later_ones_do_not() -> None:
    hints = (("p", at(0.5)), ("p", at(3)), ("loss", at(0.5)))
    found = closed(tries=tries(RIGHT), hints=hints)
    assert (found.hints, found.e) == (1, 0.7)


def test_a_solution_that_is_shown_leaves_nothing_of_a_required_step() -> None:
    elsewhere = tries(wrong("1"), step="other")
    assert (untried := closed(tries=elsewhere, revealed_at=at(5))).reason is Reason.REVEALED
    assert (untried.e, untried.w, untried.tries, untried.submission) == (0.0, 1.0, 0, None)
    tried = closed(tries=tries(wrong("1", 0.5)), revealed_at=at(5))
    assert (tried.reason, tried.e, tried.correctness, tried.closed_at) == (Reason.REVEALED, 0.0, 0.5, at(5))


def test_a_solution_that_is_shown_takes_nothing_from_what_was_right() -> None:
    assert closed(tries=tries(RIGHT), revealed_at=at(5)).e == 1.0
    tried = Try(7, at(0.1), {"p": wrong("1")})
    assert closed(tries=(tried, *tries(RIGHT)), revealed_at=at(0.5)).reason is Reason.REVEALED


def test_who_looks_at_the_solution_without_trying_anything_has_shown_nothing() -> None:
    assert only(revealed_at=at(5)) is None
    assert only(tries=tries(Answer("unreadable", "", "", 0.0)), revealed_at=at(5)) is None
    # Nor does what is copied from it afterwards.
    assert only(tries=tries(RIGHT), revealed_at=at(0.5)) is None


def test_what_closes_after_a_later_variant_was_drawn_counts_half() -> None:
    assert closed(tries=tries(RIGHT), drawn_later=[at(0.5)]).w == 0.5
    assert closed(tries=tries(RIGHT), drawn_later=[at(1)]).w == 1.0
    assert closed(tries=tries(wrong("1")), drawn_later=[at(5)]).w == 1.0
    assert closed(tries=(Try(7, at(7), {"p": wrong("1")}),), drawn_later=[at(5), at(9)]).w == 0.5


def test_an_optional_step_counts_half_and_says_nothing_if_never_tried() -> None:
    assert only((TOTAL,), revealed_at=at(5)) is None
    assert closed(steps=(TOTAL,), tries=tries(RIGHT, step="total")).w == 0.5
    assert closed(steps=(TOTAL,), tries=tries(wrong("1"), step="total"), revealed_at=at(5)).w == 0.5


def test_another_variant_closes_what_was_tried_and_only_that() -> None:
    found = closed(tries=tries(wrong("1", 0.5)), drawn_later=[at(5), at(9)])
    assert (found.reason, found.closed_at, found.submission, found.e) == (Reason.LEFT, at(5), None, 0.5)
    assert only(drawn_later=[at(5)]) is None
    # Whoever comes back closes what they had left by going away again.
    late = closed(tries=(Try(7, at(7), {"p": wrong("1")}),), drawn_later=[at(5), at(9)])
    assert (late.reason, late.closed_at) == (Reason.LEFT, at(9))


def test_what_is_sent_after_leaving_or_after_the_solution_says_nothing() -> None:
    later = Try(9, at(9), {"p": RIGHT})
    assert closed(tries=(*tries(wrong("1")), later), drawn_later=[at(5)]).reason is Reason.LEFT
    assert closed(tries=(*tries(wrong("1")), later), revealed_at=at(5)).reason is Reason.REVEALED


def test_a_scaffold_halves_what_closes_after_it() -> None:
    assert closed(tries=tries(RIGHT), scaffolded_at=at(0.5)).w == 0.5
    assert closed(tries=tries(RIGHT), scaffolded_at=at(1.5)).w == 1.0


def test_notes_are_kept_in_order_and_no_note_that_names_nothing() -> None:
    unnamed = wrong("3", note="ambiguous")
    found = closed(tries=tries(wrong("1", note="p.a"), wrong("2", note="lost-sign"), unnamed))
    assert found.notes == ("p.a", "lost-sign")


def test_a_mistake_that_points_at_another_skill_speaks_against_that_one() -> None:
    found = closed(tries=tries(wrong("1"), wrong("2", 0.5, "p.no-exp")), drawn_later=[at(5)])
    assert (found.skill, found.e, found.w, found.correctness) == ("exp-log", 0.0, 0.5, 0.5)
    # Not once it is right after all, nor if the last mistake was another.
    mended = closed(tries=tries(wrong("2", note="p.no-exp"), RIGHT))
    assert (mended.skill, mended.e) == ("softmax", 0.6)
    other = closed(tries=tries(wrong("1", note="p.no-exp"), wrong("2", note="p.other")), drawn_later=[at(5)])
    assert other.skill == "softmax"


# Whatever happened, and in whatever order it becomes known

ANSWERS = st.sampled_from(
    [
        RIGHT,
        CARRIED,
        wrong("1", 0.25),
        wrong("2", 0.5, "p.no-exp"),
        wrong("3"),
        wrong("4", note="lost-sign"),
        Answer("wrong", "carry-refused", "5", 0.0),
        Answer("unreadable", "", "", 0.0),
    ]
)
MINUTES = st.integers(0, 12)
STEPS = (TOTAL, P)


@st.composite
def histories(draw: st.DrawFn) -> History:
    sent = draw(st.lists(st.tuples(MINUTES, st.dictionaries(st.sampled_from(["p", "total"]), ANSWERS)), max_size=8))
    return History(
        tries=[Try(number, at(minute), answers) for number, (minute, answers) in enumerate(sorted_by_time(sent), 1)],
        hints=draw(st.lists(st.tuples(st.sampled_from(["p", "total"]), MINUTES.map(at)), max_size=4)),
        drawn_later=draw(st.lists(MINUTES.map(at), max_size=3)),
        revealed_at=draw(st.none() | MINUTES.map(at)),
        scaffolded_at=draw(st.none() | MINUTES.map(at)),
    )


def sorted_by_time(sent: list[tuple[int, Any]]) -> list[tuple[int, Any]]:
    return sorted(sent, key=lambda one: one[0])


@given(histories(), st.randoms(use_true_random=False))
def test_the_order_in_which_things_become_known_does_not_matter(history: History, random: Any) -> None:
    def shuffled(things: Any) -> list[Any]:
        return random.sample(list(things), len(things))

    again = replace(
        history,
        tries=shuffled(history.tries),
        hints=shuffled(history.hints),
        drawn_later=shuffled(history.drawn_later),
    )
    assert closings(STEPS, again) == closings(STEPS, history)


@given(histories())
def test_nothing_after_the_close_changes_it(history: History) -> None:
    for found in closings(STEPS, history):
        until = replace(
            history,
            tries=[one for one in history.tries if one.at <= found.closed_at],
            hints=[one for one in history.hints if one[1] <= found.closed_at],
            drawn_later=[one for one in history.drawn_later if one <= found.closed_at],
            revealed_at=None
            if history.revealed_at is None or history.revealed_at > found.closed_at
            else history.revealed_at,
        )
        assert found in closings(STEPS, until)


@given(histories())
def test_every_closing_is_sound(history: History) -> None:
    found = closings(STEPS, history)
    assert len({one.step for one in found}) == len(found)
    for one in found:
        assert 0 <= one.e <= one.correctness <= 1
        assert one.w in (0.5, 1.0)
        assert 0 <= one.tries <= 3
        assert (one.submission is not None) == (one.reason in (Reason.RIGHT, Reason.TRIES))
        assert one.reason is not Reason.RIGHT or one.correctness == 1
        assert len(one.notes) <= one.tries


@given(histories())
def test_a_late_verdict_is_as_good_as_one_in_time(history: History) -> None:
    """However much of it is known, once all is known it is all the same: nothing that was told before is looked at."""
    for known in range(len(history.tries)):
        early = closings(STEPS, replace(history, tries=history.tries[:known]))
        assert all(one.submission is None or one.submission <= known for one in early)
        for one in early:
            # What an answer closed stays closed by it, since later answers come after it.
            if one.submission is not None:
                assert one in closings(STEPS, history)
