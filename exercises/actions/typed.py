"""What a learner typed: within bounds, read step by step, and recognised when it comes again."""

import hashlib
import json
import re
from collections.abc import Collection, Mapping
from typing import Any

from exercises.limits import MOST_ALTOGETHER, MOST_CHARACTERS, MOST_ENTRIES
from exercises.refusals import AnswersRefused, TextRefused
from grader.answers import read_answer
from grader.problem import Problem
from grader.reading import Reading

Answers = dict[str, str | list[str]]

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_LOCALE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,2}")


def clean_answers(problem: Problem, answers: object) -> Answers:
    """The answers as typed, if that is what they are. Raises AnswersRefused with what to do about it.

    A character that no database can store becomes the replacement character, which is then unreadable like any other
    stray sign.
    """
    if not isinstance(answers, Mapping):
        raise AnswersRefused("Send the answers as an object that maps step names to typed text.")
    known = {step.name for step in problem.asked}
    typed = {_known(name, known): _clean(name, typed) for name, typed in answers.items()}
    length = sum(len(text) for each in typed.values() for text in ([each] if isinstance(each, str) else each))
    if length > MOST_ALTOGETHER:
        raise AnswersRefused(f"All answers together have at most {MOST_ALTOGETHER} characters; these have {length}.")
    return typed


def clean_steps(problem: Problem, checked: Collection[str] | None) -> list[str]:
    """The names of the steps to be checked in the order of the problem; None is every step that is asked."""
    asked = [step.name for step in problem.asked]
    if checked is None:
        return asked
    if isinstance(checked, str) or not all(isinstance(name, str) for name in checked):
        raise AnswersRefused("Send the steps to check as a list of step names.")
    wanted = {_known(name, set(asked)) for name in checked}
    if not wanted:
        raise AnswersRefused("Name at least one step to check, or leave the list out to check them all.")
    return [name for name in asked if name in wanted]


def clean_locale(locale: str) -> str:
    """The locale by which numbers are read; anything that is none counts as English."""
    return locale if _LOCALE.fullmatch(locale) else "en"


def read_all(problem: Problem, parameters: Mapping[str, Any], answers: Answers, locale: str) -> dict[str, Reading]:
    """How every asked step is read, in the order of the problem; a step that is not there is blank."""
    return {
        step.name: read_answer(problem, parameters, step.name, answers.get(step.name, ""), locale)
        for step in problem.asked
    }


def fingerprint(readings: Mapping[str, Reading], checked: Collection[str]) -> str:
    """Equal for two submissions on one variant exactly if they say the same values at the same steps.

    It covers the steps to be checked and every readable step before the last of them, since those are carried forward.
    0.41 and 0.410 are one answer: who was told to give a digit more gets no second verdict for a zero at the end.
    """
    seen: list[Any] = []
    remaining = set(checked)
    for name, reading in readings.items():
        if not remaining:
            break
        if name in remaining or reading.status == "read":
            seen.append([name, name in remaining, reading.status, _value(reading)])
        remaining.discard(name)
    return hashlib.sha256(json.dumps(seen).encode()).hexdigest()


def _value(reading: Reading) -> Any:
    """The value in plain JSON, without the sign of a zero; NaN, which is "undefined", is fine here."""
    value = reading.value
    if isinstance(value, str) or value is None:
        return value
    return [float(entry) + 0.0 for entry in value] if isinstance(value, tuple) else float(value) + 0.0


def clean_words(text: str, most: int, ask: str) -> str:
    """What somebody said in their own words. Raises TextRefused for nothing, with ``ask``, and for over ``most``."""
    said = _UNSTORABLE.sub("", text).strip()
    if not said:
        raise TextRefused(ask)
    if len(said) > most:
        raise TextRefused(f"Keep it under {most} characters; this has {len(said)}.")
    return said


def _known(name: object, known: Collection[str]) -> str:
    if not isinstance(name, str) or name not in known:
        raise AnswersRefused(f"This problem asks no step {str(name)[:80]!r}. Load the page again and answer there.")
    return name


def _clean(name: str, typed: object) -> str | list[str]:
    if isinstance(typed, str):
        return _clean_text(name, typed)
    if not isinstance(typed, list | tuple) or not all(isinstance(entry, str) for entry in typed):
        raise AnswersRefused(f"{name}: send typed text, or a list of typed texts.")
    if len(typed) > MOST_ENTRIES:
        raise AnswersRefused(f"{name}: send at most {MOST_ENTRIES} entries.")
    return [_clean_text(name, entry) for entry in typed]


def _clean_text(name: str, text: str) -> str:
    if len(text) > MOST_CHARACTERS:
        raise AnswersRefused(f"{name}: an answer has at most {MOST_CHARACTERS} characters; this one has {len(text)}.")
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)
