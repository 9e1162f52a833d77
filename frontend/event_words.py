"""Events of a course in sentences, for people who look at what programs are told."""

from collections.abc import Callable, Mapping
from typing import Any

from exercises.courses.deeds import deed_words
from exercises.courses.events import KINDS
from exercises.queries.events import ToldEvent

NOBODY = "nobody any more"
_BY = {"time": ", because time was up", "staff": ", by somebody who teaches"}


def sentence(told: ToldEvent) -> str:
    """What happened: "bob handed in attempt 1 of Losses." Whatever an older version wrote has a sentence as well."""
    data: Mapping[str, Any] = told.event.data
    if "deed" in data:
        return _deed(told, data)
    told_of = _SENTENCES.get(told.event.kind)
    who, where = _name(told.event.learner), told.set_title or "a set that is gone"
    return told_of(who, where, data) if told_of else f"{KINDS.get(told.event.kind, told.event.kind).capitalize()}."


def _deed(told: ToldEvent, data: Mapping[str, Any]) -> str:
    event = told.event
    words = f"{_name(event.actor or event.learner)} {deed_words(str(data['deed']))}"
    about = [str(data.get("about") or ""), told.set_title, event.learner.username if event.learner else ""]
    named = list(dict.fromkeys(part for part in about if part))
    return f"{words}: {', '.join(named)}." if named else f"{words}."


def _begun(who: str, where: str, data: Mapping[str, Any]) -> str:
    return f"{who} began attempt {data.get('number', '')} of {where}."


def _handed_in(who: str, where: str, data: Mapping[str, Any]) -> str:
    return f"Attempt {data.get('number', '')} of {who} at {where} was handed in{_BY.get(str(data.get('by')), '')}."


def _graded(who: str, where: str, data: Mapping[str, Any]) -> str:
    return f"An answer of {who} in {where}, place {data.get('item', '')}, was marked: {_score(data)}."


def _scored(who: str, where: str, data: Mapping[str, Any]) -> str:
    late = data.get("late_days") or 0
    return f"{who} has {_score(data)} in {where}{f', {late} late day{_s(late)}' if late else ''}."


def _came(who: str, _: str, data: Mapping[str, Any]) -> str:
    role = str(data.get("role") or "")
    return f"{who} came into the course{f' as {role}' if role else ''}."


_SENTENCES: Mapping[str, Callable[[str, str, Mapping[str, Any]], str]] = {
    "attempt.begun": _begun,
    "attempt.handed-in": _handed_in,
    "submission.graded": _graded,
    "score.changed": _scored,
    "enrolment.added": _came,
}


def _name(person: Any) -> str:
    return person.username if person is not None else NOBODY


def _score(data: Mapping[str, Any]) -> str:
    score = data.get("score")
    return "no score yet" if score is None else f"a score of {score}"


def _s(number: int) -> str:
    return "" if number == 1 else "s"
