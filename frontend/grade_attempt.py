"""One attempt as those who teach see it: what was shown and typed, how it was marked, what counts, and what can be
decided about it."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from exercises import queries
from exercises.courses.item_scoring import decisions_of
from exercises.courses.scoring import Decisions, StepMark, percent
from exercises.figures import draw, has_content
from exercises.figures.canvas import Drawing
from exercises.loading import asked_in
from exercises.models import (
    Attempt,
    AttemptItem,
    Enrolment,
    Grading,
    Override,
    Ruling,
    SavedAnswer,
    Submission,
    Variant,
)
from exercises.queries.graded_attempt import Judged, ShownPlace, ShownVariant
from exercises.refusals import ProblemBroken
from frontend.marks import MarkView, mark_view
from frontend.solution import Solution, solution_for
from frontend.typeset import typeset_inline
from grader.errors import ParameterError
from grader.verdict import OWN_NOTES, Mark
from grader.wording import Field, figure_data, statement


@dataclass(frozen=True)
class Way:
    """Something that can be decided from here."""

    words: str
    address: str


@dataclass(frozen=True)
class Line:
    """One step of one try: what was typed, its mark, the note of it, and what it counts where that is decided."""

    step: str
    ask: str
    typed: str
    mark: MarkView | None
    note: str
    credit: str
    counted: str
    ways: tuple[Way, ...]


@dataclass(frozen=True)
class Judgement:
    """One verdict about an answer: when, by which version, and the regrade that it comes from, if it does."""

    at: dt.datetime
    version: int
    score: str
    words: str
    regrade: str


@dataclass(frozen=True)
class Try:
    """One answer that was sent. ``version`` is the one that judged it; ``judgements`` are all of them, the one that
    counts last, where there is more than one."""

    at: dt.datetime
    state: str
    failure: str
    score: str
    entered_by: str
    lines: tuple[Line, ...]
    version: int | None = None
    judgements: tuple[Judgement, ...] = ()


@dataclass(frozen=True)
class VariantPage:
    """A variant as shown, with its solution for those who teach; ``broken`` says why it cannot be shown."""

    variant: Variant
    statement: str
    figure: Drawing | None
    solution: Solution | None
    tries: tuple[Try, ...]
    compensate: Way | None
    broken: str = ""


@dataclass(frozen=True)
class Place:
    """One place of the attempt; ``earlier`` variants of it are not shown."""

    row: AttemptItem
    variants: tuple[VariantPage, ...]
    earlier: int
    aside: tuple[tuple[SavedAnswer, str], ...]
    boxes: str
    override: Way | None
    by_hand: str


class _Deciding:
    """What holds, and where more is decided: of one attempt."""

    def __init__(
        self,
        attempt: Attempt,
        whose: Enrolment | None,
        overrides: Sequence[Override],
        rulings: Sequence[Ruling],
        *,
        may_grade: bool,
    ) -> None:
        self.attempt, self.whose, self.may_grade = attempt, whose, may_grade
        self.by_hand: Mapping[tuple[int | None, str], Fraction] = {
            (row.item_id, row.step): row.share for row in overrides
        }
        self.rulings = [row for row in rulings if row.withdrawn_at is None]

    def decisions(self, item: int, digest: str) -> Decisions:
        """What is decided about the steps of a variant of an item."""
        own = [row for row in self.rulings if row.item_id == item]
        return decisions_of(
            ((row.kind, row.step, row.note, row.read_as, row.digest) for row in own),
            digest=digest,
            overridden={step: share for (place, step), share in self.by_hand.items() if place == item and step},
        )

    def by_hand_way(self, words: str, **where: Any) -> tuple[Way, ...]:
        """To a score by hand, for who may and as long as the learner is on the roster."""
        if not self.may_grade or self.whose is None:
            return ()
        address = reverse("frontend:grade-override", args=[self.attempt.problem_set.public_id, self.whose.pk])
        return (Way(words, self._with(address, **where)),)

    def for_all(self, words: str, **what: Any) -> tuple[Way, ...]:
        """To a decision for everybody, for who may."""
        if not self.may_grade:
            return ()
        address = reverse("frontend:ruling-new", args=[self.attempt.problem_set.public_id])
        return (Way(words, self._with(address, **what)),)

    def _with(self, address: str, **said: Any) -> str:
        return f"{address}?{urlencode({**said, 'attempt': self.attempt.public_id})}"


def attempt_page(
    attempt: Attempt,
    whose: Enrolment | None,
    places: Sequence[ShownPlace],
    overrides: Sequence[Override],
    rulings: Sequence[Ruling],
    *,
    may_grade: bool,
) -> list[Place]:
    """Every place of an attempt for its page. No query."""
    deciding = _Deciding(attempt, whose, overrides, rulings, may_grade=may_grade)
    return [_place(place, deciding) for place in places]


def _place(shown: ShownPlace, deciding: _Deciding) -> Place:
    row = shown.place
    by_hand = deciding.by_hand.get((row.item_id, ""))
    ways = deciding.by_hand_way("Score of this item by hand", item=row.item_id)
    is_open = deciding.attempt.handed_in_at is None
    return Place(
        row=row,
        variants=tuple(_variant(one, row, deciding) for one in shown.variants),
        earlier=shown.earlier,
        aside=tuple((saved, _answers(saved.answers)) for saved in shown.aside),
        boxes=_answers(row.saved.get("answers", {})) if is_open and row.saved else "",
        override=ways[0] if ways else None,
        by_hand="" if by_hand is None else percent(by_hand),
    )


def _variant(shown: ShownVariant, row: AttemptItem, deciding: _Deciding) -> VariantPage:
    variant = shown.variant
    compensate = deciding.for_all("Compensate this variant", item=row.item_id, kind="compensate", digest=variant.digest)
    try:
        problem = asked_in(variant)
        fields = {field.step: field for field in queries.shown(variant).fields}
        steps = {step.name for step in problem.steps}
        figure = figure_data(problem, variant.parameters, steps)
        said = statement(problem, variant.parameters)
        solution = solution_for(problem, variant.parameters)
    except (ProblemBroken, ParameterError) as error:
        said, figure, solution, fields = "", None, None, {}
        broken = getattr(error, "message", "") or "This variant can no longer be read."
    else:
        broken = ""
    return VariantPage(
        variant=variant,
        statement=said,
        figure=draw(figure.kind, figure.data) if figure and has_content(figure.kind, figure.data) else None,
        solution=solution,
        tries=tuple(_try(past, variant, row, fields, deciding) for past in shown.tries),
        compensate=compensate[0] if compensate and variant.digest else None,
        broken=broken,
    )


def _try(past: Judged, variant: Variant, row: AttemptItem, fields: Mapping[str, Field], deciding: _Deciding) -> Try:
    marks = {mark.step: mark for mark in past.verdict.marks} if past.verdict else {}
    sent: Submission = past.submission
    names = [name for name in fields if name in marks or name in sent.answers]
    names += [name for name in (*marks, *sent.answers) if name not in fields and name not in names]
    decided = deciding.decisions(row.item_id, variant.digest)
    lines = tuple(
        _line(name, sent.answers.get(name, ""), marks.get(name), fields.get(name), decided, row, variant, deciding)
        for name in dict.fromkeys(names)
    )
    return Try(
        at=sent.created_at,
        state=sent.state,
        failure=sent.failure,
        score=percent(past.verdict.score) if past.verdict else "",
        entered_by=sent.entered_by.get_username() if sent.entered_by else "",
        lines=lines,
        version=past.judgements[-1].version.number if past.judgements else None,
        judgements=tuple(map(_judgement, past.judgements)) if len(past.judgements) > 1 else (),
    )


_REASONS = {
    Grading.Reason.FIRST: "first",
    Grading.Reason.REGRADE: "by a regrade",
    Grading.Reason.UNDO: "as before a regrade that was undone",
}


def _judgement(row: Grading) -> Judgement:
    return Judgement(
        at=row.created_at,
        version=row.version.number,
        score=percent(row.score),
        words=_REASONS[Grading.Reason(row.reason)],
        regrade=reverse("frontend:regrade", args=[row.event.public_id]) if row.event else "",
    )


def _line(
    name: str,
    typed: Any,
    mark: Mark | None,
    asked: Field | None,
    decided: Decisions,
    row: AttemptItem,
    variant: Variant,
    deciding: _Deciding,
) -> Line:
    return Line(
        step=name,
        ask=asked.ask if asked else name,
        typed=_typed(typed, asked),
        mark=mark_view(mark, kind=asked.kind if asked else "number") if mark else None,
        note=mark.note if mark else "",
        credit=percent(mark.credit) if mark else "",
        counted=_counted(mark, decided) if mark else "",
        ways=_ways(mark, row, variant, deciding) if mark else (),
    )


def _counted(mark: Mark, decided: Decisions) -> str:
    """What a mark counts, where people decided otherwise than the grader; empty where they did not."""
    if mark.step in decided.discounted:
        return "Counts for nobody: this part is discounted."
    if mark.step in decided.overridden:
        return f"Counts {percent(decided.overridden[mark.step])}: set by hand."
    plain = StepMark(mark.step, Fraction(1), mark.credit, mark.note, mark.read_as)
    credit = decided.credit_of(plain)
    return "" if credit == mark.credit else f"Counts {percent(credit)}: accepted for all."


def _ways(mark: Mark, row: AttemptItem, variant: Variant, deciding: _Deciding) -> tuple[Way, ...]:
    """What can be decided from a mark."""
    at = {"item": row.item_id, "step": mark.step}
    ways = deciding.by_hand_way("Set this credit by hand", **at)
    is_answer = mark.outcome not in ("blank", "unreadable") and mark.credit < 1
    if is_answer and mark.note and mark.note not in OWN_NOTES:
        ways += deciding.for_all(f"Accept {mark.note} for all", kind="accept", note=mark.note, **at)
    if is_answer and mark.read_as and variant.digest:
        answer = {"read_as": mark.read_as, "digest": variant.digest}
        ways += deciding.for_all("Accept this very answer for all", kind="accept", **at, **answer)
    return ways + deciding.for_all("Discount this part for all", kind="discount", **at)


def _typed(typed: Any, asked: Field | None) -> str:
    """What was typed, as HTML; what was chosen by its words."""
    names = dict(asked.options) if asked else {}
    texts = typed if isinstance(typed, list) else [typed]
    return typeset_inline("; ".join(names[text] for text in texts if text in names)) if names else _plain(texts)


def _plain(texts: Sequence[Any]) -> str:
    return ", ".join(str(text) or "–" for text in texts)


def _answers(answers: Mapping[str, Any]) -> str:
    """What stands in boxes, in one line of text."""
    said = ((name, _plain(typed if isinstance(typed, list) else [typed])) for name, typed in answers.items() if typed)
    return "; ".join(f"{name}: {text}" for name, text in said)
