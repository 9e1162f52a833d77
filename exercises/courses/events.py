"""What happens in a course, for programs that follow it: the kinds of events, and which deed of staff is which."""

from collections.abc import Mapping
from types import MappingProxyType

#: What programs may ask for, with what it means.
KINDS: Mapping[str, str] = MappingProxyType(
    {
        "attempt.begun": "a learner began an attempt",
        "attempt.handed-in": "an attempt was handed in, by its learner or because time was up",
        "course.changed": "the course itself was changed, put away or taken up again",
        "enrolment.added": "somebody came into the course, or came back",
        "enrolment.changed": "somebody's role, time factor, groups or name changed, or their account was erased",
        "enrolment.dropped": "somebody left the course or was dropped",
        "extension.changed": "an extension or another attempt was given or taken back",
        "grade.decided": "somebody who teaches decided about scores, of one learner or for all",
        "problem-set.changed": "items, times or rules of a set changed",
        "problem-set.published": "learners see a set from now on",
        "problem-set.withdrawn": "learners do not see a set any more",
        "regrade.applied": "a regrade was applied",
        "regrade.undone": "a regrade was undone",
        "results.released": "learners see how they did in a set from now on",
        "results.withheld": "results of a set are hidden again",
        "score.changed": "what a learner's attempt counts for changed",
        "submission.graded": "an answer in an attempt was marked",
    }
)

#: A deed that is in no event is nobody's business outside, such as a printed copy or a new join code.
OF_DEED: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("course-edited", "archived", "taken-up"), "course.changed"),
        **dict.fromkeys(("came-back", "brought-back", "roster-added", "lms-added"), "enrolment.added"),
        **dict.fromkeys(("role", "time-factor", "groups", "roster-changed", "lms-role", "erased"), "enrolment.changed"),
        **dict.fromkeys(("dropped", "left", "lms-dropped"), "enrolment.dropped"),
        **dict.fromkeys(("extend", "withdraw-extension", "attempt-granted", "count-as"), "extension.changed"),
        **dict.fromkeys(("override", "override-withdrawn", "ruling", "ruling-withdrawn"), "grade.decided"),
        **dict.fromkeys(
            (
                "make-set", "edit-set", "copy-set", "add-items", "change-item", "move-item", "take-out-item",
                "put-back-item", "keep-pool", "drop-pool",
            ),
            "problem-set.changed",
        ),
        "publish-set": "problem-set.published",
        **dict.fromkeys(("take-back-set", "retire-set"), "problem-set.withdrawn"),
        "release-results": "results.released",
        "withhold-results": "results.withheld",
        "regrade-applied": "regrade.applied",
        "regrade-undone": "regrade.undone",
    }
)  # fmt: skip


def known(kinds: list[str]) -> list[str]:
    """Those of the kinds that there are, each once and in order."""
    wanted = set(kinds)
    return [kind for kind in KINDS if kind in wanted]
