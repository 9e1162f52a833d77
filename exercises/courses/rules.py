"""What the rules of a problem set come to for one learner, and what they say of a moment: no clock and no tables.

A moment that is exactly on a border still belongs before it: what is sent at the very second of due is in time.
"""

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeVar
from zoneinfo import ZoneInfo

Mode = Literal["practice", "quiz", "exam"]
Retry = Literal["same", "new"]
Feedback = Literal["at-once", "handed-in", "released"]
Phase = Literal["not-yet", "open", "late", "closed"]

Value = TypeVar("Value", dt.datetime, int)

#: For what was sent in time but arrived late.
GRACE = dt.timedelta(seconds=5)
_MICROSECONDS_A_MINUTE = 60_000_000


@dataclass(frozen=True)
class Policy:
    """The rules as they are written on a set. Moments have a time zone; ``time_limit`` is in minutes.

    ``credits`` says what each try of a quiz is worth, ``late`` what is left on the first day after due, and so on.
    """

    mode: Mode
    opens_at: dt.datetime | None = None
    due_at: dt.datetime | None = None
    closes_at: dt.datetime | None = None
    time_limit: int | None = None
    credits: tuple[Fraction, ...] = ()
    retry: Retry = "same"
    feedback: Feedback = "at-once"
    released_at: dt.datetime | None = None
    late: tuple[Fraction, ...] = ()
    hints: bool = False
    pass_mark: Fraction | None = None


@dataclass(frozen=True)
class Exemption:
    """What is different for some: for this learner alone (``is_own``), or for a group of theirs.

    Empty fields change nothing. ``attempts`` are so many attempts more.
    """

    opens_at: dt.datetime | None = None
    due_at: dt.datetime | None = None
    closes_at: dt.datetime | None = None
    time_limit: int | None = None
    attempts: int = 0
    is_own: bool = True


@dataclass(frozen=True)
class Rules:
    """The rules for one learner, with everything worked in.

    closes_at    the hard end, after which nothing is taken; None is never
    time_limit   with the time factor
    credits      one for each try that counts; empty in practice, where there are as many as one likes
    attempts     how many sittings there may be; the best counts
    is_extended  an exemption changes something, the time factor aside
    """

    mode: Mode
    time_zone: str
    opens_at: dt.datetime | None
    due_at: dt.datetime | None
    closes_at: dt.datetime | None
    time_limit: dt.timedelta | None
    credits: tuple[Fraction, ...]
    retry: Retry
    feedback: Feedback
    released_at: dt.datetime | None
    late: tuple[Fraction, ...]
    hints: bool
    attempts: int
    pass_mark: Fraction | None
    time_factor: Fraction
    is_extended: bool


def effective(
    policy: Policy, *, time_zone: str, time_factor: Fraction = Fraction(1), exemptions: Iterable[Exemption] = ()
) -> Rules:
    """What holds for one learner: an exemption of their own beats those of their groups, and of these the most generous
    counts, field by field.

    A set is never closed before it is due: where only due is moved past the end, the end moves along.
    """
    given = tuple(exemptions)
    opens_at = _chosen(_utc(policy.opens_at), [(_utc(one.opens_at), one.is_own) for one in given], min)
    due_at = _chosen(_utc(policy.due_at), [(_utc(one.due_at), one.is_own) for one in given], max)
    said_close = _chosen(_utc(policy.closes_at), [(_utc(one.closes_at), one.is_own) for one in given], max)
    minutes = _chosen(policy.time_limit, [(one.time_limit, one.is_own) for one in given], max)
    granted = _chosen(None, [(one.attempts or None, one.is_own) for one in given], max) or 0
    before = (policy.opens_at, policy.due_at, policy.closes_at, policy.time_limit, 0)
    is_practice = policy.mode == "practice"
    return Rules(
        mode=policy.mode,
        time_zone=time_zone,
        opens_at=opens_at,
        due_at=due_at,
        closes_at=_hard_end(said_close, due_at, len(policy.late), time_zone),
        time_limit=None if minutes is None else _stretched(minutes, time_factor),
        credits=_credits(policy),
        retry=policy.retry,
        feedback="at-once" if is_practice else policy.feedback,
        released_at=policy.released_at,
        late=policy.late,
        hints=policy.hints or is_practice,
        attempts=1 + granted,
        pass_mark=policy.pass_mark,
        time_factor=time_factor,
        is_extended=(opens_at, due_at, said_close, minutes, granted) != before,
    )


def phase(rules: Rules, now: dt.datetime) -> Phase:
    """Whether the set can be sat at that moment. Before it opens it is ``not-yet``, whatever else is said."""
    if rules.opens_at is not None and now < rules.opens_at:
        return "not-yet"
    if rules.closes_at is not None and now > rules.closes_at:
        return "closed"
    if rules.due_at is not None and now > rules.due_at:
        return "late"
    return "open"


def ends_at(rules: Rules, began_at: dt.datetime) -> dt.datetime | None:
    """When an attempt that began then takes nothing more: at the hard end, or when its time is up; None is never.

    Due ends nothing: what comes after it is only late.
    """
    up = None if rules.time_limit is None else began_at.astimezone(dt.UTC) + rules.time_limit
    return min((end for end in (rules.closes_at, up) if end is not None), default=None)


def days_late(rules: Rules, at: dt.datetime) -> int:
    """How many days after due that is, begun ones included, and 0 in time.

    Days are those of the calendar in the course's zone, from the time of day at which it was due to the same one: the
    night of a clock change makes one longer or shorter.
    """
    if rules.due_at is None or at <= rules.due_at:
        return 0
    zone = ZoneInfo(rules.time_zone)
    days = max(1, (at.astimezone(zone).date() - rules.due_at.astimezone(zone).date()).days)
    # The date alone says it up to one day: the time of day decides.
    return days if at <= _days_after(rules.due_at, days, rules.time_zone) else days + 1


def late_share(rules: Rules, at: dt.datetime) -> Fraction:
    """What is left of the credit of something handed in at that moment: all of it in time, in practice, and where no
    loss is written; after the last day that is written, as much as on that day, as long as the set is open."""
    days = days_late(rules, at)
    if not days or not rules.late or rules.mode == "practice":
        return Fraction(1)
    return rules.late[min(days, len(rules.late)) - 1]


def may_show_feedback(rules: Rules, *, handed_in: bool, now: dt.datetime) -> bool:
    """Whether a learner may learn how their answers were marked. ``handed_in`` is their attempt.

    An exam is marked once, so that at once means once it is handed in. What is released is shown to whoever can change
    nothing any more: not to somebody who has an extension and is still at it.
    """
    if rules.mode == "practice":
        return True
    is_over = handed_in or phase(rules, now) == "closed"
    if rules.feedback == "released":
        return is_over and rules.released_at is not None and rules.released_at <= now
    return is_over or (rules.feedback == "at-once" and rules.mode == "quiz")


def may_show_solution(rules: Rules, *, handed_in: bool, now: dt.datetime) -> bool:
    """Whether a learner may see worked solutions: with the feedback, and never while the set is open for them. A set
    without an end is closed for whoever has handed in."""
    if rules.mode == "practice":
        return True
    is_closed = handed_in if rules.closes_at is None else phase(rules, now) == "closed"
    return is_closed and may_show_feedback(rules, handed_in=handed_in, now=now)


def _utc(moment: dt.datetime | None) -> dt.datetime | None:
    """Within one zone Python compares and adds by the clock on the wall, which goes back once a year."""
    return None if moment is None else moment.astimezone(dt.UTC)


def _chosen(
    written: Value | None, said: Sequence[tuple[Value | None, bool]], generous: Callable[[Iterable[Value]], Value]
) -> Value | None:
    """The field of one's own exemptions, else the most generous of the groups', else as it is written on the set."""
    for wanted in (True, False):
        values = [value for value, is_own in said if value is not None and is_own == wanted]
        if values:
            return generous(values)
    return written


def _hard_end(said: dt.datetime | None, due_at: dt.datetime | None, days: int, time_zone: str) -> dt.datetime | None:
    if said is not None:
        return said if due_at is None else max(said, due_at)
    return None if due_at is None else _days_after(due_at, days, time_zone)


def _days_after(due_at: dt.datetime, days: int, time_zone: str) -> dt.datetime:
    """The same time of day so many calendar days later, in UTC.

    Where that time of day does not exist, it is so much later as the clock was put forward; where it comes twice, the
    second: always what is kinder.
    """
    if not days:
        return due_at
    local = due_at.astimezone(ZoneInfo(time_zone)) + dt.timedelta(days=days)
    return max(local.replace(fold=fold).astimezone(dt.UTC) for fold in (0, 1))


def _stretched(minutes: int, factor: Fraction) -> dt.timedelta:
    exact = minutes * factor * _MICROSECONDS_A_MINUTE
    return dt.timedelta(microseconds=-(-exact.numerator // exact.denominator))


def _credits(policy: Policy) -> tuple[Fraction, ...]:
    if policy.mode == "practice":
        return ()
    return policy.credits if policy.mode == "quiz" and policy.credits else (Fraction(1),)
