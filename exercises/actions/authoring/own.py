"""What every action on an authored problem begins with: that it is the author's own, and in nobody else's hands."""

import re

from exercises.actions.authoring.refused import AuthoringRefused, StaleDraft
from exercises.models import Problem, ProblemDraft, User
from grader.errors import Fault
from grader.sizes import too_large
from grader.source import MAX_BYTES

NOT_YOURS = "Only its author changes a problem. Fork it, and change your own."
#: Characters that no file and no table can hold.
_UNSTORABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def lock_own(author: User, problem: Problem) -> Problem:
    """The problem, locked for the transaction that is open. Raises AuthoringRefused unless it is the author's own. One
    query."""
    own = Problem.objects.select_for_update(of=("self",), no_key=True).filter(pk=problem.pk, owner=author).first()
    if own is None:
        raise AuthoringRefused(NOT_YOURS)
    return own


def draft_of(problem: Problem, revision: int | None, source: str | None = None) -> ProblemDraft | None:
    """The draft, which is at that revision (None is any) or has that very text; None at 0 where there is none. Raises
    StaleDraft. One or two queries."""
    draft = ProblemDraft.objects.select_related("edited_by").filter(problem=problem).first()
    if source is not None and as_kept(source) == as_kept(draft.source if draft else current_source(problem)):
        return draft
    if revision not in (None, draft.revision if draft else 0):
        raise stale(problem, draft)
    return draft


def stale(problem: Problem, draft: ProblemDraft | None) -> StaleDraft:
    """What to say of a draft that is another one than the page showed."""
    return StaleDraft(
        source=draft.source if draft else current_source(problem),
        revision=draft.revision if draft else 0,
        edited_by=draft.edited_by.get_username() if draft and draft.edited_by else "",
        edited_at=draft.edited_at if draft else None,
    )


def current_source(problem: Problem) -> str:
    """The text that learners meet; empty before there is one."""
    return problem.current.source if problem.current else ""


def as_kept(source: str) -> str:
    """A text as a form sends it, with the line ends of a file. Raises AuthoringRefused for one that cannot be kept."""
    text = source.replace("\r\n", "\n").replace("\r", "\n")
    if found := _UNSTORABLE.search(text):
        line = text.count("\n", 0, found.start()) + 1
        message = f"Line {line} holds a character that no file can hold. Take it out, then save again."
        raise AuthoringRefused(message, {"source": message}, [Fault(line, "", message)])
    size = len(text.encode())
    if size > MAX_BYTES:
        message = f"{too_large(size, MAX_BYTES)}. Shorten it, then save again."
        raise AuthoringRefused(message, {"source": message}, [Fault(1, "", message)])
    return text
