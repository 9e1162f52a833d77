"""Writing problems in the browser: from a draft that may be any text to a version that passed a thousand seeds."""

from exercises.actions.authoring.checks import ask_check, check_draft, quick_check
from exercises.actions.authoring.drafts import discard_draft, rewrite_problem, save_draft
from exercises.actions.authoring.problems import (
    bring_back,
    change_problem,
    fork_problem,
    new_problem,
    retire_problem,
    set_licence,
    set_shared,
)
from exercises.actions.authoring.publishing import Published, publish_draft
from exercises.actions.authoring.refused import AuthoringRefused, NotPublished, StaleDraft
from exercises.actions.authoring.withdrawing import restore_variant, withdraw_variant

__all__ = [
    "AuthoringRefused",
    "NotPublished",
    "Published",
    "StaleDraft",
    "ask_check",
    "bring_back",
    "change_problem",
    "check_draft",
    "discard_draft",
    "fork_problem",
    "new_problem",
    "publish_draft",
    "quick_check",
    "restore_variant",
    "retire_problem",
    "rewrite_problem",
    "save_draft",
    "set_licence",
    "set_shared",
    "withdraw_variant",
]
