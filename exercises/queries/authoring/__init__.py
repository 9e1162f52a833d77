"""What an author sees: lists, the editor, variants with their keys, and what a change would mean."""

from exercises.queries.authoring.compatibility import Compatibility, compatibility
from exercises.queries.authoring.difference import Change, Difference, DiffLine, difference
from exercises.queries.authoring.faults import SourceFault, faults
from exercises.queries.authoring.language import Completion, completions, outline, vocabulary
from exercises.queries.authoring.listing import (
    AuthoredRow,
    Editor,
    ProblemPage,
    VersionPage,
    VersionRow,
    editor_of,
    library,
    own_problems,
    published_versions,
    shared_problems,
    version_of,
    versions_of,
    withdrawn_in,
    withdrawn_of,
)
from exercises.queries.authoring.seeing import KeyRow, MistakeRow, Pane, Preview, Tried, TriedRow, preview, tried
from exercises.queries.authoring.states import CheckState

__all__ = [
    "AuthoredRow",
    "Change",
    "CheckState",
    "Compatibility",
    "Completion",
    "DiffLine",
    "Difference",
    "Editor",
    "KeyRow",
    "MistakeRow",
    "Pane",
    "Preview",
    "ProblemPage",
    "SourceFault",
    "Tried",
    "TriedRow",
    "VersionPage",
    "VersionRow",
    "compatibility",
    "completions",
    "difference",
    "editor_of",
    "faults",
    "library",
    "outline",
    "own_problems",
    "preview",
    "published_versions",
    "shared_problems",
    "tried",
    "version_of",
    "versions_of",
    "vocabulary",
    "withdrawn_in",
    "withdrawn_of",
]
