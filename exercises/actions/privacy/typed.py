"""Taking out what somebody typed, while what it was worth stays exactly as it is.

Scores and evidence look at answers only to see whether two are the same: so each is written over by a word that is the
same for the same answer, made with a key that nobody keeps.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from exercises.actions.privacy.batches import in_batches
from exercises.bulk import rewrite
from exercises.models import AttemptItem, Grading, RegradeChange, Ruling, SavedAnswer, Submission, User
from exercises.models.submission import REMOVED_ANSWERS


def remove_typed(person: User) -> dict[str, int]:
    """Empty every answer of somebody; how many rows of each kind were. In the caller's transaction, in batches."""
    word = _words()
    # An answer that somebody accepted for all is theirs by now, and goes on counting.
    accepted = set(Ruling.objects.filter(problem_set__attempts__learner=person).values_list("read_as", flat=True))
    own = Submission.objects.filter(author=person).exclude(answers=REMOVED_ANSWERS)
    counts = {"submissions": 0, "verdicts": 0}
    for batch in in_batches(own.only("pk", "answers", "fingerprint", "idempotency_key")):
        for row in batch:
            row.answers, row.fingerprint = REMOVED_ANSWERS, word(row.fingerprint)
            row.idempotency_key = f"removed-{row.pk}"
        counts["verdicts"] += _verdicts([row.pk for row in batch], word, accepted)
        rewrite(batch, ("answers", "fingerprint", "idempotency_key"))
        counts["submissions"] += len(batch)
    saves = SavedAnswer.objects.filter(attempt_item__attempt__learner=person).exclude(answers={})
    counts["saved answers"] = saves.update(answers={})
    AttemptItem.objects.filter(attempt__learner=person).exclude(saved={}).update(saved={})
    return counts


def _words() -> Callable[[str], str]:
    key = secrets.token_bytes(32)
    return lambda said: "removed-" + hmac.new(key, said.encode(), hashlib.sha256).hexdigest()[:24]


def _verdicts(submissions: list[int], word: Callable[[str], str], accepted: set[str]) -> int:
    """Empty what the verdicts on these submissions say of the answer, also those that a dry run has made."""
    gradings = list(Grading.objects.filter(submission__any_of=submissions).only("pk", "verdict"))
    for row in gradings:
        row.verdict = _without(row.verdict, word, accepted)
    rewrite(gradings, ("verdict",))
    changes = list(RegradeChange.objects.filter(submission__any_of=submissions).only("pk", "after"))
    for change in changes:
        change.after = _without(change.after, word, accepted)
    rewrite(changes, ("after",))
    return len(gradings)


def _without(verdict: Mapping[str, Any], word: Callable[[str], str], accepted: set[str]) -> dict[str, Any]:
    marks = {}
    for step, mark in verdict["marks"].items():
        said, message = mark["read_as"], mark["message"]
        is_removed = said and said not in accepted
        marks[step] = mark | (
            {"read_as": word(said), "message": "" if said in message else message} if is_removed else {}
        )
    return {**verdict, "marks": marks}
