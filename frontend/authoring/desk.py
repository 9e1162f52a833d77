"""What every page about one problem begins with: who asks, which problem, and whether it is theirs to change."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest

from exercises import access
from exercises.models import Problem, User
from exercises.queries import authoring
from frontend.signed_in import reader
from frontend.typed_number import typed_number

#: So many seeds stand side by side.
PANES = 3
#: No seed is larger; an address may say anything.
LAST_SEED = 2**31


@dataclass(frozen=True)
class Desk:
    """An author and a problem that they may look at; ``is_own`` says whether they may change it."""

    author: User
    problem: Problem
    is_own: bool

    @property
    def context(self) -> dict[str, Any]:
        """What every template about the problem is given."""
        return {"problem": self.problem, "is_own": self.is_own}


def author(request: HttpRequest) -> User:
    """Whoever asks, if they may write problems; else Http404. No query."""
    return access.instructor(reader(request))


def own_desk(request: HttpRequest, slug: str) -> Desk:
    """One's own problem; else Http404. One query."""
    found = author(request)
    return Desk(found, access.authored_problem(found, slug), is_own=True)


def desk(request: HttpRequest, slug: str) -> Desk:
    """One's own problem, or one that may be used; else Http404. Two queries at most."""
    found = author(request)
    try:
        return Desk(found, access.authored_problem(found, slug), is_own=True)
    except Http404:
        return Desk(found, access.usable_problem(found, slug), is_own=False)


def current_text(problem: Problem) -> str:
    """What is published of a problem; empty before anything is."""
    return problem.current.source if problem.current else ""


def sent_text(request: HttpRequest) -> str | None:
    """The text of a file in a posted form, its lines ended as in files; None where none was sent.

    One that is too long comes back whole, so that it can be shortened; the grader refuses it before it reads it.
    """
    text = request.POST.get("source")
    return None if text is None else text.replace("\r\n", "\n")


def text_of(request: HttpRequest, found: Desk) -> str:
    """The text that a page is about: what was sent with it, else what is stored. Two queries at most."""
    sent = sent_text(request)
    if sent is not None:
        return sent
    return authoring.editor_of(found.problem).source if found.is_own else current_text(found.problem)


def seed_of(request: HttpRequest, name: str = "from") -> int:
    """A seed from the form or the address; 1 where there is none that could be one."""
    said = request.POST.get(name) or request.GET.get(name) or ""
    seed = typed_number(said, digits=11)
    return 1 if seed is None else min(seed, LAST_SEED)


def revision_of(request: HttpRequest) -> int:
    """Which state of the draft the page showed; 0 where it does not say."""
    return typed_number(request.POST.get("revision", ""), digits=9) or 0
