"""Every card that is marked is a problem of one step to the grader: here its text is written."""

import json
import keyword
import re
from functools import lru_cache
from hashlib import sha256
from typing import Any

import yaml
from pydantic import ValidationError

from exercises.catalogue.card_model import GAP, CardFile, keys_in
from grader.compiling import compile_problem
from grader.errors import ProblemError
from grader.file_model import ProblemFile
from grader.problem import Problem, load
from grader.source import Source
from grader.wording import WorkedStep

#: The step of every card but a drawn one, whose author names it.
STEP = "answer"
#: What is drawn for the order of options, so that the place of the right one is never learnt instead of it.
ORDER = {"order": {"range": [0, 1_000_000]}}
#: Of cards that belong to no skill, since a problem needs one.
NO_SKILL = "none"

#: Written by libyaml where that is installed: the same text, in a fraction of the time.
_Dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)

_ASK = {
    "text": "Your answer",
    "cloze": "What stands in the gap?",
    "number": "Your answer, a number",
    "count": "Your answer, a whole number",
    "shape": "Your answer, a shape such as 2 x 3",
    "choice": "Choose one.",
    "choices": "Choose all that hold.",
    "self": "Your answer",
}


def problem_source(card: CardFile) -> str:
    """The text of the problem file that this card is to the grader: what it reads, allows and names is the grader's.

    Of a card that rates itself it is the problem that its figure is drawn from; nothing is asked by it.
    """
    return _dumped(_problem(card))


def problem_of(card: CardFile) -> Problem:
    """The problem that a card is to the grader. Raises ProblemError, with the keys of a problem file.

    A card is plain data already, and its sizes are bounded by its shape; writing it as a text that is read again would
    be four fifths of the work. Only one at fault goes that way, for the words of the grader.
    """
    try:
        model = ProblemFile.model_validate(_problem(card))
        if _is_well_named([*model.parameters, *model.steps]):
            return compile_problem(model, Source({}), sha256(source_of(card).encode()).hexdigest())
    except (ValidationError, ProblemError):
        pass  # the text says what is wrong, and where
    return load(problem_source(card))


def _is_well_named(names: list[str]) -> bool:
    """Whether one name stands for one thing, and none has a meaning of its own in formulas."""
    return len(set(names)) == len(names) and not any(keyword.iskeyword(name) for name in names)


@lru_cache(maxsize=1024)
def problem_of_source(source: str) -> Problem:
    """The same for a card as it is stored. Raises ValueError for what is no card any more, and GraderError."""
    return problem_of(CardFile.model_validate_json(source))


def source_of(card: CardFile) -> str:
    """A card as it is stored. Equal cards give equal texts."""
    return json.dumps(card.content(), ensure_ascii=False, allow_nan=False)


def _problem(card: CardFile) -> dict[str, Any]:
    skill = card.skill or NO_SKILL
    head: dict[str, Any] = {"title": card.id, "summary": "A flashcard.", "skills": [skill]}
    if card.problem is not None:
        return head | card.problem
    if card.kind == "number" and card.digits is not None:
        head["digits"] = {"working": max(4, card.digits), "answer": card.digits}
    if parameters := dict(card.parameters) | (ORDER if card.options is not None and card.shuffle else {}):
        head["parameters"] = parameters
    # The front is shown as it was written; here nothing must be read as a place for a drawn value.
    head["statement"] = "A flashcard."
    if card.figure is not None:
        head["figure"] = card.figure
    return head | {"steps": {STEP: _step(card)}}


def _step(card: CardFile) -> dict[str, Any]:
    step: dict[str, Any] = {"ask": _ASK[card.kind]}
    if card.kind in ("text", "cloze", "self"):
        return step | {"kind": "text", "accept": card.accept or ["-"], "mistakes": _mistakes(card)}
    step |= {"kind": card.kind, "is": _value(card, card.answer or "")}
    if card.options is not None:
        step |= {"options": card.options, "shuffle": card.shuffle}
    return step | {"mistakes": _mistakes(card)}


def _mistakes(card: CardFile) -> dict[str, Any]:
    return {
        tag: {"says": mistake.says}
        | ({"is": _value(card, mistake.is_)} if mistake.is_ is not None else {})
        | ({"accept": mistake.accept} if mistake.accept is not None else {})
        for tag, mistake in card.mistakes.items()
    }


def _value(card: CardFile, answer: str) -> str:
    """A formula for the grader: of a choice the place of the key, of choices a 0 or 1 for each option."""
    options = list(card.options or ())
    keys = keys_in(answer)
    if card.kind == "choice":
        return str(options.index(keys[0])) if keys and keys[0] in options else "-1"
    if card.kind == "choices":
        return "[" + ", ".join(str(int(key in keys)) for key in options) + "]"
    return answer


def _dumped(data: dict[str, Any]) -> str:
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100_000)


# The back


def answer_text(worked: WorkedStep, *, is_display: bool = False) -> str:
    """The answer with the rule it comes from, as Markdown; ``is_display`` gives its fractions their full height."""
    if worked.text:
        return worked.text
    parts = dict.fromkeys(part for part in (worked.formula, worked.numbers, worked.value) if part)
    style = r"\displaystyle " if is_display else ""
    return f"${style}{' = '.join(parts)}$" if parts else ""


# Cloze


def with_gap(front: str) -> str:
    """The front of a cloze card with a box where its gap is."""
    return front.replace(GAP, r"\boxed{\,?\,}" if _is_in_math(front) else r"$\boxed{\,?\,}$")


def filled(front: str, answer: str) -> str:
    """The front of a cloze card with the answer in its place, so that it stands out."""
    return front.replace(GAP, rf"\boxed{{{_as_tex(answer)}}}" if _is_in_math(front) else f"**{answer}**")


def _is_in_math(front: str) -> bool:
    before = front.partition(GAP)[0]
    displays = len(re.findall(r"(?<!\\)\$\$", before))
    singles = len(re.findall(r"(?<!\\)\$", before)) - 2 * displays
    return displays % 2 == 1 or singles % 2 == 1


_FUNCTIONS = ("ln", "exp", "log", "max", "min", "arg", "sin", "cos", "tanh")


def _as_tex(answer: str) -> str:
    """An accepted form as it looks in a formula: names of functions and words upright, the rest as mathematics."""
    if answer in _FUNCTIONS:
        return rf"\{answer}"
    if "\\" in answer or re.fullmatch(r"[A-Za-z]?[\d\s.,+\-*/^_(){}=<>|']*[A-Za-z]?[\d\s.,+\-*/^_(){}=<>|']*", answer):
        return answer.replace("*", r" \cdot ")
    return rf"\text{{{answer}}}"
