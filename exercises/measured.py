"""What is counted of marking, for whoever runs the service. Counting never fails what is counted."""

from collections.abc import Sequence

from prometheus_client import Counter, Histogram

from exercises import clock
from exercises.models import Submission
from grader.verdict import OWN_NOTES, Verdict

#: From a stored answer to its recorded verdict, in seconds.
VERDICT_SECONDS = Histogram(
    "gym_verdict_seconds",
    "Seconds from a stored answer to its recorded verdict.",
    buckets=(0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300),
)
BATCH_ANSWERS = Histogram(
    "gym_batch_answers", "Answers that were claimed and marked together.", buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500)
)
MARKS = Counter("gym_marks", "Steps that were marked, by outcome and by the road taken.", ("outcome", "note"))
NOT_MARKED = Counter(
    "gym_answers_not_marked", "Tries at marking an answer that failed, and whether it is tried again.", ("tried_again",)
)
#: Stands for all mistakes that problems name: their names are as many as authors like.
NAMED = "named-mistake"
_OWN = frozenset(OWN_NOTES)


def count_recorded(
    judged: Sequence[tuple[Submission, Verdict]], failed: Sequence[Submission], given_up: Sequence[Submission]
) -> None:
    """Count what a batch came to just now, in the process that recorded it: verdicts, and answers that could not be
    marked, of which those that are ``given_up`` are tried no more."""
    now, over = clock.now(), {row.pk for row in given_up}
    if judged or failed:
        BATCH_ANSWERS.observe(len(judged) + len(failed))
    for submission, verdict in judged:
        VERDICT_SECONDS.observe(max(0.0, (now - submission.created_at).total_seconds()))
        for mark in verdict.marks:
            MARKS.labels(mark.outcome, mark.note if mark.note in _OWN else NAMED).inc()
    for row in failed:
        NOT_MARKED.labels("no" if row.pk in over else "yes").inc()
