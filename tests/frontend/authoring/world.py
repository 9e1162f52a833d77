"""Authors, and problems that they write."""

from typing import Any

from django.test import Client
from django.urls import reverse

from exercises.actions.authoring import new_problem, publish_draft, save_draft
from exercises.models import Problem, User
from exercises.queries.authoring import editor_of

#: Every address of the pages about one problem, with what is needed to ask for it.
ABOUT_ONE = (
    "author-problem", "author-save", "author-faults", "author-completions", "author-preview", "author-try",
    "author-check", "author-publish", "author-versions", "author-diff", "author-fork", "author-guided",
    "author-withdraw", "author-restore", "author-sharing",
)  # fmt: skip

BROKEN = "title: [no end\nsteps: {"


def address(name: str, problem: Problem | str, query: str = "") -> str:
    """The address of a page about a problem."""
    slug = problem if isinstance(problem, str) else problem.slug
    return reverse(f"frontend:{name}", args=[slug]) + query


def draft(author: User, title: str = "Loss of one word", source: str | None = None) -> Problem:
    """A new problem; with that text as its draft, else with the one that it begins with."""
    made = new_problem(author=author, title=title)
    if source is not None:
        save_draft(author=author, problem=made, source=source, revision=editor_of(made).revision)
    return made


def with_version(author: User, title: str = "Loss of one word") -> Problem:
    """A problem with one version."""
    made = draft(author, title)
    publish_draft(author=author, problem=made, summary="The first one.", revision=editor_of(made).revision)
    made.refresh_from_db()
    return made


def text_of(problem: Problem) -> str:
    """What its editor holds."""
    return editor_of(Problem.objects.get(pk=problem.pk)).source


def form(problem: Problem, source: str, do: str = "save", **more: Any) -> dict[str, Any]:
    """The editor's form as a browser would send it."""
    return {"source": source.replace("\n", "\r\n"), "revision": editor_of(problem).revision, "do": do, **more}


def signed_in(user: User) -> Client:
    """A browser of that person."""
    client = Client()
    client.force_login(user)
    return client
