"""What people who teach do, in words: every deed of the audit trail has its own, and none is noted without."""

from collections.abc import Mapping
from types import MappingProxyType

DEEDS: Mapping[str, str] = MappingProxyType(
    {
        "course-made": "made the course",
        "course-edited": "changed the course",
        "course-copied": "copied it to another term",
        "archived": "put the course away",
        "taken-up": "took the course up again",
        "code-new": "made a new join code",
        "code-closed": "closed the door",
        "came-back": "came back by the join code",
        "role": "changed a role",
        "time-factor": "changed a time factor",
        "groups": "changed somebody’s groups",
        "group-made": "made a group",
        "group-renamed": "renamed a group",
        "group-deleted": "deleted a group",
        "dropped": "dropped somebody",
        "left": "left the course",
        "brought-back": "brought somebody back",
        "roster": "brought a roster in",
        "roster-added": "added by a roster",
        "roster-changed": "changed by a roster",
        "make-set": "made a set",
        "edit-set": "changed times or rules",
        "order-sets": "changed the order of sets",
        "copy-set": "copied a set",
        "retire-set": "took a set away",
        "publish-set": "published a set",
        "take-back-set": "took a set back",
        "release-results": "released results",
        "withhold-results": "withheld results again",
        "add-items": "put items in",
        "change-item": "changed an item",
        "move-item": "moved an item",
        "take-out-item": "took an item out",
        "put-back-item": "put an item back",
        "keep-pool": "changed a pool",
        "drop-pool": "dropped a pool",
        "extend": "gave an extension",
        "withdraw-extension": "took an extension back",
        "attempt-granted": "granted another attempt",
        "count-as": "changed when it counts as handed in",
        "override": "set a score by hand",
        "override-withdrawn": "took a score by hand back",
        "ruling": "decided for all",
        "ruling-withdrawn": "took a decision back",
        "regrade-made": "began a regrade",
        "regrade-applied": "applied a regrade",
        "regrade-undone": "undid a regrade",
        "regrade-dropped": "dropped a regrade",
        "withdraw-variant": "withdrew a variant",
        "restore-variant": "restored a variant",
        "print": "printed copies",
        "enter-paper": "entered a copy",
        "correct-paper": "corrected a copy",
        "void-paper": "took an entered copy back",
        "fault-settled": "settled a fault report",
    }
)


def deed_words(deed: str) -> str:
    """A deed in words; the deed itself where an older version wrote another one."""
    return DEEDS.get(deed, deed)
