"""The pages of regrades: everything their templates are given, in a bounded number of queries."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.core.paginator import Page, Paginator

from exercises.access import has_right
from exercises.courses.rights import Right
from exercises.courses.scoring import percent
from exercises.models import Enrolment, RegradeEvent, RegradeMove, User
from exercises.queries import regrades
from frontend.marks import WORDS
from grader.verdict import Mark

State = RegradeEvent.State
ROWS = 25
#: A badge and a sentence for each state.
STATES = {
    State.COUNTING: ("open", "dry run", "The dry run is going on. Nothing is changed by it."),
    State.READY: ("draft", "not applied", "The dry run is done. Nothing is changed yet."),
    State.APPLYING: ("open", "being applied", "It is being applied. What is done already counts."),
    State.APPLIED: ("done", "applied", "It was applied: the new verdicts count. The old ones are kept beside them."),
    State.UNDOING: ("open", "being undone", "It is being undone. What is done already counts as before."),
    State.UNDONE: ("closed", "undone", "It was undone: what counted before it counts again."),
    State.DROPPED: ("closed", "called off", "It was called off and never applied."),
    State.FAILED: ("alert", "failed", "The dry run could not be finished. No verdict was changed."),
}
SHOWS = {"all": "All", "raised": "Raised", "lowered": "Lowered", "same": "Score unchanged"}


@dataclass(frozen=True)
class StateView:
    """A state as it is shown: a badge, a word, and what it means."""

    badge: str
    word: str
    meaning: str


@dataclass(frozen=True)
class StepLine:
    """One step that is judged otherwise: how it was, and how it is by the new version."""

    step: str
    before: str
    after: str
    outcome: str
    before_outcome: str


@dataclass(frozen=True)
class WhyView:
    """One answer that is judged otherwise."""

    number: int
    before: str
    after: str
    steps: tuple[StepLine, ...]


@dataclass(frozen=True)
class MoveRow:
    """One place of an attempt: whose, and how its score and the attempt's move."""

    learner: str
    move: RegradeMove
    item_before: str
    item_after: str
    attempt_before: str
    attempt_after: str
    by: str
    whys: tuple[WhyView, ...]


def state_view(event: RegradeEvent) -> StateView:
    """How the state of a regrade is shown."""
    return StateView(*STATES[State(event.state)])


def is_working(event: RegradeEvent) -> bool:
    """Whether work goes on in the background."""
    return event.state in event.WORKING


def list_context(enrolment: Enrolment, page: int) -> dict[str, Any]:
    """The list of the regrades of a course. Two queries."""
    rows: Page = Paginator(regrades.regrades_of(enrolment.course), ROWS).get_page(page)
    shown = [(event, state_view(event)) for event in rows.object_list]
    return {"course": enrolment.course, "enrolment": enrolment, "page": rows, "rows": shown}


def progress_context(event: RegradeEvent) -> dict[str, Any]:
    """How far the work is. No query."""
    done = min(event.done, event.total)
    return {
        "event": event,
        "state": state_view(event),
        "is_working": is_working(event),
        "done": done,
        "width": f"{100 * done / event.total:.1f}" if event.total else "0",
        "is_counted": event.reached < 0,
    }


def page_context(event: RegradeEvent, enrolment: Enrolment, *, show: str, page: int) -> dict[str, Any]:
    """One regrade. Eight queries at most, however many answers it is about."""
    chosen = show if show in SHOWS or show == "kept" else "all"
    may_manage = has_right(enrolment, Right.MANAGE)
    context = {
        **progress_context(event),
        "course": enrolment.course,
        "enrolment": enrolment,
        "show": chosen,
        "shows": SHOWS.items(),
        "query": f"show={chosen}",
        "reasons": sorted(event.reasons.items(), key=lambda one: -one[1]),
        "unchanged": max(0, event.done - event.raised - event.lowered - event.failed - event.skipped),
        "changes_nothing": event.state == State.READY and not event.raised + event.lowered,
        "may_apply": may_manage and event.state == State.READY,
        "may_undo": may_manage and (event.state == State.APPLIED or (event.state == State.APPLYING and event.failure)),
        "may_drop": may_manage and event.state in (State.COUNTING, State.READY, State.FAILED),
        "may_manage": may_manage,
    }
    if event.state == State.COUNTING:
        return context
    shown = _kept(event, page) if chosen == "kept" else _moves(event, chosen, page)
    return {**context, **shown, "counts": regrades.move_counts(event)}


def _moves(event: RegradeEvent, show: str, page: int) -> dict[str, Any]:
    wanted = next((one for one in ("raised", "lowered", "same") if one == show), "all")
    rows: Page = Paginator(regrades.moves_of(event, wanted), ROWS).get_page(page)  # type: ignore[arg-type]
    moves = list(rows.object_list)
    whys = regrades.why_moved(event, [move.attempt_item_id for move in moves])
    names = regrades.names_in(event.course, (move.attempt_item.attempt.learner_id for move in moves))
    found = []
    for move in moves:
        learner = move.attempt_item.attempt.learner
        told = tuple(why_view(place, one) for place, one in enumerate(whys.get(move.attempt_item_id, ()), start=1))
        found.append(_move_row(move, names.get(learner.pk) or called(learner), told))
    return {"page": rows, "moves": found}


def _kept(event: RegradeEvent, page: int) -> dict[str, Any]:
    rows: Page = Paginator(regrades.kept_by(event), ROWS).get_page(page)
    changes, order = list(rows.object_list), regrades.steps_of(event.version)
    names = regrades.names_in(event.course, (one.submission.author_id for one in changes))
    found = [
        (
            names.get(one.submission.author_id) or called(one.submission.author),
            one,
            why_view(1, regrades.why(one, order)),
        )
        for one in changes
    ]
    return {"page": rows, "kept": found}


def _move_row(move: RegradeMove, learner: str, whys: tuple[WhyView, ...]) -> MoveRow:
    by = _share(move.attempt_after) - _share(move.attempt_before)
    return MoveRow(
        learner=learner,
        move=move,
        item_before=_percent(move.item_before),
        item_after=_percent(move.item_after),
        attempt_before=_percent(move.attempt_before),
        attempt_after=_percent(move.attempt_after),
        by=points(by),
        whys=whys,
    )


def why_view(number: int, one: regrades.Why) -> WhyView:
    """Why one answer is judged otherwise, in words."""
    steps = tuple(step_line(step) for step in one.steps)
    return WhyView(number, percent(one.before), percent(one.after), steps)


def step_line(change: regrades.StepChange) -> StepLine:
    """One step before and after, in words."""
    return StepLine(
        step=change.step,
        before=mark_words(change.before),
        after=mark_words(change.after),
        outcome=change.after.outcome if change.after else "blank",
        before_outcome=change.before.outcome if change.before else "blank",
    )


def mark_words(mark: Mark | None) -> str:
    """A mark in a few words for staff: outcome, note and credit."""
    if mark is None:
        return "not asked"
    words = WORDS[mark.outcome].lower()
    if mark.note:
        words += f" ({mark.note})"
    return words if mark.credit in (0, 1) else f"{words}, {mark.credit} of it"


def points(by: Fraction) -> str:
    """A difference of scores in percentage points, with its sign."""
    if not by:
        return "±0"
    return ("+" if by > 0 else "−") + percent(abs(by)).removesuffix(" %")


def called(user: User) -> str:
    """What somebody is called where the roster says nothing."""
    return user.get_full_name() or user.get_username()


def _share(text: str) -> Fraction:
    return Fraction(text) if text else Fraction(0)


def _percent(text: str) -> str:
    return percent(Fraction(text)) if text else "–"
