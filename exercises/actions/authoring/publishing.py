"""The gate between a draft and what learners meet: exactly this text passes a thousand seeds, or it does not go out."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max

from exercises import catalogue
from exercises.actions.authoring.checks import keep_report, report_for_page
from exercises.actions.authoring.own import NOT_YOURS, draft_of, lock_own, stale
from exercises.actions.authoring.problems import LAST
from exercises.actions.authoring.refused import AuthoringRefused, NotPublished
from exercises.models import Problem, ProblemDraft, ProblemVersion, User
from exercises.queries.authoring.faults import standing_faults
from exercises.queries.authoring.states import digest_of_text, is_done
from grader.errors import ProblemError
from grader.graph import Problem as Graph
from grader.problem import load
from grader.source import read_source

MOST_SUMMARY = 500
LONG = (
    "The check over a thousand seeds takes longer than a page can wait, so it goes on in the background. Nothing is "
    "published yet: look at the report in a minute, and publish once it has passed."
)


@dataclass(frozen=True)
class Published:
    """The version that learners are drawn from now; ``is_new`` is false where its text was a version already."""

    version: ProblemVersion
    is_new: bool


def publish_draft(
    *, author: User, problem: Problem, summary: str, revision: int, source: str | None = None
) -> Published:
    """Make the draft the current version of one's own problem. Variants in flight keep the version they have.

    ``summary`` says what is different, and may be left out of the first version. A text that was not checked yet is
    checked now, which takes some seconds; where it takes more than ten it goes on in the background, and nothing is
    published yet. With ``source`` a page whose text is what stands goes through whatever revision it shows, also once
    it is published: a second click publishes nothing twice.

    Raises StaleDraft, NotPublished with the reason and a seed that shows it, AuthoringRefused for the summary,
    TooMuchAtOnce.
    """
    if problem.owner_id != author.pk:
        raise AuthoringRefused(NOT_YOURS)
    draft = draft_of(problem, revision, source)
    if draft is None and source is not None and problem.current is not None:
        return Published(problem.current, is_new=False)
    if draft is None:
        raise AuthoringRefused("There is nothing to publish: learners meet this very text already.")
    words = _summary(summary, is_needed=problem.current_id is not None)
    graph = _readable(draft.source)
    digest = digest_of_text(draft.source)
    if not is_done(draft, digest):
        _check_now(author, problem, draft, digest)
    _pass(draft)
    with transaction.atomic():
        own = lock_own(author, problem)
        now = ProblemDraft.objects.select_related("edited_by").filter(problem=own).first()
        if now is None or now.source != draft.source:
            raise stale(own, now)
        published = _versioned(own, author, draft, digest, words)
        _take_over(own, graph, published.version)
        now.delete()
    return published


def _check_now(author: User, problem: Problem, draft: ProblemDraft, digest: str) -> None:
    """Check a draft while somebody waits, and keep what was found. Raises NotPublished where that takes too long."""
    report = report_for_page(author, draft, digest)
    if report is None:
        raise NotPublished(LONG)
    draft.report = report
    if not keep_report(draft.pk, digest, report):
        raise stale(problem, ProblemDraft.objects.select_related("edited_by").filter(problem=problem).first())


def _summary(text: str, *, is_needed: bool) -> str:
    words = " ".join(text.split())
    if len(words) > MOST_SUMMARY or (is_needed and not words):
        message = f"Say in up to {MOST_SUMMARY} characters what is different from the version before."
        raise AuthoringRefused(message, {"summary": message})
    return words


def _readable(source: str) -> Graph:
    """The problem of a text that may go out. Raises NotPublished."""
    try:
        graph = load(source)
    except ProblemError as error:
        raise NotPublished("This is no problem yet: mend the lines below.", source_faults=error.faults) from error
    if faults := standing_faults(graph, read_source(source)):
        raise NotPublished(faults[0].message, source_faults=faults)
    return graph


def _pass(draft: ProblemDraft) -> None:
    report = draft.report
    if report.get("passed"):
        return
    unknown: dict[str, Any] = {"message": "the check did not come to an end"}
    fault = next(iter(report.get("faults", ())), unknown)
    seed = fault.get("seed")
    shown = f" Seed {seed} shows it." if seed is not None else ""
    raise NotPublished(f"It does not pass the check: {fault['message']}.{shown}", seed=seed, report=report)


def _versioned(problem: Problem, author: User, draft: ProblemDraft, digest: str, summary: str) -> Published:
    """The version with this very text, written now if there is none."""
    there = problem.versions.filter(digest=digest).first()
    if there is not None:
        if there.adapted_from_id is not None:
            # Until now it was an item's only; from now on it is a version like the others.
            problem.versions.filter(pk=there.pk).update(adapted_from=None)
        return Published(there, is_new=False)
    last = problem.versions.aggregate(last=Max("number"))["last"] or 0
    version = ProblemVersion.objects.create(
        problem=problem, number=last + 1, source=draft.source, digest=digest, author=author, summary=summary,
        report=draft.report,
    )  # fmt: skip
    return Published(version, is_new=True)


def _take_over(problem: Problem, graph: Graph, version: ProblemVersion) -> None:
    order = {skill.id: place for place, skill in enumerate(catalogue.skills())}
    problem.title = graph.title
    problem.summary = graph.summary
    problem.skills = list(graph.skills)
    problem.position = max((order[skill] for skill in graph.skills), default=LAST)
    problem.current = version
    problem.fault = ""
    problem.save(update_fields=["title", "summary", "skills", "position", "current", "fault"])
