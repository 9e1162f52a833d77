"""From a posted form to typed answers, and the shelf where typed text waits while its author signs in again."""

import json
import re
import uuid
from collections.abc import Mapping
from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.http import QueryDict

from exercises.actions.typed import Answers
from exercises.limits import MOST_ALTOGETHER, MOST_CHARACTERS, MOST_ENTRIES
from grader.problem import Problem

PREFIX = "answer-"
#: Kinds whose answer is a list: one text an entry, or one key a chosen option.
LISTS = ("vector", "choices")
SHELF = "typed-before-sign-in"
MOST_KEPT = 5
MOST_FIELDS = 60


def typed_answers(form: QueryDict, problem: Problem) -> Answers:
    """The answers in a posted form. Boxes of steps that the problem does not ask stay in, for the action to refuse.

    A box that is not in the form is not in the result either; no option ticked is an empty list.
    """
    kinds = {step.name: step.kind for step in problem.asked}
    answers: Answers = {}
    for name in form:
        if name.startswith(PREFIX):
            step = name.removeprefix(PREFIX)
            answers[step] = typed_of(form, step, kinds.get(step, ""))
    return answers


def typed_of(form: QueryDict, step: str, kind: str) -> str | list[str]:
    """What stands in the boxes of one step of that kind: a text, or a list where there may be several."""
    texts = form.getlist(PREFIX + step)
    if kind not in LISTS:
        return texts[-1] if texts else ""
    return [text for text in texts if text or kind != "choices"]


def checked_steps(form: QueryDict) -> list[str] | None:
    """The steps whose button was pressed; None for the button that checks them all."""
    pressed = [name for name in form.getlist("check") if name and name != "*"]
    return pressed or None


def form_key(form: QueryDict, answers: Answers, checked: list[str] | None, locale: str) -> str:
    """The idempotency key of one rendered form *and* what it says.

    The same form sent again with the same text (a double click, a reload, a retry after a lost reply) is one
    submission. The browser's back button shows an old form; with other text in it, that is an answer of its own.
    """
    said = json.dumps([form.get("form", "")[:64], answers, checked, locale], sort_keys=True)
    return uuid.uuid5(uuid.NAMESPACE_OID, said).hex


def keep_typed(shelf: SessionBase, variant: str, form: QueryDict) -> None:
    """Put what was typed on the shelf until its author is signed in again; a few variants, bounded texts."""
    typed = {
        name.removeprefix(PREFIX): [text[:MOST_CHARACTERS] for text in form.getlist(name)[:MOST_ENTRIES]]
        for name in list(form)[:MOST_FIELDS]
        if re.fullmatch(rf"{PREFIX}\w{{1,40}}", name)
    }
    if not any(any(texts) for texts in typed.values()) or _length(typed) > MOST_ALTOGETHER:
        return
    kept = {key: value for key, value in (shelf.get(SHELF) or {}).items() if key != variant}
    # The latest last, and of the earlier ones as many as fit: anybody may send forms without signing in.
    rows = [(variant, typed), *reversed(kept.items())][:MOST_KEPT]
    while sum(_length(each) for _, each in rows) > MOST_ALTOGETHER:
        rows.pop()
    shelf[SHELF] = dict(reversed(rows))


def take_typed(shelf: SessionBase, variant: str, problem: Problem) -> Answers:
    """What waits on the shelf for this variant, taken off it; empty if nothing does."""
    return take_texts(shelf, variant, {step.name: step.kind for step in problem.asked})


def take_texts(shelf: SessionBase, key: str, kinds: Mapping[str, str]) -> Answers:
    """What waits on the shelf for the page of that id, off it; ``kinds`` are its boxes with their kinds."""
    kept: Mapping[str, Any] = shelf.get(SHELF) or {}
    if key not in kept:
        return {}
    shelf[SHELF] = {other: value for other, value in kept.items() if other != key}
    return {
        step: list(texts) if _is_list(kinds, step) else texts[-1]
        for step, texts in kept[key].items()
        if step in kinds and texts
    }


def _is_list(kinds: Mapping[str, str], step: str) -> bool:
    return kinds.get(step) in LISTS


def _length(typed: Mapping[str, list[str]]) -> int:
    return sum(len(name) + sum(map(len, texts)) for name, texts in typed.items())
