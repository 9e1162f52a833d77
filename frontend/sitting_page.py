"""The pages of an attempt: everything their templates are given, in a constant number of queries."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.http import HttpRequest

from exercises import clock, queries
from exercises.actions.sitting.standing import Standing, standing_of
from exercises.actions.typed import Answers
from exercises.courses.rules import Rules, late_share, phase
from exercises.courses.scoring import percent
from exercises.figures import draw, has_content
from exercises.loading import problem_of
from exercises.models import Attempt, AttemptItem, Submission, Variant
from exercises.queries.attempt import PlaceRow, late_drafts, offered, places_in, places_with_asides
from frontend.sitting import from_shelf
from frontend.solution import solution_for
from frontend.variant_page import blanks_of, judged_of, locale_of, sent_view
from frontend.workbench import step_views

#: How a place stands, in words for who sits the set.
STATES = {
    "blank": "nothing typed yet",
    "partly": "partly filled",
    "typed": "filled in",
    "unreadable": "something cannot be read",
    "pending": "sent, not marked yet",
    "tried": "tried",
    "right": "all right",
    "used": "no try left",
}
#: The icon beside each.
ICONS = {
    "blank": "blank",
    "partly": "partly",
    "typed": "typed",
    "unreadable": "unreadable",
    "pending": "pending",
    "tried": "typed",
    "right": "right",
    "used": "typed",
}


@dataclass(frozen=True)
class PlaceView:
    """One place in the list of items: its row, and how it stands in words."""

    row: PlaceRow
    words: str
    icon: str
    best: str


def attempt_context(request: HttpRequest, attempt: Attempt, standing: Standing) -> dict[str, Any]:
    """What every page of an attempt shows. Four queries at most."""
    rows = [_place(row, standing) for row in places_in(attempt, standing.rules, tells=standing.tells)]
    now = clock.now()
    return {
        "attempt": attempt,
        "problem_set": attempt.problem_set,
        "course": attempt.problem_set.course,
        "zone": standing.rules.time_zone,
        "standing": standing,
        "rules": standing.rules,
        "places": rows,
        "unanswered": [each for each in rows if each.row.state in ("blank", "partly", "unreadable")],
        "is_late": phase(standing.rules, now) == "late",
        "now": now,
        "page_id": uuid.uuid4().hex,
        "score": percent(attempt.score, threshold=standing.rules.pass_mark)
        if standing.tells and attempt.score is not None
        else "",
    }


def overview_context(request: HttpRequest, attempt: Attempt) -> dict[str, Any]:
    """The page of a whole attempt. Eight queries at most."""
    standing = standing_of(attempt)
    context = attempt_context(request, attempt, standing)
    drafts = late_drafts(attempt)
    ends = [moment for moment in (attempt.ends_at, attempt.handed_in_at) if moment is not None]
    return {
        **context,
        # Nothing more was taken since the earlier of both.
        "ended_at": min(ends, default=None),
        "set_aside": places_with_asides(attempt) if standing.is_open else [],
        "late": [
            (place, _late_lines(place.row, drafts[place.row.position].answers))
            for place in context["places"]
            if place.row.position in drafts
        ],
    }


def item_context(
    request: HttpRequest,
    item: AttemptItem,
    *,
    typed: Answers | None = None,
    which: int = 0,
    **more: Any,
) -> dict[str, Any]:
    """The page of one place. ``typed`` is what the boxes hold, else what was saved last; ``which`` is the number of one
    of its variants to look back at, 0 is the one that is open. A constant number of queries."""
    standing = standing_of(item.attempt)
    context = attempt_context(request, item.attempt, standing)
    place: PlaceView = next(each for each in context["places"] if each.row.position == item.position)
    variant = _variant(place.row, which, standing)
    is_open = standing.is_open and variant == place.row.variant
    shelf = from_shelf(request, item, variant) if is_open and typed is None else None
    boxes = {**_saved(item, variant), **(shelf.answers if shelf else {}), **(typed or {})}
    past = queries.history(variant)
    is_used = _is_used(standing.rules, past)
    return {
        **context,
        **_work(request, variant, boxes, past, standing),
        **_tries(place.row, standing),
        "item": item,
        "here": f"Item {item.position}",
        "place": place,
        "variant": variant,
        "is_open": is_open,
        "is_locked": not is_open or is_used,
        "is_used": is_used,
        "based_on": shelf.based_on if shelf else item.saved_version,
        "typed_was_kept": shelf is not None,
        "offered": [(row, _late_lines(place.row, row.answers)) for row in offered(item)] if is_open else [],
        "locale": locale_of(request),
        "following": next((each for each in context["places"] if each.row.position == item.position + 1), None),
        **more,
    }


def _is_used(rules: Rules, past: list[queries.Past]) -> bool:
    """Whether a variant had its try where each try has a variant of its own."""
    counting = [sent for sent in past if sent.submission.state != Submission.State.UNGRADABLE]
    return rules.mode == "quiz" and rules.retry == "new" and bool(counting)


def _variant(row: PlaceRow, which: int, standing: Standing) -> Variant:
    """The variant that is looked at: an earlier one only once its results may be told."""
    if standing.tells and 0 < which <= len(row.variants):
        return row.variants[which - 1]
    return row.variant


def _saved(item: AttemptItem, variant: Variant) -> Answers:
    saved: Mapping[str, Any] = item.saved or {}
    if saved.get("variant") == str(variant.public_id):
        return dict(saved.get("answers", {}))
    last = queries.history(variant, limit=1)
    return dict(last[0].submission.answers) if last else {}


def _work(
    request: HttpRequest, variant: Variant, boxes: Answers, past: list[queries.Past], standing: Standing
) -> dict[str, Any]:
    """What is given, the steps with what stands in their boxes, and of what came of them what may be told."""
    shown, told = queries.shown(variant), past if standing.tells else []
    marks = queries.marks_of(variant) if standing.tells else {}
    steps = step_views(
        variant,
        shown.fields,
        standings=marks,
        blanks=blanks_of(told, optional={field.step for field in shown.fields if field.optional}),
        typed=boxes,
        judged=judged_of(told),
        hints_taken=queries.hints_taken(variant) if standing.rules.hints else {},
        locale=locale_of(request),
        is_over=bool(standing.over),
    )
    figure = queries.figure_of(variant, marks)
    return {
        "shown": shown,
        "figure": draw(figure.kind, figure.data) if figure and has_content(figure.kind, figure.data) else None,
        "solution": solution_for(problem_of(variant), variant.parameters) if standing.solves else None,
        "steps": steps,
        "has_boxes": any(step.boxes for step in steps),
        "past": [sent_view(sent, shown.fields) for sent in told],
        "pending": next((sent.submission for sent in past if sent.submission.state == Submission.State.PENDING), None),
    }


def _tries(row: PlaceRow, standing: Standing) -> dict[str, Any]:
    """Where a quiz stands at this place: which try is next and what it is worth."""
    worth = standing.rules.credits
    number = row.tries + 1
    is_left = standing.is_open and standing.rules.mode == "quiz" and number <= len(worth)
    done = row.state == "right" and standing.tells
    # With a new variant for each try, one that was tried takes no other: what comes next is another variant.
    is_used = standing.rules.retry == "new" and len(row.variants) <= row.tries
    keeps = late_share(standing.rules, clock.now()) if standing.is_open else Fraction(1)
    is_next = is_left and not done and row.state != "pending"
    return {
        "try_number": number,
        "tries_in_all": len(worth),
        "try_worth": percent(worth[number - 1]) if is_left else "",
        "late_keeps": percent(keeps) if keeps != 1 else "",
        "may_check": is_next and not is_used,
        "may_draw": is_next and is_used,
        "weighs": "" if row.weight == 1 else _weight(row.weight),
    }


def _place(row: PlaceRow, standing: Standing) -> PlaceView:
    words, icon = STATES[row.state], ICONS[row.state]
    if standing.over and row.state in ("blank", "partly", "typed", "unreadable"):
        words = "nothing handed in" if row.tries == 0 else "handed in"
    elif row.state in ("pending", "tried", "used") and not standing.tells and standing.over:
        words, icon = "handed in", ICONS["typed"]
    elif row.state in ("tried", "used") and not standing.tells:
        words = "stored"
    elif row.state in ("tried", "used") and standing.over:
        words = "marked"
    return PlaceView(row, words, icon, percent(row.best) if row.best is not None else "")


def _late_lines(row: PlaceRow, answers: Answers) -> list[tuple[str, str]]:
    """Typed text by question, for reading."""
    asks = {field.step: field.ask for field in queries.shown(row.variant).fields}
    return [
        (asks[step], ", ".join(typed) if isinstance(typed, list) else typed)
        for step, typed in answers.items()
        if step in asks and (any(typed) if isinstance(typed, list) else typed)
    ]


def _weight(weight: Fraction) -> str:
    return str(weight.numerator) if weight.denominator == 1 else f"{float(weight):g}"
