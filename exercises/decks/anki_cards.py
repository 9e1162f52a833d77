"""The two sides of a card as Anki shows them; a drawn card is shown with one set of numbers. Nothing is marked."""

from collections.abc import Mapping
from typing import Any

from exercises.catalogue.cards import CardFile, answer_text, filled, problem_of, with_gap
from exercises.decks.markdown import html_of
from grader.errors import GraderError
from grader.graph import Problem
from grader.sampling import draw
from grader.wording import fields, statement, worked_solution


def sides_html(content: Mapping[str, Any]) -> tuple[str, str]:
    """Front and back: what is asked, with the options there are to choose from, and the answer with what there is to
    say about it."""
    card, problem, parameters = _made(content)
    return _front(card, problem, parameters), _back(card, problem, parameters)


def _front(card: CardFile, problem: Problem | None, parameters: Mapping[str, Any]) -> str:
    front = with_gap(card.front) if card.kind == "cloze" else card.front
    if card.kind == "drawn" and problem is not None:
        field = fields(problem, parameters)[0]
        front = "\n\n".join(part for part in (front, statement(problem, parameters), field.ask) if part)
    has_options = problem is not None and problem.asked[0].kind in ("choice", "choices")
    options = [text for _, text in fields(problem, parameters)[0].options] if problem and has_options else []
    listed = "".join(f"<li>{html_of(option)}</li>" for option in options)
    return html_of(front) + (f"<ul>{listed}</ul>" if listed else "")


def _back(card: CardFile, problem: Problem | None, parameters: Mapping[str, Any]) -> str:
    if card.kind == "cloze":
        answer = filled(card.front, (card.accept or [""])[0])
    elif card.kind == "text":
        answer = (card.accept or [""])[0]
    else:
        answer = answer_text(worked_solution(problem, parameters).steps[-1]) if problem else ""
    return "<br><br>".join(html_of(part) for part in (answer, card.back) if part)


def _made(content: Mapping[str, Any]) -> tuple[CardFile, Problem | None, Mapping[str, Any]]:
    """The card, and the problem that it is with one set of numbers; no problem where nothing is read or readable, nor
    where words are asked, which are the answer themselves."""
    card = CardFile.model_validate(content)
    if not card.is_read or card.kind in ("text", "cloze"):
        return card, None, {}
    try:
        problem = problem_of(card)
        return card, problem, draw(problem, 0)
    except GraderError:
        return card, None, {}
