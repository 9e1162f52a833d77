"""Extensions: what is different for one learner, or for the members of one group. They apply at once."""

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from exercises.actions.audit import noted
from exercises.actions.sets.live import follow_rules, rules_held
from exercises.actions.sets.locking import locked_set
from exercises.actions.sets.refusals import CHANGED, SetChanged, SetRefused
from exercises.course_rules import rules_of, zone_of
from exercises.courses.set_details import LONGEST_LIMIT, window_faults
from exercises.courses.wording import moment_in_words
from exercises.models import Enrolment, Extension, Group, ProblemSet, User
from exercises.set_rows import state_of_extension

MOST_ATTEMPTS = 10
MOST_REASON = 500


@dataclass(frozen=True)
class Given:
    """What is different: empty fields change nothing. Moments have a time zone, ``time_limit`` is in minutes and before
    the time factor, ``attempts`` are so many more. ``reason`` is for those who teach and is needed."""

    opens_at: dt.datetime | None = None
    due_at: dt.datetime | None = None
    closes_at: dt.datetime | None = None
    time_limit: int | None = None
    attempts: int = 0
    reason: str = ""


def give_extension(
    *,
    actor: User,
    problem_set: ProblemSet,
    given: Given,
    seen: str = "",
    learner: User | None = None,
    group: Group | None = None,
) -> Extension:
    """Give an extension to a learner of the course or to one of its groups, or change the one that is there.

    ``seen`` is ``set_rows.state_of_extension`` of the one its editor saw, empty for none. Attempts that go on follow at
    once. Raises SetChanged where there is another one by now, SetRefused with what is wrong by field.
    """
    if (learner is None) == (group is None):
        raise SetRefused("Choose a learner or a group.", {"whom": "Choose one learner or one group."})
    with transaction.atomic():
        row = locked_set(problem_set)
        if group is not None and group.course_id != row.course_id:
            raise SetRefused("Choose a group of this course.", {"whom": "This group is not in the course."})
        there = row.extensions.filter(learner=learner, group=group).first()
        if faults := _faults(row, given):
            raise SetRefused("The extension is not given yet: mend what is marked.", faults)
        if state_of_extension(there) != seen:
            raise SetChanged(CHANGED)
        return _keep(row, there or Extension(problem_set=row, learner=learner, group=group), given, actor, "extend")


def grant_attempts(
    *, actor: User, problem_set: ProblemSet, enrolment: Enrolment, granted: int, reason: str
) -> Extension | None:
    """Let a learner sit a set ``granted`` times more than everybody, in all; what else is different for them stays.

    It never takes an attempt away: where they may sit it as often already, by an extension of their own or of a group,
    nothing is kept, and the answer is None. Twice is once. Raises SetRefused with what is wrong by field.
    """
    with transaction.atomic():
        row = locked_set(problem_set)
        there = row.extensions.filter(learner=enrolment.user).first()
        kept = there or Extension(problem_set=row, learner=enrolment.user)
        fields = {name: getattr(kept, name) for name in ("opens_at", "due_at", "closes_at", "time_limit")}
        given = Given(**fields, attempts=granted, reason=reason)
        if faults := _faults(row, given):
            raise SetRefused("The attempt is not granted yet: mend what is marked.", faults)
        if rules_of(row, enrolment).attempts > granted:
            return None
        return _keep(row, kept, given, actor, "attempt-granted")


def _keep(problem_set: ProblemSet, kept: Extension, given: Given, actor: User, deed: str) -> Extension:
    """Write what is different over what an extension says, and let everything follow; inside the transaction that holds
    the set."""
    before = None if kept.pk is None else said_extension(kept, problem_set)
    learners = _learners(kept.learner, kept.group)
    held = rules_held(problem_set, learners)
    for name, value in vars(given).items():
        setattr(kept, name, value)
    kept.reason, kept.given_by = given.reason.strip(), actor
    kept.save()
    follow_rules(problem_set, held, learners)
    noted(
        course=problem_set.course, actor=actor, deed=deed, about=f"{problem_set.title}: {_whom(kept)}",
        problem_set=problem_set, learner=kept.learner, before=before, after=said_extension(kept, problem_set),
        reason=kept.reason,
    )  # fmt: skip
    return kept


def withdraw_extension(*, actor: User, extension: Extension, seen: str | None = None) -> None:
    """Take an extension back: the rules of the set hold again at once. Does nothing for one that is gone. Raises
    SetChanged where it is another than was ``seen``, as of ``give_extension``."""
    with transaction.atomic():
        row = locked_set(extension.problem_set)
        there = row.extensions.select_related("learner", "group").filter(pk=extension.pk).first()
        if there is None:
            return
        if seen is not None and state_of_extension(there) != seen:
            raise SetChanged(CHANGED)
        before, about = said_extension(there, row), f"{row.title}: {_whom(there)}"
        learner, learners = there.learner, _learners(there.learner, there.group)
        held = rules_held(row, learners)
        there.delete()
        follow_rules(row, held, learners)
        noted(
            course=row.course, actor=actor, deed="withdraw-extension", about=about, problem_set=row, learner=learner,
            before=before, reason=before["reason"],
        )  # fmt: skip


def said_extension(extension: Extension, problem_set: ProblemSet) -> dict[str, Any]:
    """An extension in words, by field, without those that change nothing. The set comes with its course."""
    zone = zone_of(problem_set.course)
    times = {
        name: moment_in_words(moment, zone)
        for name in ("opens_at", "due_at", "closes_at")
        for moment in (getattr(extension, name),)
        if moment
    }
    limit = {"time_limit": f"{extension.time_limit} minutes"} if extension.time_limit else {}
    more = {"attempts": extension.attempts} if extension.attempts else {}
    return {**times, **limit, **more, "reason": extension.reason}


def _faults(problem_set: ProblemSet, given: Given) -> dict[str, str]:
    found = {}
    if not given.reason.strip() or len(given.reason) > MOST_REASON:
        found["reason"] = f"Say why, in up to {MOST_REASON} characters: others who teach will ask."
    if not any((given.opens_at, given.due_at, given.closes_at, given.time_limit, given.attempts)):
        found["whom"] = "Nothing is different yet: write at least one other time, limit or attempt."
    is_practice = problem_set.mode == ProblemSet.Mode.PRACTICE
    if given.time_limit is not None:
        if is_practice or problem_set.time_limit is None:
            found["time_limit"] = "This set has no time limit: there is nothing to extend."
        elif not 1 <= given.time_limit <= LONGEST_LIMIT:
            found["time_limit"] = f"A time limit is between 1 and {LONGEST_LIMIT} minutes."
    if not 0 <= given.attempts <= MOST_ATTEMPTS or (given.attempts and is_practice):
        words = "Practice has no end: more attempts mean nothing." if is_practice else f"At most {MOST_ATTEMPTS} more."
        found["attempts"] = words
    # A set is never closed before it is due: where only due is moved, the end moves along.
    due_at = given.due_at or problem_set.due_at
    ends = [moment for moment in (problem_set.closes_at, given.due_at) if moment and problem_set.closes_at]
    closes_at = given.closes_at or max(ends, default=None)
    return {**window_faults(given.opens_at or problem_set.opens_at, due_at, closes_at), **found}


def _learners(learner: User | None, group: Group | None) -> list[User]:
    """For whom something is different by an extension."""
    if learner is not None:
        return [learner]
    return [] if group is None else list(User.objects.filter(enrolments__groups=group))


def _whom(extension: Extension) -> str:
    return extension.learner.get_username() if extension.learner else f"group {extension.group}"
