"""What an export tells of practice, courses and flashcards: one function for each of its files."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.db.models import Prefetch

from exercises.actions.privacy.batches import in_batches
from exercises.actions.privacy.withholding import Withheld, without
from exercises.models import (
    Attempt,
    AttemptItem,
    AuditEntry,
    CardMemory,
    CardTurn,
    DailySession,
    Enrolment,
    Event,
    Evidence,
    Extension,
    FaultReport,
    Grading,
    Mastery,
    Override,
    Review,
    StudyPlan,
    Submission,
    User,
    Variant,
)

Rows = Iterator[dict[str, Any]]
#: In place of marks and scores that are not released.
LATER = "told once the results are released"
TEACHES = "somebody who teaches"
#: Of an event or a deed about a set whose results are not released.
_RESULTS = ("score", "before", "after", "about", "late_days")


def courses(person: User, _: Withheld) -> Rows:
    for row in Enrolment.objects.filter(user=person).select_related("course").prefetch_related("groups").order_by("pk"):
        yield {
            "course": str(row.course), "role": row.role, "name": row.name, "external_id": row.external_id,
            "time_factor": row.time_factor, "groups": [group.name for group in row.groups.all()],
            "since": row.created_at, "left": row.dropped_at,
        }  # fmt: skip


def attempts(person: User, withheld: Withheld) -> Rows:
    saves = Prefetch("items", queryset=AttemptItem.objects.order_by("position").prefetch_related("saves"))
    rows = Attempt.objects.filter(learner=person).select_related("problem_set__course").prefetch_related(saves)
    for batch in in_batches(rows, 20):
        for row in batch:
            is_hidden = withheld.hides(row.pk)
            yield {
                "attempt": row.public_id, "course": str(row.problem_set.course), "set": row.problem_set.title,
                "number": row.number, "is_preview": row.is_preview, "began_at": row.began_at, "ends_at": row.ends_at,
                "handed_in_at": row.handed_in_at, "handed_in_by": row.handed_in_by,
                "counts_as_handed_in_at": row.count_as_at, "receipt": row.receipt, "late_days": row.late_days,
                "score": LATER if is_hidden else _text(row.score),
                "places": [_place(place, is_hidden) for place in row.items.all()],
            }  # fmt: skip


def _place(place: AttemptItem, is_hidden: bool) -> dict[str, Any]:
    return {
        "position": place.position, "weight": place.weight, "tries": place.tries,
        "score": LATER if is_hidden else _text(place.score), "in_the_boxes": place.saved.get("answers", place.saved),
        "saved": [{"at": one.at, "answers": one.answers, "set_aside": one.aside} for one in place.saves.all()],
    }  # fmt: skip


def variants(person: User, withheld: Withheld) -> Rows:
    rows = Variant.objects.filter(learner=person).select_related("problem", "attempt_item__attempt__problem_set")
    for batch in in_batches(rows.select_related("forecast").prefetch_related("hint_uses")):
        for row in batch:
            expected = getattr(row, "forecast", None)
            yield {
                "variant": row.public_id, "problem": row.problem.slug, "number": row.number, "drawn_at": row.created_at,
                "attempt": row.attempt_item.attempt.public_id if row.attempt_item else None,
                "numbers": row.parameters if withheld.shows_solution(row) else "told once the solution was shown",
                "solution_shown_at": row.revealed_at, "asked_whole_at": row.scaffolded_at, "in_the_boxes": row.draft,
                "forecast": expected.text if expected else None,
                "hints": [{"step": use.step, "at": use.created_at, "text": use.text} for use in row.hint_uses.all()],
            }  # fmt: skip


def submissions(person: User, withheld: Withheld) -> Rows:
    rows = Submission.objects.filter(author=person).select_related("variant__problem", "variant__attempt_item")
    for batch in in_batches(rows):
        verdicts = _verdicts(batch)
        for row in batch:
            place = row.variant.attempt_item
            is_hidden = withheld.hides(place.attempt_id if place else None)
            yield {
                "submission": row.public_id, "variant": row.variant.public_id, "problem": row.variant.problem.slug,
                "at": row.created_at, "answers": row.answers, "checked": row.checked, "locale": row.locale,
                "state": row.state, "entered_by": _who(row.entered_by_id, person, nobody=""),
                "verdicts": LATER if is_hidden else verdicts[row.pk],
            }  # fmt: skip


def _verdicts(batch: list[Submission]) -> dict[int, list[dict[str, Any]]]:
    """The verdicts on each of these, the latest last. As plain data: rows that know each other stay for long."""
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    rows = Grading.objects.filter(submission__any_of=[row.pk for row in batch]).order_by("pk")
    for pk, at, reason, verdict in rows.values_list("submission_id", "created_at", "reason", "verdict"):
        found[pk].append({"at": at, "reason": reason, "score": verdict["score"], "marks": verdict["marks"]})
    return found


def evidence(person: User, withheld: Withheld) -> Rows:
    rows = Evidence.objects.filter(learner=person).select_related("problem", "variant__attempt_item")
    for batch in in_batches(rows):
        for row in batch:
            place = row.variant.attempt_item
            if not withheld.hides(place.attempt_id if place else None):
                yield {
                    "variant": row.variant.public_id, "problem": row.problem.slug, "step": row.step, "skill": row.skill,
                    "revision": row.revision, "closed_at": row.closed_at, "closed_by": row.reason, "tries": row.tries,
                    "hints": row.hints, "correctness": row.correctness, "strength": row.e, "weight": row.w,
                    "predicted": row.predicted, "named_mistakes": row.notes,
                }  # fmt: skip


def mastery(person: User, _: Withheld) -> Rows:
    # The first variant is a number that only the tables know.
    hidden = ("id", "learner", "first_variant")
    fields = [one.name for one in Mastery.objects.all().query.get_meta().concrete_fields if one.name not in hidden]
    yield from Mastery.objects.filter(learner=person).order_by("skill").values(*fields)


def fault_reports(person: User, _: Withheld) -> Rows:
    for batch in in_batches(FaultReport.objects.filter(learner=person).select_related("variant__problem")):
        for row in batch:
            yield {
                "at": row.created_at, "problem": row.variant.problem.slug, "variant": row.variant.public_id,
                "text": row.text, "reply": row.reply, "settled_at": row.settled_at,
                "settled_by": _who(row.settled_by_id, person, nobody=""),
            }  # fmt: skip


def scores_by_hand(person: User, withheld: Withheld) -> Rows:
    rows = Override.objects.filter(learner=person).select_related("problem_set__course", "item")
    for row in rows.order_by("pk"):
        is_hidden = withheld.hides_set(row.problem_set_id)
        yield {
            "course": str(row.problem_set.course), "set": row.problem_set.title, "step": row.step,
            "item": row.item.position if row.item else None, "score": LATER if is_hidden else row.score,
            "reason": LATER if is_hidden else row.reason, "given_by": _who(row.given_by_id, person),
            "at": row.created_at, "taken_back_at": row.withdrawn_at,
        }  # fmt: skip


def extensions(person: User, _: Withheld) -> Rows:
    for row in Extension.objects.filter(learner=person).select_related("problem_set__course").order_by("pk"):
        yield {
            "course": str(row.problem_set.course), "set": row.problem_set.title, "opens_at": row.opens_at,
            "due_at": row.due_at, "closes_at": row.closes_at, "time_limit": row.time_limit, "attempts": row.attempts,
            "reason": row.reason, "given_by": _who(row.given_by_id, person), "at": row.created_at,
        }  # fmt: skip


def audit(person: User, withheld: Withheld) -> Rows:
    for batch in in_batches(AuditEntry.objects.filter(learner=person).select_related("course", "problem_set")):
        for row in batch:
            said: dict[str, Any] = {
                "at": row.at, "course": str(row.course), "deed": row.deed, "about": row.about, "before": row.before,
                "after": row.after, "reason": row.reason, "by": _who(row.actor_id, person),
                "set": row.problem_set.title if row.problem_set else None,
            }  # fmt: skip
            yield without(said, (*_RESULTS, "reason")) if withheld.hides_set(row.problem_set_id) else said


def events(person: User, _: Withheld) -> Rows:
    for batch in in_batches(Event.objects.filter(learner=person).select_related("course")):
        for row in batch:
            yield {
                "at": row.at, "course": str(row.course), "kind": row.kind, "event": row.public_id,
                "by": _who(row.actor_id, person), "data": without(row.data, (*_RESULTS, "reason")),
            }  # fmt: skip


def plan(person: User, _: Withheld) -> Rows:
    for row in StudyPlan.objects.filter(learner=person):
        yield {
            "time_zone": row.time_zone, "exam_on": row.exam_on, "goal": row.goal,
            "new_cards_a_day": row.new_cards_a_day,
        }  # fmt: skip


def sessions(person: User, _: Withheld) -> Rows:
    rows = DailySession.objects.filter(learner=person).prefetch_related("items__problem", "items__variant")
    for batch in in_batches(rows, 100):
        for row in batch:
            items = [
                {
                    "kind": one.kind, "skill": one.skill, "problem": one.problem.slug, "reason": one.reason,
                    "variant": one.variant.public_id if one.variant else None,
                }
                for one in row.items.all()
            ]  # fmt: skip
            yield {"day": row.study_day, "put_together_at": row.created_at, "items": items}


def cards(person: User, _: Withheld) -> Rows:
    for batch in in_batches(CardMemory.objects.filter(learner=person).select_related("card__deck")):
        for row in batch:
            yield {
                "deck": row.card.deck.slug, "card": row.card.key, "stability": row.stability, "lapses": row.lapses,
                "difficulty": row.difficulty, "reviewed_on": row.reviewed_on, "reviews": row.reviews,
                "due_on": row.due_on, "suspended_at": row.suspended_at, "leech_since": row.leech_since,
            }  # fmt: skip


def card_turns(person: User, _: Withheld) -> Rows:
    """Never what is on the card: of one that is open the back would be."""
    for batch in in_batches(CardTurn.objects.filter(learner=person).select_related("card__deck")):
        for row in batch:
            yield {
                "deck": row.card.deck.slug, "card": row.card.key, "opened_at": row.opened_at, "shown_at": row.shown_at,
                "closed_at": row.closed_at, "hinted": row.hinted, "typed": row.tries, "could_not_be_read": row.unread,
            }  # fmt: skip


def reviews(person: User, _: Withheld) -> Rows:
    for batch in in_batches(Review.objects.filter(learner=person).select_related("card__deck")):
        for row in batch:
            yield {
                "deck": row.card.deck.slug, "card": row.card.key, "rating": row.rating, "at": row.at,
                "day": row.study_day, "before": row.before, "after": row.after, "undone_at": row.undone_at,
            }  # fmt: skip


def _text(score: Any) -> str | None:
    """An exact fraction in text."""
    return None if score is None else str(score)


def _who(actor: int | None, person: User, nobody: str = "the service") -> str:
    """Who did something, without a name."""
    if actor is None:
        return nobody
    return "you" if actor == person.pk else TEACHES
