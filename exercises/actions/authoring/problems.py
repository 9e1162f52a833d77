"""Problems of one's own: begun, forked, shared, put away."""

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from exercises import catalogue
from exercises.actions.authoring.own import as_kept, lock_own
from exercises.actions.authoring.refused import AuthoringRefused
from exercises.actions.catalogue import MOST_TITLE, SLUG
from exercises.actions.person_lock import lock_person
from exercises.actions.unchanged import ChangedMeanwhile
from exercises.models import Problem, ProblemDraft, ProblemVersion, User
from grader.errors import ProblemError
from grader.guided import edited
from grader.rewriting import flow_text

#: Problems of one author.
MOST_PROBLEMS = 500
MOST_LICENCE = 80
#: Slugs of one title that are told apart by a number.
RACES = 50
#: Words that stand in the place of a problem in an address.
RESERVED = frozenset({"new", "shared", "schema", "vocabulary", "check", "preview", "try", "completions", "words"})
#: Problems of authors stand after those that are built in.
LAST = 1000

_FIRST = """\
title: {title}
summary: Say in one line what is worked out.
skills: [neg-log]
level: easy

parameters:
  p: {{range: [0.05, 0.95], step: 0.01}}

statement: |
  The true word was given the probability $p = {{{{ p }}}}$.

steps:
  loss:
    ask: What does the model lose at this slot, in nats?
    is: -ln(p)
    skill: neg-log
    hint: The loss is minus the natural logarithm of the probability.
    mistakes:
      log2:
        is: -log2(p)
        says: This is the loss in bits, from a logarithm to base 2. Nats need the natural logarithm.
        credit: 1/4
"""


def new_problem(*, author: User, title: str, slug: str = "", licence: str = "", source: str = "") -> Problem:
    """A new problem with a draft to begin with, which passes the check as it is; nobody else sees it.

    With ``source`` that is its draft, whatever it says. Without ``slug`` its address is made from the title. Raises
    AuthoringRefused, whose ``faults`` name the fields.
    """
    words = _title(title)
    source = as_kept(source) or _FIRST.format(title=flow_text(words, is_in_flow=False))
    licence = _licence(licence)
    with transaction.atomic():
        lock_person(author)
        return begin_problem(author=author, title=words, slug=slug, licence=licence, source=source)


def fork_problem(*, author: User, problem: Problem, title: str = "", slug: str = "", licence: str = "") -> Problem:
    """A problem of one's own that begins with the text of another's current version, and remembers which it was.

    ``problem`` is one that the author may use. Where the original has a licence the fork keeps it. Raises
    AuthoringRefused.
    """
    version = problem.current
    if version is None:
        raise AuthoringRefused("This problem has no version yet that could be forked.")
    words = _title(title or problem.title)
    source = version.source
    if words != problem.title:
        try:
            source = edited(source, title=words)
        except ProblemError:
            # A text that cannot be read any more is forked as it is, to be mended.
            words = problem.title
    asked = _licence(licence)
    if problem.licence and asked not in ("", problem.licence):
        message = f"The original is under {problem.licence}, and so is every fork of it."
        raise AuthoringRefused(message, {"licence": message})
    with transaction.atomic():
        lock_person(author)
        return begin_problem(
            author=author, title=words, slug=slug, licence=problem.licence or asked, source=source,
            forked_from=version, skills=problem.skills, summary=problem.summary,
        )  # fmt: skip


def set_shared(*, author: User, problem: Problem, shared: bool) -> Problem:
    """Let other authors use and fork one's own problem, or no others any more: sets that have it keep it."""
    with transaction.atomic():
        own = lock_own(author, problem)
        own.is_shared = shared
        own.save(update_fields=["is_shared"])
    return own


def set_licence(*, author: User, problem: Problem, licence: str) -> Problem:
    """Say under which licence one's own problem stands; that of a fork whose original has one stays."""
    words = _licence(licence)
    with transaction.atomic():
        own = lock_own(author, problem)
        origin = own.forked_from.problem if own.forked_from else None
        if origin is not None and origin.licence and words != origin.licence:
            message = f"The original is under {origin.licence}, and so is every fork of it."
            raise AuthoringRefused(message, {"licence": message})
        own.licence = words
        own.save(update_fields=["licence"])
    return own


def retire_problem(*, author: User, problem: Problem) -> Problem:
    """Put one's own problem away: nobody adds it to a set or forks it any more; what has it keeps it."""
    return _retired(author, problem, True)


def bring_back(*, author: User, problem: Problem) -> Problem:
    """Take a problem that was put away up again."""
    return _retired(author, problem, False)


def change_problem(
    *,
    author: User,
    problem: Problem,
    is_shared: bool | None = None,
    licence: str | None = None,
    is_retired: bool | None = None,
    seen: dt.datetime | None = None,
) -> Problem:
    """All of these that are given at once, for a problem that still has the ``updated_at`` that was ``seen``.

    Raises ChangedMeanwhile, and AuthoringRefused as each of them does.
    """
    with transaction.atomic():
        own = lock_own(author, problem)
        if seen is not None and own.updated_at != seen:
            raise ChangedMeanwhile("This was changed since you read it. Read it again, then send your change.")
        if licence is not None:
            own = set_licence(author=author, problem=own, licence=licence)
        if is_shared is not None:
            own = set_shared(author=author, problem=own, shared=is_shared)
        if is_retired is not None:
            own = _retired(author, own, is_retired)
    return own


def _retired(author: User, problem: Problem, retired: bool) -> Problem:
    with transaction.atomic():
        own = lock_own(author, problem)
        own.retired = retired
        own.save(update_fields=["retired"])
    return own


def begin_problem(
    *,
    author: User,
    title: str,
    source: str,
    licence: str = "",
    slug: str = "",
    forked_from: ProblemVersion | None = None,
    skills: Sequence[str] = (),
    summary: str = "",
) -> Problem:
    """A problem of one's own with a draft of that text; title and licence are sound. Raises AuthoringRefused.

    Whoever calls it has taken the author for the transaction that is open (``lock_person``): otherwise two at once
    would both be the last that there is room for.
    """
    if not author.is_instructor:
        raise AuthoringRefused("Only teachers write problems. Ask those who run the service to make you one.")
    if Problem.objects.filter(owner=author).count() >= MOST_PROBLEMS:
        raise AuthoringRefused(f"You have {MOST_PROBLEMS} problems, the most that one author keeps.")
    values = {
        "title": title, "owner": author, "licence": licence, "forked_from": forked_from, "position": LAST,
        "skills": list(skills), "summary": summary,
    }  # fmt: skip
    if made := _begun(_slugs(title, slug), values, source):
        return made
    message = "Another problem has this address: choose another one." if slug else "Give it another title."
    raise AuthoringRefused(message, {"slug" if slug else "title": message})


def _begun(slugs: Sequence[str], values: Mapping[str, Any], source: str) -> Problem | None:
    """A problem with its draft at the first of these addresses that is free; None where none is."""
    taken = set(Problem.objects.filter(slug__in=slugs).values_list("slug", flat=True))
    for slug in (one for one in slugs if one not in taken):
        try:
            with transaction.atomic():
                problem = Problem.objects.create(slug=slug, **values)
                ProblemDraft.objects.create(
                    problem=problem, source=source, based_on=problem.forked_from, revision=1, edited_by=problem.owner
                )
                return problem
        except IntegrityError:
            continue  # another problem of that name came first
    return None


def _slugs(title: str, slug: str) -> list[str]:
    """The addresses to try: the one wished for, or some that are made from the title."""
    taken = RESERVED | set(catalogue.slugs())
    if slug:
        wished = slug.strip().lower()
        if not SLUG.fullmatch(wished) or not re.search(r"[a-z0-9]", wished):
            message = "An address has letters, digits and hyphens only, 80 at most."
            raise AuthoringRefused(message, {"slug": message})
        return [wished] if wished not in taken else []
    base = slugify(title)[:60].strip("-_") or "problem"
    return [name for name in (base, *(f"{base}-{number}" for number in range(2, RACES))) if name not in taken]


def _title(text: str) -> str:
    words = " ".join(text.split())
    if not words or len(words) > MOST_TITLE or not words.isprintable():
        message = f"Give the problem a title of up to {MOST_TITLE} characters."
        raise AuthoringRefused(message, {"title": message})
    return words


def _licence(text: str) -> str:
    words = " ".join(text.split())
    if len(words) > MOST_LICENCE or not words.isprintable():
        message = f"Name the licence in up to {MOST_LICENCE} characters, such as CC BY 4.0."
        raise AuthoringRefused(message, {"licence": message})
    return words
