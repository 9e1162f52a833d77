"""What stands in the rows of a problem set and its items as plain details, and back."""

import json
from hashlib import sha256
from typing import Any, cast

from exercises.course_rules import policy_of
from exercises.courses.rules import Feedback, Mode, Retry
from exercises.courses.set_details import SetDetails
from exercises.courses.shares import share_words, shares_words
from exercises.courses.wording import moment_in_words
from exercises.models import Extension, Pool, ProblemSet, ProblemVersion, SetItem


def details_of(problem_set: ProblemSet) -> SetDetails:
    """Everything that a form writes on a set, as it stands there; shares as far as they can be read."""
    policy = policy_of(problem_set)
    return SetDetails(
        title=problem_set.title,
        mode=cast("Mode", problem_set.mode),
        instructions=problem_set.instructions,
        opens_at=problem_set.opens_at,
        due_at=problem_set.due_at,
        closes_at=problem_set.closes_at,
        time_limit=problem_set.time_limit,
        credits=policy.credits,
        retry=cast("Retry", problem_set.retry),
        feedback=cast("Feedback", problem_set.feedback),
        late=policy.late,
        hints=problem_set.hints,
        shuffle=problem_set.shuffle,
        pass_mark=policy.pass_mark,
    )


def values_of(details: SetDetails) -> dict[str, Any]:
    """The details as values of the row: shares as exact text."""
    return {
        **vars(details),
        "credits": [str(share) for share in details.credits],
        "late": [str(share) for share in details.late],
        "pass_mark": "" if details.pass_mark is None else str(details.pass_mark),
    }


def said_details(details: SetDetails, time_zone: str) -> dict[str, str]:
    """The details in words, by field: for the audit trail, and for two people who edited at once."""
    times = {
        name: moment_in_words(moment, time_zone) if moment else "none"
        for name in ("opens_at", "due_at", "closes_at")
        for moment in (getattr(details, name),)
    }
    return {
        "title": details.title,
        "instructions": details.instructions,
        "mode": details.mode,
        **times,
        "time_limit": f"{details.time_limit} minutes" if details.time_limit else "none",
        "credits": shares_words(details.credits) or "none",
        "retry": {"same": "the same variant again", "new": "a new variant for each try"}[details.retry],
        "feedback": details.feedback,
        "late": shares_words(details.late) or "none",
        "hints": "yes" if details.hints else "no",
        "shuffle": "yes" if details.shuffle else "no",
        "pass_mark": share_words(details.pass_mark) if details.pass_mark is not None else "none",
    }


def state_of(item: SetItem) -> str:
    """What stands on an item, as a short text that changes with it: a form carries it to tell whether it is old.

    ``item`` comes with its pool.
    """
    pool = (item.pool.pk, item.pool.name) if item.pool else None
    said = [
        str(item.weight.normalize()),
        item.variants,
        item.asked,
        item.version_id,
        item.adaptation,
        pool,
        item.retired,
    ]
    return sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]


def state_of_pool(pool: Pool) -> str:
    """The same for a pool."""
    said = [pool.pk, pool.name, pool.choose, str(pool.weight.normalize())]
    return sha256(json.dumps(said).encode()).hexdigest()[:16]


def base_of(item: SetItem) -> ProblemVersion | None:
    """The version of its author that an item is drawn from: what it was adapted from, where it was. None is whichever
    is current. ``item`` comes with its version and what that was adapted from."""
    version = item.version
    return version.adapted_from if version is not None and version.adapted_from is not None else version


def has_passed(version: ProblemVersion) -> bool:
    """Whether learners may be given a version: one that was adapted for a set, once its check has passed."""
    return version.adapted_from_id is None or bool((version.report or {}).get("passed"))


def state_of_extension(extension: Extension | None) -> str:
    """The same for an extension; empty for none."""
    if extension is None:
        return ""
    moments = [str(moment) for moment in (extension.opens_at, extension.due_at, extension.closes_at)]
    said = [extension.pk, *moments, extension.time_limit, extension.attempts, extension.reason]
    return sha256(json.dumps(said).encode()).hexdigest()[:16]
