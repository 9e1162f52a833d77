"""What a check found, as data and as a table."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Report:
    """What the check of one problem found; it passed if there are no ``failures``. ``drawn``: draws by variant."""

    title: str
    seeds: int
    distinct: int = 0
    draws: float = 0.0
    failures: list[str] = field(default_factory=list)
    active: dict[str, float] = field(default_factory=dict)
    refusals: dict[str, int] = field(default_factory=dict)
    drawn: list[int] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return not self.failures

    def finish(self) -> None:
        """Leave one line a kind of failure, with how often it happened."""
        kinds = Counter(failure.split(" (seed ")[0] for failure in self.failures)
        first: dict[str, str] = {}
        for failure in self.failures:
            first.setdefault(failure.split(" (seed ")[0], failure)
        self.failures = [
            line if kinds[kind] == 1 else f"{line}, and {kinds[kind] - 1} more" for kind, line in first.items()
        ]

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "title": self.title, "passed": self.passed, "seeds": self.seeds, "distinct": self.distinct,
            "draws": round(self.draws, 3), "active": {note: round(share, 3) for note, share in self.active.items()},
            "refusals": self.refusals, "failures": self.failures,
        }  # fmt: skip


def summary(reports: Mapping[str, Report]) -> str:
    """A table of reports, one line a problem, failures below each."""
    lines = [f"{'problem':<28} {'seeds':>6} {'different':>9} {'draws':>6}  mistakes (least active)"]
    for slug, report in reports.items():
        least = min(report.active.items(), key=lambda item: item[1], default=("", 1.0))
        shown = f"{len(report.active)} ({least[0]} {least[1]:.0%})" if least[0] else "none"
        flag = "" if report.passed else "  FAILED"
        lines.append(f"{slug:<28} {report.seeds:>6} {report.distinct:>9} {report.draws:>6.2f}  {shown}{flag}")
        lines += [f"    {failure}" for failure in report.failures]
    return "\n".join(lines)
