"""Cards tested against themselves before anybody has to answer them: ``deck check`` at length, ``fit`` in no time."""

import re
from collections.abc import Iterator

from exercises.catalogue.card_model import GAP, CardFile
from exercises.catalogue.card_problem import STEP, problem_of
from exercises.catalogue.cards import CardError, try_out
from grader.checking import check, typed_value
from grader.errors import GraderError
from grader.marking import Task, mark_batch
from grader.picture import figure_data
from grader.problem import Problem
from grader.reading import fold
from grader.sampling import draw, read_parameters
from grader.separation import all_lanes

#: Variants that a drawn card is held to, and a card whose options come in another order each time.
DRAWN_SEEDS = 200
ORDERED_SEEDS = 12
#: Variants of a drawn card that ``fit`` tries.
FIT_SEEDS = 4
_NUMBER = re.compile(r"(?<![\w.])\d++(?:\.\d++)?+(?![\w.]*\d)")


def check_card(card: CardFile, *, drawn_seeds: int = DRAWN_SEEDS) -> list[str]:
    """What is wrong with a card that loads; empty if nothing is.

    Its own key is marked right in every accepted notation, each mistake earns its own note, a drawn card does so in
    every one of ``drawn_seeds`` variants, and the front does not give away what is asked.
    """
    if not card.is_read and card.figure is None:
        return []
    problem = problem_of(card)
    seeds = drawn_seeds if card.kind == "drawn" else ORDERED_SEEDS if problem.parameters else 1
    failures = [failure.replace(f"{STEP}.", "") for failure in check(problem, range(seeds)).failures]
    return failures or list(_at_fault(card, problem, 0))


def fit(card: CardFile) -> None:
    """What everybody's cards are held to before they are kept, by whichever way they come. Raises CardError.

    The card loads and is drawn, its figure too, its key and every accepted form are right, each mistake by its words
    earns its note, and the front does not give the key away. All this in one variant, of a drawn card in a few: it
    takes milliseconds, where ``check_card`` takes a hundred times as long.
    """
    problem = try_out(card)
    if problem is None:
        return
    try:
        seeds = range(FIT_SEEDS if card.kind == "drawn" else 1)
        failures = [failure for seed in seeds for failure in _at_fault(card, problem, seed)]
    except GraderError as error:
        raise CardError({"": str(error)}) from error
    if failures:
        raise CardError({"": "; ".join(dict.fromkeys(failures))})


def _at_fault(card: CardFile, problem: Problem, seed: int) -> Iterator[str]:
    """What is wrong in one variant. Raises GraderError where it cannot be drawn at all."""
    parameters = draw(problem, seed)
    for revealed in ([], [step.name for step in problem.steps]):
        figure_data(problem, parameters, revealed)
    if not card.is_read:
        return
    drawn = read_parameters(problem, parameters)
    step = problem.asked[0]
    value = all_lanes(problem, drawn.env).values[step.name][0, 0]
    forms = list(card.accept or ())
    mistaken = [(mistake.note, form) for mistake in problem.mistakes for form in mistake.accept]
    try:
        key = typed_value(step, drawn, value, step.digits)
    except (IndexError, ValueError, OverflowError):
        yield "its own answer is none that could be given"
        return
    typed = [key, *forms, *(form for _, form in mistaken)]
    given = [each.marks[0] for each in mark_batch(problem, [Task(parameters, {step.name: text}) for text in typed])]
    if given[0].outcome != "right":
        yield "its own answer is not marked right"
    yield from _forms_at_fault(forms, [mark.outcome for mark in given[1 : 1 + len(forms)]])
    for (note, form), mark in zip(mistaken, given[1 + len(forms) :], strict=True):
        if mark.note != note:
            yield f"{form!r} does not earn {note.removeprefix(f'{STEP}.')}"
    yield from _told(card, value.tolist())


def _forms_at_fault(forms: list[str], outcomes: list[str]) -> Iterator[str]:
    """Every accepted form is right, and no two of them are one."""
    seen: dict[str, str] = {}
    for form, outcome in zip(forms, outcomes, strict=True):
        if outcome != "right":
            yield f"the accepted form {form!r} is not right"
        if fold(form) in seen:
            yield f"{form!r} and {seen[fold(form)]!r} are one form: case, dashes and spaces make no difference"
        seen[fold(form)] = form


def _told(card: CardFile, keys: list[float]) -> Iterator[str]:
    """Whether the front holds the key. A drawn statement may: its numbers are held to the draw, and to the author."""
    front = fold(card.front.replace(GAP, " \N{BULLET} "))
    for form in card.accept or ():
        if re.search(rf"(?<!\w){re.escape(fold(form))}(?!\w)", front) and len(fold(form)) > 1:
            yield f"the front holds the answer: {form}"
    if card.kind in ("number", "count", "shape"):
        given = [float(number) for number in _NUMBER.findall(card.front)]
        # One number of several has to be picked; a digit by itself may stand for much else: an index, a power, a slot.
        is_alone = set(given) == {abs(key) for key in keys}
        if is_alone and all(len(f"{number:g}") > 1 for number in given):
            yield f"the front holds the answer, and no other number: {card.answer}"
