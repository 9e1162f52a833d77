"""Problems, their versions and drafts, for those who write them."""

from collections.abc import Sequence
from typing import Any

from exercises.models import ExternalId, Problem, ProblemVersion, User, WithdrawnVariant
from exercises.queries.authoring import Editor, Preview, faults
from exercises.queries.external_ids import external_ids
from server.api.shapes import problems as shapes


def problems_told(author: User, rows: Sequence[Any]) -> list[dict[str, Any]]:
    """Problems as ``queries.authoring.library`` finds them. One query for all of them."""
    names = external_ids(author, ExternalId.Kind.PROBLEM, [row.pk for row in rows])
    return [shapes.AuthoredProblem(_said(row, author, names)).data for row in rows]


def problem_told(author: User, problem: Problem, *, has_draft: bool) -> dict[str, Any]:
    """One problem with the text that learners meet. One query."""
    row: Any = problem
    row.has_draft = has_draft
    said = _said(row, author, external_ids(author, ExternalId.Kind.PROBLEM, [problem.pk]))
    source = problem.current.source if problem.current else None
    return shapes.AuthoredProblemText({**said, "source": source}).data


def versions_told(problem: Problem, rows: Sequence[ProblemVersion]) -> list[dict[str, Any]]:
    """Versions with their authors. No query."""
    return [shapes.ProblemVersion(_version(problem, row)).data for row in rows]


def version_told(problem: Problem, version: ProblemVersion) -> dict[str, Any]:
    """One version with its text. No query."""
    said = {**_version(problem, version), "source": version.source, "report": version.report}
    return shapes.ProblemVersionText(said).data


def draft_told(editor: Editor) -> dict[str, Any]:
    """What the editor of a problem opens. No query."""
    based_on = editor.based_on.number if editor.based_on else None
    return shapes.Draft({**vars(editor), "based_on": based_on, "faults": faults(editor.source)}).data


def check_told(editor: Editor) -> dict[str, Any]:
    """How the check of a draft stands, and what it found. No query."""
    is_done = editor.check in ("passed", "failed")
    said = {"state": editor.check, "revision": editor.revision, "digest": editor.digest}
    return shapes.Check({**said, "report": editor.report if is_done else {}}).data


def preview_told(preview: Preview) -> dict[str, Any]:
    """Variants side by side. No query."""
    return shapes.ProblemPreview({**vars(preview), "variants": [vars(pane) for pane in preview.panes]}).data


def withdrawn_told(rows: Sequence[WithdrawnVariant]) -> list[dict[str, Any]]:
    """Withdrawn variants with who withdrew them, and where. No query."""
    return [
        shapes.WithdrawnVariant(
            {
                **{name: getattr(row, name) for name in ("digest", "seed", "parameters", "reason", "created_at")},
                "withdrawn_by": row.withdrawn_by.get_username() if row.withdrawn_by else None,
                "course": row.course.public_id if row.course else None,
            }
        ).data
        for row in rows
    ]


def _said(row: Any, author: User, names: dict[int, str]) -> dict[str, Any]:
    is_own = row.owner_id == author.pk
    origin = row.forked_from
    plain = ("slug", "title", "summary", "skills", "is_shared", "licence", "fault", "updated_at")
    return {
        **{name: getattr(row, name) for name in plain},
        "external_id": names.get(row.pk),
        "owner": row.owner.get_username() if row.owner else None,
        "is_own": is_own,
        "is_retired": row.retired,
        "version": row.current.number if row.current else None,
        "has_draft": is_own and row.has_draft,
        "forked_from": {"problem": origin.problem.slug, "version": origin.number} if is_own and origin else None,
    }


def _version(problem: Problem, version: ProblemVersion) -> dict[str, Any]:
    plain = ("number", "digest", "created_at", "summary")
    return {
        **{name: getattr(version, name) for name in plain},
        "author": version.author.get_username() if version.author else None,
        "is_current": version.pk == problem.current_id,
        "has_passed": None if version.report is None else bool(version.report.get("passed")),
    }
