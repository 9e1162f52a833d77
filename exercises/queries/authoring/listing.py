"""Lists of authored problems and their versions. What is wrong with one row hides no other."""

import datetime as dt
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from django.db.models import Count, Exists, Model, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.http import Http404

from exercises.models import Course, Problem, ProblemDraft, ProblemVersion, User, WithdrawnVariant
from exercises.queries.authoring.states import CheckState, check_state, digest_of_text
from grader.errors import ProblemError
from grader.problem import load

#: Rows of a page of problems or versions, and variants withdrawn of one problem.
ROWS = 30
MOST_WITHDRAWN = 200

Row = TypeVar("Row", bound=Model)
Made = TypeVar("Made")
#: draft: never published · changed: published, with a draft of something else
State = Literal["draft", "published", "changed", "retired"]


@dataclass(frozen=True)
class AuthoredRow:
    """One problem in a list; ``fault`` says why it cannot be used, ``check`` how its draft stands."""

    problem: Problem
    title: str
    owner_name: str
    skills: tuple[str, ...]
    state: State
    fault: str
    version: int | None
    has_draft: bool
    check: CheckState
    edited_at: dt.datetime | None


@dataclass(frozen=True)
class ProblemPage:
    """One page of problems; pages are counted from 1."""

    rows: list[AuthoredRow]
    page: int
    pages: int
    total: int


@dataclass(frozen=True)
class VersionRow:
    """One published version; ``variants`` were drawn from it."""

    version: ProblemVersion
    number: int
    created_at: dt.datetime
    author_name: str
    summary: str
    report: dict[str, Any] | None
    is_current: bool
    variants: int


@dataclass(frozen=True)
class VersionPage:
    """One page of versions, the newest first."""

    rows: list[VersionRow]
    page: int
    pages: int
    total: int


@dataclass(frozen=True)
class Editor:
    """What the editor opens: the draft, or before there is one the published text at revision 0.

    ``is_behind``: since the draft was begun, another version was published.
    """

    source: str
    revision: int
    based_on: ProblemVersion | None
    is_behind: bool
    report: dict[str, Any]
    check: CheckState
    edited_by: str
    edited_at: dt.datetime | None
    digest: str


def own_problems(author: User, *, page: int = 1, retired: bool = False, text: str = "") -> ProblemPage:
    """The author's own problems in the order of their titles, those put away by themselves. Two queries."""
    rows = Problem.objects.filter(owner=author, retired=retired)
    return _problem_page(_about(rows, text).select_related("owner", "current", "draft"), page)


def shared_problems(author: User, *, page: int = 1, text: str = "") -> ProblemPage:
    """The built-in problems and those that others share, to look at and to fork. Two queries."""
    rows = Problem.objects.filter(Q(owner=None) | Q(is_shared=True), retired=False, current__isnull=False)
    rows = rows.exclude(owner=author)
    return _problem_page(_about(rows, text).select_related("owner", "current"), page, is_own=False)


def library(readable: QuerySet[Problem], *, text: str = "") -> QuerySet[Problem]:
    """Those of the problems (``access.readable_problems``) that are about that text, with owner, current version and
    what they were forked from, and ``has_draft``. No query."""
    draft = ProblemDraft.objects.filter(problem=OuterRef("pk"))
    rows = readable.select_related("owner", "current", "forked_from__problem").annotate(has_draft=Exists(draft))
    return _about(rows, text)


def published_versions(problem: Problem) -> QuerySet[ProblemVersion]:
    """The versions of a problem, with authors, without those made for an item of a set. No query."""
    return problem.versions.filter(adapted_from=None).select_related("author")


def editor_of(problem: Problem) -> Editor:
    """What the editor of a problem opens. Two queries at most."""
    draft = ProblemDraft.objects.select_related("edited_by", "based_on").filter(problem=problem).first()
    current = problem.current
    if draft is None:
        source = current.source if current else ""
        report = (current.report if current else None) or {}
        digest = digest_of_text(source)
        state: CheckState = "passed" if report.get("passed") else "none"
        return Editor(source, 0, current, False, report, state, "", None, digest)
    digest = digest_of_text(draft.source)
    based_on = draft.based_on
    return Editor(
        source=draft.source,
        revision=draft.revision,
        based_on=based_on,
        is_behind=current is not None and (based_on is None or based_on.pk != current.pk),
        report=draft.report,
        check=check_state(draft.checked_digest, draft.report, digest),
        edited_by=draft.edited_by.get_username() if draft.edited_by else "",
        edited_at=draft.edited_at,
        digest=digest,
    )


def versions_of(problem: Problem, *, page: int = 1) -> VersionPage:
    """The published versions of a problem, without those made for an item of a set. Two queries."""
    rows = published_versions(problem).annotate(drawn=Count("variants"))

    def row(version: Any) -> VersionRow:
        author = version.author.get_username() if version.author else ""
        return VersionRow(
            version, version.number, version.created_at, author, version.summary, version.report,
            version.pk == problem.current_id, version.drawn,
        )  # fmt: skip

    return VersionPage(*_paged(rows.order_by("-number"), page, row))


def version_of(problem: Problem, number: int, *, is_own: bool) -> ProblemVersion:
    """The version of that number. One that was made for an item of somebody's set is for the problem's owner alone:
    it may tell what is asked there. Raises Http404. One query."""
    rows = problem.versions.select_related("author").filter(number=number)
    found = (rows if is_own else rows.filter(adapted_from=None)).first()
    if found is None:
        raise Http404("This problem has no such version.")
    return found


def withdrawn_of(problem: Problem) -> list[WithdrawnVariant]:
    """The variants that nobody anywhere is given any more, the latest first; a course's own are its own. One query."""
    return list(withdrawn_in(problem, None)[:MOST_WITHDRAWN])


def withdrawn_in(problem: Problem, course: Course | None) -> QuerySet[WithdrawnVariant]:
    """The variants withdrawn in a course alone, or without one everywhere. No query."""
    return problem.withdrawn.filter(course=course).select_related("withdrawn_by", "course")


def _about(rows: QuerySet[Problem], text: str) -> QuerySet[Problem]:
    words = text.replace("\x00", "").strip()[:100]
    if words:
        # As text, since SQLite knows of no list that contains something.
        rows = rows.annotate(named_skills=Cast("skills", TextField())).filter(
            Q(title__icontains=words)
            | Q(summary__icontains=words)
            | Q(slug__icontains=words)
            | Q(named_skills__icontains=words)
        )
    return rows.order_by("title", "slug")


def _paged(rows: QuerySet[Row], page: int, make: Callable[[Row], Made]) -> tuple[list[Made], int, int, int]:
    """The rows of a page, its number, how many pages, how many rows; a page that is not there is the nearest one."""
    total = rows.count()
    pages = max(1, math.ceil(total / ROWS))
    page = min(max(1, page), pages)
    return [make(row) for row in rows[(page - 1) * ROWS : page * ROWS]], page, pages, total


def _problem_page(rows: QuerySet[Problem], page: int, *, is_own: bool = True) -> ProblemPage:
    def row(problem: Problem) -> AuthoredRow:
        draft = getattr(problem, "draft", None) if is_own else None
        digest = digest_of_text(draft.source) if draft else ""
        return AuthoredRow(
            problem=problem,
            title=problem.title,
            owner_name=problem.owner.get_username() if problem.owner else "",
            skills=tuple(map(str, problem.skills)) if isinstance(problem.skills, list) else (),
            state=_state(problem, draft),
            fault=problem.fault or _fault(problem.current),
            version=problem.current.number if problem.current else None,
            has_draft=draft is not None,
            check=check_state(draft.checked_digest, draft.report, digest) if draft else "none",
            edited_at=draft.edited_at if draft else problem.current.created_at if problem.current else None,
        )

    return ProblemPage(*_paged(rows, page, row))


def _state(problem: Problem, draft: ProblemDraft | None) -> State:
    if problem.retired:
        return "retired"
    if problem.current is None:
        return "draft"
    return "changed" if draft is not None and draft.source != problem.current.source else "published"


def _fault(version: ProblemVersion | None) -> str:
    if version is None:
        return ""
    try:
        load(version.source)
    except ProblemError as error:
        return f"Its text can no longer be read: {error.faults[0]}"
    return ""
