"""Beginning an attempt: one, however often it is pressed, and drawn as a whole."""

import dataclasses
import datetime as dt
import random
import secrets

from django.db import IntegrityError, transaction

from exercises import clock
from exercises.actions.draw import RACES, fresh_variant
from exercises.actions.events import tell_begun
from exercises.actions.lms.outbox import want_attempts
from exercises.actions.sitting.places import drawn_places
from exercises.actions.sitting.refusals import SetNotOpen
from exercises.actions.sitting.sheet import LEFT
from exercises.course_rules import rules_of
from exercises.courses.rules import Rules, ends_at, phase
from exercises.courses.wording import moment_in_words
from exercises.models import Attempt, AttemptItem, Enrolment, ProblemSet, User, Variant
from exercises.refusals import NothingToDraw

#: Where so many skills come together and nobody helps, what is shown is worth as much as a mixed check.
SKILLS_OF_A_CHECK = 3


def begin_attempt(
    *, learner: User, problem_set: ProblemSet, is_preview: bool = False, seed: int | None = None
) -> Attempt:
    """The attempt of ``begin_or_go_on``, whether it began just now or before."""
    return begin_or_go_on(learner=learner, problem_set=problem_set, is_preview=is_preview, seed=seed)[0]


def begin_or_go_on(
    *, learner: User, problem_set: ProblemSet, is_preview: bool = False, seed: int | None = None
) -> tuple[Attempt, bool]:
    """The attempt that this learner is to go on with, and whether it began just now: the one that is going on, else a
    new one where one more is allowed, else the last one.

    A new one is drawn as a whole, in one transaction: the items chosen from pools, their order, versions, weights and
    variants are fixed from then on. Twenty presses at once give one attempt. ``seed`` makes the drawing repeatable, as
    the demo world needs it. A preview, by somebody who teaches, is begun at any time and is an attempt of its own kind.

    Raises SetNotOpen before it opens, after it is closed, for whoever left the course, and where nothing can be drawn.
    """
    with transaction.atomic():
        enrolment = _held_enrolment(learner, problem_set)
        # As it is now: who changes a set or gives an extension takes the enrolments after it, and so comes before this
        # read, or sees the new attempt.
        problem_set = ProblemSet.objects.select_related("course").get(pk=problem_set.pk)
        earlier = list(problem_set.attempts.filter(learner=learner, is_preview=is_preview).order_by("number"))
        now = clock.now()
        rules = rules_of(problem_set, enrolment)
        going_on = next((attempt for attempt in earlier if attempt.handed_in_at is None), None)
        if going_on or (earlier and not is_preview and len(earlier) >= rules.attempts):
            return going_on or earlier[-1], False
        if not is_preview:
            _refuse_closed(problem_set, rules, now)
        attempt = Attempt.objects.create(
            problem_set=problem_set,
            learner=learner,
            number=(earlier[-1].number if earlier else 0) + 1,
            is_preview=is_preview,
            began_at=now,
            ends_at=ends_at(_without_windows(rules) if is_preview else rules, now),
        )
        _draw(attempt, rules, random.Random(secrets.randbits(64) if seed is None else seed), seed)  # noqa: S311
        tell_begun(attempt)
        want_attempts([attempt.pk])
        return attempt, True


def _held_enrolment(learner: User, problem_set: ProblemSet) -> Enrolment:
    """The learner's enrolment, held until the commit. One query."""
    # Taken first, so that presses of one person take turns. Not for the key: others refer to it.
    rows = Enrolment.objects.select_for_update(no_key=True, of=("self",)).select_related("course", "user")
    enrolment = rows.filter(course=problem_set.course_id, user=learner).first()
    if enrolment is None:
        raise SetNotOpen("You are not in the course of this set. Join the course, then begin.")
    if enrolment.dropped_at is not None:
        raise SetNotOpen(LEFT)
    return enrolment


def _refuse_closed(problem_set: ProblemSet, rules: Rules, now: dt.datetime) -> None:
    zone = rules.time_zone
    if problem_set.published_at is None or problem_set.retired:
        raise SetNotOpen("This set is not published, so it cannot be begun. Ask who teaches the course.")
    if problem_set.course.archived_at is not None:
        raise SetNotOpen("This course is over, so nothing can be begun in it any more. What you did stays to be read.")
    stands = phase(rules, now)
    if stands == "not-yet" and rules.opens_at:
        raise SetNotOpen(f"This set opens on {moment_in_words(rules.opens_at, zone)}. Come back then.")
    if stands == "closed" and rules.closes_at:
        raise SetNotOpen(
            f"This set was closed on {moment_in_words(rules.closes_at, zone)}, so it cannot be begun any more. "
            "If you were to have longer, ask who teaches the course."
        )


def _without_windows(rules: Rules) -> Rules:
    return dataclasses.replace(rules, opens_at=None, due_at=None, closes_at=None)


def _draw(attempt: Attempt, rules: Rules, chance: random.Random, seed: int | None) -> None:
    """Write the places of a new attempt with a variant each."""
    places = drawn_places(attempt.problem_set, chance, is_preview=attempt.is_preview)
    if not places:
        raise SetNotOpen("There is nothing in this set yet, so it cannot be begun. Ask who teaches the course.")
    skills = {skill for place in places for skill in place.item.problem.skills}
    is_check = rules.mode != "practice" and not rules.hints and len(skills) >= SKILLS_OF_A_CHECK
    for position, place in enumerate(places, start=1):
        row = AttemptItem.objects.create(
            attempt=attempt,
            item=place.item,
            position=position,
            weight=place.weight,
            version=place.version,
            asked=place.asked,
        )
        draw_for(row, attempt.learner, is_check=is_check, seed=None if seed is None else seed * 1000 + position)


def draw_for(place: AttemptItem, learner: User, *, is_check: bool, seed: int | None = None) -> Variant:
    """A new variant for a place of an attempt, saved. Raises SetNotOpen where none can be drawn."""
    for _ in range(RACES):
        try:
            course = place.attempt.problem_set.course
            drawn = fresh_variant(learner=learner, version=place.version, seed=seed, course=course)
        except NothingToDraw as refused:
            raise SetNotOpen(
                f"One of the problems of this set cannot be drawn: {refused.message} Tell who teaches the course."
            ) from refused
        drawn.asked, drawn.attempt_item, drawn.is_check = place.asked, place, is_check
        try:
            with transaction.atomic():
                drawn.save(force_insert=True)
        except IntegrityError:
            continue  # drawn in practice at the same moment, which took the number
        return drawn
    raise SetNotOpen("Too many variants are being drawn for you at once. Try again in a moment.")
