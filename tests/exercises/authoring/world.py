"""A small problem that an author writes, quick to check, and ways to spoil it."""

from exercises.actions.authoring import new_problem, publish_draft, save_draft
from exercises.models import Problem, ProblemVersion, User

SMALL = """\
# A seventh.
title: A seventh
summary: Divide by seven.
skills: [neg-log]
parameters:
  x: {range: [8, 90]}
statement: What is a seventh of **{{ x }}**?
steps:
  s:
    ask: Divide
    is: x / 7
    skill: neg-log
    hint: Divide by seven.
    mistakes:
      eighth: {is: x / 8, says: "This is an eighth."}
"""
#: Always 1, which is a mistake that gives the key in every variant.
IDLE = SMALL.replace("is: x / 8", "is: x / 7")
#: One variant in about eighty fails.
RARELY = SMALL + 'verify:\n  - {holds: x != 77, says: "It is not 77."}\n'
BROKEN = SMALL.replace("is: x / 7", "is: x /")


def written(author: User, source: str = SMALL, title: str = "A seventh") -> Problem:
    """A problem of the author's whose draft is this text."""
    problem = new_problem(author=author, title=title)
    save_draft(author=author, problem=problem, source=source, revision=1)
    return Problem.objects.get(pk=problem.pk)


def published(author: User, source: str = SMALL, title: str = "A seventh") -> Problem:
    """A problem of the author's whose first version is this text."""
    problem = written(author, source, title)
    publish_draft(author=author, problem=problem, summary="", revision=problem.draft.revision)
    return Problem.objects.select_related("current").get(pk=problem.pk)


def current_of(problem: Problem) -> ProblemVersion:
    """The version that learners are drawn from now."""
    version = Problem.objects.select_related("current").get(pk=problem.pk).current
    assert version is not None
    return version
