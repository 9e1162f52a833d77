"""Entering what somebody wrote on a printed copy: it becomes an attempt of theirs, marked as any other."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max

from exercises import clock
from exercises.actions.audit import noted
from exercises.actions.draw import RACES, digest_of
from exercises.actions.paper.refusals import PaperRefused
from exercises.actions.scores import keep_scores, keep_shown
from exercises.actions.typed import Answers, clean_answers, clean_locale, fingerprint, read_all
from exercises.actions.wake import wake_worker
from exercises.loading import loaded, problem_of
from exercises.models import Attempt, AttemptItem, Enrolment, PaperCopy, ProblemVersion, Submission, User, Variant
from grader.solution import active_mistakes

#: What was entered, by place on the sheet from 1 and by step.
Written = Mapping[int, Mapping[str, Any]]
#: By primary key, with their problems.
Versions = Mapping[int, ProblemVersion]


def enter_paper(
    *,
    copy: PaperCopy,
    learner: User,
    answers: Written,
    entered_by: User,
    written_at: dt.datetime | None = None,
    locale: str = "en",
) -> Attempt:
    """Hand in what ``learner`` wrote on a copy. Entered again for the same learner, it corrects what was entered
    before: the latest counts, and an exercise all of whose boxes are emptied counts as left out.

    It counts as handed in at ``written_at``, if given, whenever it is entered; else, entered for the first time, now,
    or when the set was due if that is past: it was written in class. Marking follows as for every answer.
    ``copy`` comes with run, set and course. Raises PaperRefused where the copy is somebody else's already, or its
    learner is not in the course, and AnswersRefused for what is no answer to a problem on it.
    """
    with transaction.atomic():
        attempt = entered(
            copy=copy, learner=learner, answers=answers, entered_by=entered_by, written_at=written_at, locale=locale
        )
        keep_entered([attempt.pk])
    copy.attempt = attempt
    return attempt


def entered(
    *,
    copy: PaperCopy,
    learner: User,
    answers: Written,
    entered_by: User,
    written_at: dt.datetime | None,
    locale: str,
) -> Attempt:
    """``enter_paper`` inside the caller's transaction, without what ``keep_entered`` does for many at once."""
    now = clock.now()
    if written_at is not None and written_at > now:
        raise PaperRefused("It was written in the future: look at the date again.")
    versions = ProblemVersion.objects.select_related("problem").in_bulk({sheet["version"] for sheet in copy.items})
    typed = _cleaned(copy, answers, versions)
    problem_set = copy.run.problem_set
    attempt = _entered_before(copy, learner)
    is_first = attempt is None
    if attempt is None:
        attempt = _begun(copy, learner, versions, now)
        PaperCopy.objects.filter(pk=copy.pk).update(attempt=attempt)
    due_at = problem_set.due_at
    in_class = due_at if due_at is not None and due_at < now else None
    # With a correction it is handed in again: what was sent by then is what counts.
    attempt.handed_in_at, attempt.count_as_at = now, written_at or attempt.count_as_at or in_class
    attempt.save(update_fields=["handed_in_at", "count_as_at"])
    sent = _submitted(attempt, learner, typed, entered_by, locale)
    noted(
        course=problem_set.course,
        actor=entered_by,
        deed="enter-paper" if is_first else "correct-paper",
        about=f"copy {copy.number} ({copy.code}) of {problem_set.title}",
        problem_set=problem_set,
        learner=learner,
        after={"answers": sent, "written_at": written_at.isoformat() if written_at else None},
    )
    return attempt


def keep_entered(attempts: Collection[int]) -> None:
    """Work out what entered attempts come to and show, and have them marked; inside the transaction that entered them,
    last. A constant number of queries for every hundred answers."""
    keep_scores(AttemptItem.objects.filter(attempt__in=attempts).values_list("pk", flat=True))
    keep_shown(Attempt.objects.filter(pk__in=attempts))
    transaction.on_commit(wake_worker, robust=True)


def _entered_before(copy: PaperCopy, learner: User) -> Attempt | None:
    """The attempt that the copy is already, with the copy held. Two queries: read along with the copy, it would be the
    one from before somebody else let go of the copy. Raises PaperRefused if it is somebody else's."""
    list(PaperCopy.objects.select_for_update(no_key=True).filter(pk=copy.pk).values_list("pk"))
    attempt = Attempt.objects.select_related("learner").filter(paper_copy=copy.pk).first()
    if attempt is not None and attempt.learner_id != learner.pk:
        raise PaperRefused(
            f"Copy {copy.number} was entered for {attempt.learner} already. Look at the name and the code again; if it "
            "was entered for the wrong learner, take it back on its page first."
        )
    return attempt


def _cleaned(copy: PaperCopy, answers: Written, versions: Versions) -> dict[int, Answers]:
    cleaned = {}
    for place, given in answers.items():
        if not 1 <= place <= len(copy.items):
            raise PaperRefused(f"This copy has {len(copy.items)} exercises, and none with the number {place}.")
        sheet = copy.items[place - 1]
        unsaved = Variant(version=versions[sheet["version"]], asked=sheet["asked"], parameters=sheet["parameters"])
        cleaned[place] = clean_answers(problem_of(unsaved), given)
    return cleaned


def _begun(copy: PaperCopy, learner: User, versions: Versions, now: dt.datetime) -> Attempt:
    """The attempt that the copy is, with its places and variants. Holds the learner's enrolment, as beginning does:
    their numbers go on."""
    problem_set = copy.run.problem_set
    rows = Enrolment.objects.select_for_update(no_key=True).filter(course=problem_set.course_id, user=learner)
    enrolment = rows.first()
    if enrolment is None or enrolment.dropped_at is not None:
        raise PaperRefused(f"{learner.get_username()} is not in this course: bring them in first.")
    earlier = Attempt.objects.filter(problem_set=problem_set, learner=learner, is_preview=False)
    attempt = Attempt.objects.create(
        problem_set=problem_set,
        learner=learner,
        number=(earlier.aggregate(last=Max("number"))["last"] or 0) + 1,
        began_at=now,
        handed_in_at=now,
        handed_in_by=Attempt.HandedInBy.STAFF,
    )
    items = AttemptItem.objects.bulk_create(
        AttemptItem(
            attempt=attempt,
            item_id=sheet["item"],
            position=place,
            weight=Decimal(sheet["weight"]),
            version=versions[sheet["version"]],
            asked=sheet["asked"],
        )
        for place, sheet in enumerate(copy.items, start=1)
    )
    for _ in range(RACES):
        variants = _variants(learner, items, copy.items, now)
        try:
            with transaction.atomic():
                Variant.objects.bulk_create(variants)
        except IntegrityError:
            continue  # one was drawn in practice at the same moment, which took a number
        return attempt
    raise PaperRefused(
        f"Too many variants are being drawn for {learner.get_username()} at once. Try again in a moment."
    )


def _variants(
    learner: User, items: Sequence[AttemptItem], sheets: Sequence[Mapping[str, Any]], now: dt.datetime
) -> list[Variant]:
    """What is printed, as the next variants of this learner, not saved yet. One query."""
    numbers = _numbers(learner, {item.version.problem_id for item in items})
    variants = []
    for item, sheet in zip(items, sheets, strict=True):
        numbers[item.version.problem_id] += 1
        variants.append(_variant(learner, item, item.version, sheet, numbers[item.version.problem_id], now))
    return variants


def _numbers(learner: User, problems: set[int]) -> dict[int, int]:
    rows = Variant.objects.filter(learner=learner, problem__in=problems).values_list("problem").order_by()
    return dict.fromkeys(problems, 0) | dict(rows.annotate(last=Max("number")))


def _variant(
    learner: User, item: AttemptItem, version: ProblemVersion, sheet: Mapping[str, Any], number: int, now: dt.datetime
) -> Variant:
    return Variant(
        learner=learner,
        problem_id=version.problem_id,
        version=version,
        number=number,
        seed=sheet["seed"],
        parameters=sheet["parameters"],
        digest=digest_of(sheet["parameters"]),
        asked=sheet["asked"],
        active=active_mistakes(loaded(version), sheet["parameters"]),
        attempt_item=item,
        created_at=now,
    )


def _submitted(
    attempt: Attempt, learner: User, typed: Mapping[int, Answers], entered_by: User, locale: str
) -> dict[str, Any]:
    """One submission for each place that says something new; what was entered, by place. Three queries."""
    rows, sent, said_in = [], {}, clean_locale(locale)
    variants = Variant.objects.filter(attempt_item__attempt=attempt).select_related("version", "attempt_item")
    latest = {
        row.variant_id: row for row in Submission.objects.filter(variant__attempt_item__attempt=attempt).order_by("pk")
    }
    for variant in variants.order_by("attempt_item__position"):
        place = variant.attempt_item.position if variant.attempt_item else 0
        answers = typed.get(place)
        row = _submission(variant, answers, latest.get(variant.pk), said_in) if answers else None
        if row is not None:
            row.author, row.entered_by = learner, entered_by
            rows.append(row)
            sent[str(place)] = row.answers
    Submission.objects.bulk_create(rows)
    return sent


def _submission(variant: Variant, answers: Answers, before: Submission | None, locale: str) -> Submission | None:
    """What was typed at one place as a submission without its people; None where it says nothing new. No query."""
    readings = read_all(problem_of(variant), variant.parameters, answers, locale)
    marked = [name for name, reading in readings.items() if reading.status != "unreadable"]
    says = fingerprint(readings, marked)
    is_emptied = all(reading.status == "blank" for reading in readings.values())
    # Empty boxes say something where there was an answer: that it does not stand on the paper.
    if not (any(readings[name].status == "read" for name in marked) or (is_emptied and before is not None)):
        return None
    if before is not None and before.fingerprint == says:
        return None
    return Submission(
        variant=variant,
        answers=answers,
        checked=None if variant.asked is None and len(marked) == len(readings) else marked,
        locale=locale,
        idempotency_key=uuid.uuid4().hex,
        fingerprint=says,
    )
