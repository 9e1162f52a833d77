"""Drafts: what an author is working on. A save from a page that shows an older one overwrites nothing."""

from django.db import IntegrityError, transaction

from exercises import clock
from exercises.actions.authoring.own import as_kept, current_source, draft_of, lock_own, stale
from exercises.actions.authoring.problems import set_licence
from exercises.models import Problem, ProblemDraft, User


def save_draft(*, author: User, problem: Problem, source: str, revision: int | None) -> ProblemDraft:
    """Keep any text as the draft of one's own problem, also one that cannot be read.

    ``revision`` is the one that the page showed, 0 where there was no draft; None writes over whatever stands there. A
    text that stands there already writes nothing, and where it is the published one begins no draft (the row that is
    returned is not saved then). Raises StaleDraft where the draft was changed meanwhile, AuthoringRefused for a text
    that cannot be kept.
    """
    text = as_kept(source)
    with transaction.atomic():
        own = lock_own(author, problem)
        draft = ProblemDraft.objects.select_related("edited_by").filter(problem=own).first()
        stands = draft.source if draft else current_source(own)
        if text in (stands, as_kept(stands)):
            return draft or ProblemDraft(problem=own, source=stands, based_on=own.current)
        if revision not in (None, draft.revision if draft else 0):
            raise stale(own, draft)
        if draft is None:
            return _begun(own, author, text)
        draft.source, draft.revision = text, draft.revision + 1
        draft.edited_by, draft.edited_at = author, clock.now()
        draft.save(update_fields=["source", "revision", "edited_by", "edited_at"])
        return draft


def rewrite_problem(*, author: User, problem: Problem, source: str, licence: str | None = None) -> Problem:
    """Write the draft of one's own problem over, whatever it says now, and name its licence if that is given: for
    programs that keep the texts themselves. Raises AuthoringRefused."""
    with transaction.atomic():
        own = lock_own(author, problem)
        save_draft(author=author, problem=own, source=source, revision=None)
        return own if licence is None else set_licence(author=author, problem=own, licence=licence)


def _begun(problem: Problem, author: User, text: str) -> ProblemDraft:
    try:
        with transaction.atomic():
            return ProblemDraft.objects.create(
                problem=problem, source=text, based_on=problem.current, revision=1, edited_by=author
            )
    except IntegrityError:  # where rows cannot be locked, another tab began one a moment ago
        raise stale(problem, ProblemDraft.objects.select_related("edited_by").get(problem=problem)) from None


def discard_draft(*, author: User, problem: Problem, revision: int | None) -> bool:
    """Give up the draft; what is published stays. A problem that never was goes altogether: whether it did.

    ``revision`` as of ``save_draft``. Raises StaleDraft where the draft was changed meanwhile.
    """
    with transaction.atomic():
        own = lock_own(author, problem)
        draft = draft_of(own, revision)
        if own.current_id is None and not own.versions.exists():
            own.delete()
            return True
        if draft is not None:
            draft.delete()
    return False
