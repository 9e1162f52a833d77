"""``deck check``: every card of a deck tested against itself before anybody has to answer it."""

import re
from collections.abc import Iterator

from exercises.catalogue.card_model import GAP, CardFile
from exercises.catalogue.card_problem import STEP, problem_source
from grader.checking import check
from grader.marking import mark
from grader.problem import Problem, load
from grader.reading import fold
from grader.sampling import draw
from grader.solution import solve

#: Variants that a drawn card is held to, and a card whose options come in another order each time.
DRAWN_SEEDS = 200
ORDERED_SEEDS = 12
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\d)")


def check_card(card: CardFile, *, drawn_seeds: int = DRAWN_SEEDS) -> list[str]:
    """What is wrong with a card that loads; empty if nothing is.

    Its own key is marked right in every accepted notation, each mistake earns its own note, a drawn card does so in
    every one of ``drawn_seeds`` variants, and the front does not give away what is asked.
    """
    if not card.is_read and card.figure is None:
        return []
    problem = load(problem_source(card))
    seeds = drawn_seeds if card.kind == "drawn" else ORDERED_SEEDS if problem.parameters else 1
    failures = check(problem, range(seeds)).failures
    if card.is_read and not failures:
        failures = [*_forms_at_fault(card, problem), *_told(card, problem)]
    return [failure.replace(f"{STEP}.", "") for failure in failures]


def _forms_at_fault(card: CardFile, problem: Problem) -> Iterator[str]:
    """Every accepted form is right, and no two of them are one."""
    seen: dict[str, str] = {}
    for form in card.accept or ():
        if mark(problem, {}, {STEP: form}).marks[0].outcome != "right":
            yield f"the accepted form {form!r} is not right"
        if fold(form) in seen:
            yield f"{form!r} and {seen[fold(form)]!r} are one form: case, dashes and spaces make no difference"
        seen[fold(form)] = form


def _told(card: CardFile, problem: Problem) -> Iterator[str]:
    """Whether the front holds the key. A drawn statement may: its numbers are held to the draw, and to the author."""
    front = fold(card.front.replace(GAP, " \N{BULLET} "))
    for form in card.accept or ():
        if re.search(rf"(?<!\w){re.escape(fold(form))}(?!\w)", front) and len(fold(form)) > 1:
            yield f"the front holds the answer: {form}"
    if card.kind in ("number", "count", "shape"):
        value = solve(problem, draw(problem, 0)).values[STEP]
        keys = value if isinstance(value, list) else [value]
        given = [float(number) for number in _NUMBER.findall(card.front)]
        # One number of several has to be picked; a digit by itself may stand for much else: an index, a power, a slot.
        is_alone = set(given) == {abs(key) for key in keys if isinstance(key, int | float)}
        if is_alone and all(len(f"{number:g}") > 1 for number in given):
            yield f"the front holds the answer, and no other number: {card.answer}"
