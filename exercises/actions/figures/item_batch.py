"""The figures of the items of a set: a fold over its attempts, some hundred places at a time."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db.models import Min

from exercises.courses.item_tally import FirstTry, Tally, report_of
from exercises.courses.rights import Right, roles_with
from exercises.courses.statistics import rests
from exercises.loading import problem_of
from exercises.models import (
    Attempt,
    AttemptItem,
    Enrolment,
    Evidence,
    Figures,
    Grading,
    HintUse,
    ProblemSet,
    SetItem,
    Submission,
    Variant,
)
from exercises.queries.marks import share_of
from exercises.refusals import ProblemBroken
from exercises.stored import that_count
from grader.answers import read_answer
from grader.problem import Problem
from grader.solution import solve
from grader.verdict import Mark, Verdict

#: Places of attempts that are looked at together.
PLACES = 200
#: Of a step that no note explains, answers that are compared with the key of their variant, for each place.
MOST_COMPARED = 3


@dataclass
class _Place:
    """One learner at one item: the variant they had first, and what they sent there, in order."""

    item: AttemptItem
    variant: Variant
    sent: list[Submission] = field(default_factory=list)
    verdicts: dict[int, Verdict] = field(default_factory=dict)
    aided_at: dt.datetime | None = None
    # When anything was sent in the same attempt.
    moments: list[dt.datetime] = field(default_factory=list)


def item_batch(row: Figures, work: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """One batch: the work so far in, the work after it out, with the figures once nothing is left. Ten queries."""
    if row.problem_set is None:
        raise ValueError("Figures of items are figures of a set.")
    tallies = {int(pk): Tally.from_json(data) for pk, data in work.get("tallies", {}).items()}
    items = _next_places(row.problem_set, work.get("reached", 0))
    for place in _places(items):
        if (first := _first_try(place, row.problem_set)) is not None:
            tallies.setdefault(place.item.item_id, Tally()).take(first)
    _take_surprises(items, tallies)
    if len(items) == PLACES:
        kept = {str(pk): tally.to_json() for pk, tally in tallies.items()}
        return {"reached": items[-1].pk, "tallies": kept}, None
    return {}, _figures(row.problem_set, tallies)


def _next_places(problem_set: ProblemSet, reached: int) -> list[AttemptItem]:
    """The next places of first attempts, of who is in the course and learns there; previews are in nothing."""
    learners = Enrolment.objects.filter(
        course=problem_set.course_id, dropped_at=None, role__in=roles_with(Right.SIT)
    ).values("user")
    rows = AttemptItem.objects.filter(
        pk__gt=reached,
        attempt__problem_set=problem_set,
        attempt__is_preview=False,
        attempt__number=1,
        attempt__learner__in=learners,
    )
    return list(rows.select_related("attempt").defer("saved").order_by("pk")[:PLACES])


def _moments(items: Iterable[AttemptItem]) -> Mapping[int, list[dt.datetime]]:
    """When something was sent, by attempt, in order. One query."""
    found: dict[int, list[dt.datetime]] = defaultdict(list)
    attempts = {item.attempt_id for item in items}
    rows = Submission.objects.filter(variant__attempt_item__attempt__in=attempts).order_by("created_at")
    for attempt, at in rows.values_list("variant__attempt_item__attempt_id", "created_at"):
        found[attempt].append(at)
    return found


def _places(items: Iterable[AttemptItem]) -> list[_Place]:
    """The places at which something was marked, with their first variant. Five queries."""
    by_pk = {item.pk: item for item in items}
    # Looked up before they are read: of endless practice there may be hundreds at each.
    first = Variant.objects.filter(attempt_item__in=by_pk).order_by().values("attempt_item").annotate(first=Min("pk"))
    rows = Variant.objects.filter(pk__in=first.values("first")).select_related("version", "problem")
    found = {row.pk: _Place(by_pk[row.attempt_item_id or 0], row) for row in rows.order_by("pk")}
    sent = Submission.objects.filter(variant__any_of=list(found), state=Submission.State.GRADED)
    for submission in sent.order_by("created_at", "pk"):
        found[submission.variant_id].sent.append(submission)
    gradings = Grading.objects.filter(submission__variant__any_of=list(found)).order_by("pk")
    for of, submission_pk, verdict in gradings.values_list("submission__variant_id", "submission_id", "verdict"):
        found[of].verdicts[submission_pk] = Verdict.from_json(verdict)
    for of, at in HintUse.objects.filter(variant__in=list(found)).values_list("variant_id", "created_at"):
        aided_at = found[of].aided_at
        found[of].aided_at = at if aided_at is None else min(aided_at, at)
    moments = _moments(items)
    for place in found.values():
        place.moments = moments[place.item.attempt_id]
    return [place for place in found.values() if place.verdicts]


def _first_try(place: _Place, problem_set: ProblemSet) -> FirstTry | None:
    """What was done first there; None where the problem can no longer be read."""
    try:
        problem = problem_of(place.variant)
    except ProblemBroken:
        return None
    sent = [one for one in place.sent if one.pk in place.verdicts]
    # In practice a step is checked at a time; in a quiz or an exam the first answer is the whole first try.
    looked_at = sent if problem_set.mode == ProblemSet.Mode.PRACTICE else sent[:1]
    marks: dict[str, tuple[Mark, Submission]] = {}
    for submission in looked_at:
        for mark in place.verdicts[submission.pk].marks:
            if mark.outcome not in ("blank", "unreadable"):
                marks.setdefault(mark.step, (mark, submission))
    if not marks:
        return None
    return FirstTry(
        learner=place.item.attempt.learner_id,
        variant=place.variant.digest,
        share=float(share_of(problem, {step: mark.credit for step, (mark, _) in marks.items()})),
        tries=place.item.tries,
        seconds=_seconds(place, sent[0], problem_set),
        is_aided=place.aided_at is not None and place.aided_at < sent[0].created_at,
        marks=[
            (step.name, marks[step.name][0].outcome, marks[step.name][0].note)
            for step in problem.asked
            if step.name in marks
        ],
        active=place.variant.active,
        wrong=_unexplained(problem, place.variant, marks),
    )


def _seconds(place: _Place, first: Submission, problem_set: ProblemSet) -> float | None:
    """From the answer before, or the begin of the attempt, to the first answer here. Only in a quiz that was sat here:
    an exam is handed in as a whole, practice is left and taken up again, and paper tells nothing."""
    is_paper = place.item.attempt.handed_in_by == Attempt.HandedInBy.STAFF
    if problem_set.mode != ProblemSet.Mode.QUIZ or is_paper:
        return None
    before = max((at for at in place.moments if at < first.created_at), default=place.item.attempt.began_at)
    return max(0.0, (first.created_at - before).total_seconds())


def _unexplained(
    problem: Problem, variant: Variant, marks: Mapping[str, tuple[Mark, Submission]]
) -> list[tuple[str, float, float]]:
    """Wrong numbers without a note, each with the key of its variant."""
    wrong = [
        (problem.step(name), submission)
        for name, (mark, submission) in marks.items()
        if mark.outcome == "wrong" and not mark.note and problem.step(name).kind == "number"
    ][:MOST_COMPARED]
    if not wrong:
        return []
    keys = solve(problem, variant.parameters).values
    found = []
    for step, submission in wrong:
        typed = submission.answers.get(step.name, "")
        value = read_answer(problem, variant.parameters, step.name, typed, submission.locale).value
        key = keys[step.name]
        if isinstance(value, int | float) and isinstance(key, int | float):
            found.append((step.name, float(value), float(key)))
    return found


def _take_surprises(items: Iterable[AttemptItem], tallies: Mapping[int, Tally]) -> None:
    """What first unaided tries showed, against what was foreseen of their learners. One query."""
    rows = that_count(Evidence.objects.filter(variant__attempt_item__in=[item.pk for item in items], w=1, hints=0))
    rows = rows.exclude(reason=Evidence.Reason.VOID).filter(tries__gt=0)
    for item, digest, e, foreseen in rows.order_by().values_list(
        "variant__attempt_item__item_id", "variant__digest", "e", "predicted"
    ):
        if item in tallies:
            tallies[item].surprise(digest, e, foreseen)


def _figures(problem_set: ProblemSet, tallies: Mapping[int, Tally]) -> dict[str, Any]:
    items = {item.pk: item for item in SetItem.objects.filter(pk__in=tallies).select_related("pool")}
    weights = {pk: float(item.share) for pk, item in items.items()}
    rest = rests({pk: tally.scores for pk, tally in tallies.items()}, weights)
    found = {str(pk): asdict(report_of(tally, rest[pk])) for pk, tally in tallies.items() if pk in items}
    learners = {learner for tally in tallies.values() for learner in tally.tries}
    return {"learners": len(learners), "items": found, "mode": problem_set.mode}
