"""The rules of a set in plain sentences, the same for the learner whom they hold for and for whoever wrote them."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction
from zoneinfo import ZoneInfo

from exercises.courses.rules import Rules, phase
from exercises.courses.scoring import percent

_UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def rules_in_words(rules: Rules, *, now: dt.datetime, items: int) -> list[str]:
    """What holds, in sentences: when it opens, is due and closes, what is late, how long there is, how many tries, what
    is shown when. Times are those of the course's zone, with its abbreviation. ``items`` is how many there are to do.
    """
    said = [
        _asks(rules, items),
        *_when(rules, now),
        *_late(rules),
        *_time_limit(rules),
        *_tries(rules),
        *_sittings(rules),
        _feedback(rules, now),
        *_hints(rules),
        *_pass_mark(rules),
    ]
    if rules.is_extended:
        said.append("An extension is worked into this.")
    return said


def moment_in_words(moment: dt.datetime, time_zone: str) -> str:
    """A moment by the clock of that zone, such as "Sat 24 October 2026, 20:00 CEST"."""
    local = moment.astimezone(ZoneInfo(time_zone))
    clock = f"{local:%H:%M:%S}" if local.second else f"{local:%H:%M}"
    return f"{day_in_words(moment, time_zone)}, {clock} {local.tzname()}"


def day_in_words(moment: dt.datetime, time_zone: str) -> str:
    """The day that a moment is in by the clock of that zone, such as "Sat 24 October 2026"."""
    local = moment.astimezone(ZoneInfo(time_zone))
    return f"{local:%a} {local.day} {local:%B %Y}"


def span_in_words(span: dt.timedelta) -> str:
    """How long that is, to the second, such as "1 hour 15 minutes"."""
    left = span // dt.timedelta(seconds=1)
    parts = []
    for seconds, unit in _UNITS:
        count, left = divmod(left, seconds)
        if count:
            parts.append(_counted(count, unit))
    return " ".join(parts) or "no time"


def factor_in_words(factor: Fraction) -> str:
    """A time factor as it is written, such as "1.25"."""
    return f"{(Decimal(factor.numerator) / Decimal(factor.denominator)).normalize():f}"


def _asks(rules: Rules, items: int) -> str:
    what = _counted(items, "item")
    match rules.mode:
        case "practice":
            return f"Practice: {what}, each with as many variants as you like, and the best one counts."
        case "quiz":
            return f"Quiz: {what}."
        case "exam":
            return f"Exam: {what}, handed in once, as a whole."


def _when(rules: Rules, now: dt.datetime) -> list[str]:
    state = phase(rules, now)
    said = []
    if rules.opens_at is not None:
        verb = "It opens on" if state == "not-yet" else "It opened on"
        said.append(f"{verb} {moment_in_words(rules.opens_at, rules.time_zone)}.")
    if rules.due_at is not None:
        verb = "It is due on" if now <= rules.due_at else "It was due on"
        said.append(f"{verb} {moment_in_words(rules.due_at, rules.time_zone)}.")
    if rules.closes_at is None:
        said.append("It does not close.")
    elif rules.closes_at == rules.due_at:
        said.append("Nothing is taken after that.")
    else:
        verb = "It closed on" if state == "closed" else "It closes on"
        after = "nothing was taken after that" if state == "closed" else "nothing is taken after that"
        said.append(f"{verb} {moment_in_words(rules.closes_at, rules.time_zone)}: {after}.")
    return said


def _late(rules: Rules) -> list[str]:
    if rules.due_at is None or rules.closes_at == rules.due_at or rules.mode == "practice":
        return []
    if not rules.late:
        return ["What comes after it is due is marked as late, and loses nothing."]
    first, *others = ("all" if share == 1 else percent(share) for share in rules.late)
    days = [f"Late work keeps {first} of its credit on the first day after it is due"]
    days += [f"{kept} on the {_ordinal(place)}" for place, kept in enumerate(others, start=1)]
    return [f"{', '.join(days)}.", "Each of these days ends at the time of day at which it was due."]


def _time_limit(rules: Rules) -> list[str]:
    if rules.time_limit is None:
        return []
    said = f"The time is {span_in_words(rules.time_limit)} from the moment it is begun"
    if rules.time_factor != 1:
        said += f", {factor_in_words(rules.time_factor)} times what others have"
    return [f"{said}.", "The clock runs on while the page is closed; when time is up, what is saved is handed in."]


def _tries(rules: Rules) -> list[str]:
    if rules.mode != "quiz":
        return []
    another = "each on a new variant" if rules.retry == "new" else "all on the same variant"
    if len(rules.credits) == 1:
        return [f"One try at each item counts, and it is worth {percent(rules.credits[0])}."]
    worth = ", ".join(percent(share) for share in rules.credits)
    return [
        f"Each item has {len(rules.credits)} tries, {another}: they are worth {worth}.",
        "The best try counts, so another one never lowers a score.",
    ]


def _sittings(rules: Rules) -> list[str]:
    if rules.attempts == 1:
        return []
    return [f"It can be sat {rules.attempts} times, and the best one counts."]


def _feedback(rules: Rules, now: dt.datetime) -> str:
    if rules.mode == "practice":
        return "Each answer is marked at once."
    match rules.feedback:
        case "released" if rules.released_at is not None and rules.released_at <= now:
            return "The results are released."
        case "released":
            return "The marks are shown when an instructor releases them."
        case "at-once" if rules.mode == "quiz":
            shown = "Each try is marked at once"
        case _:
            shown = "The marks are shown once it is handed in"
    solved = "once you have handed in" if rules.closes_at is None else "once it is closed"
    return f"{shown}; the solutions are shown {solved}."


def _hints(rules: Rules) -> list[str]:
    if rules.mode == "exam" and not rules.hints:
        return []
    return ["Hints may be taken." if rules.hints else "There are no hints."]


def _pass_mark(rules: Rules) -> list[str]:
    return [] if rules.pass_mark is None else [f"The pass mark is {percent(rules.pass_mark)}."]


def _ordinal(place: int) -> str:
    return _ORDINALS[place] if place < len(_ORDINALS) else f"{place + 1}th"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
