"""What the pages about one problem are given, in a bounded number of queries."""

from collections.abc import Mapping
from typing import Any

from exercises.models import Problem
from exercises.queries import authoring as queries
from frontend.authoring.desk import Desk, current_text
from frontend.authoring.panes import preview_context
from frontend.authoring.report import report_view

#: What the state of a check is called.
CHECK_WORDS = {
    "none": "not checked yet",
    "waiting": "being checked",
    "passed": "passes",
    "failed": "does not pass",
    "other-text": "changed since it was checked",
}


def reading_context(found: Desk, *, first: int) -> dict[str, Any]:
    """A problem of somebody else, as it is now. Two queries."""
    text = current_text(found.problem)
    return {
        **found.context,
        **preview_context(text, first),
        "text": text,
        "ancestor": ancestor(found.problem),
        "tab": "editor",
    }


def editor_context(
    found: Desk, *, first: int, text: str | None = None, revision: int = 0, notice: str = ""
) -> dict[str, Any]:
    """The editor with the draft in it, or with ``text`` that is not stored, from a page that showed ``revision``. Three
    queries."""
    editor = queries.editor_of(found.problem)
    shown = editor.source if text is None else text
    preview = preview_context(shown, first)
    return {
        **found.context,
        **preview,
        **_check(editor),
        "text": shown,
        "revision": editor.revision if text is None else revision,
        "is_unsaved": text is not None and text != editor.source,
        "faults": preview["preview"].faults,
        "ancestor": ancestor(found.problem),
        "notice": notice,
        "tab": "editor",
    }


def check_context(found: Desk) -> dict[str, Any]:
    """How the check of the draft stands. Two queries."""
    return {**found.context, **_check(queries.editor_of(found.problem))}


def publish_context(found: Desk) -> dict[str, Any]:
    """What publishing the draft would come to: the gate, the difference, and the variants in flight."""
    editor = queries.editor_of(found.problem)
    current = found.problem.current
    faults = queries.faults(editor.source)
    return {
        **found.context,
        **_check(editor),
        **(compared(current.source, editor.source) if current else {}),
        "faults": faults,
        "compatibility": queries.compatibility(current, editor.source) if current and not faults else None,
        "tab": "editor",
    }


def compared(old: str, new: str) -> dict[str, Any]:
    """Two texts beside each other. No query."""
    return {"difference": queries.difference(old, new)}


def ancestor(problem: Problem) -> Problem | None:
    """The problem that this one was forked from. One query unless it came along."""
    return problem.forked_from.problem if problem.forked_from else None


def _check(editor: queries.Editor) -> dict[str, Any]:
    report: Mapping[str, Any] = editor.report
    return {
        "editor": editor,
        "check_words": CHECK_WORDS[editor.check],
        "report": report_view(report) if report.get("seeds") else None,
    }
