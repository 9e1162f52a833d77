"""The report of a check in pictures, each with its table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exercises.figures import Drawing
from frontend.authoring.histogram import histogram
from frontend.authoring.lanes import Lane, active_chart, separation_chart

#: What spreads in how much work a variant is.
SPREAD_WORDS = {
    "operands": "Numbers to work with",
    "values": "Size of the values",
    "size": "Boxes and entries",
}


@dataclass(frozen=True)
class StepReport:
    """One step over all seeds: its keys as a histogram or as a list, and how much rounding is allowed."""

    step: str
    is_asked: bool
    keys: Drawing | None
    values: tuple[tuple[str, int], ...]
    allowance: Drawing | None


@dataclass(frozen=True)
class ReportView:
    """The whole report. ``mistakes`` are charts over all of them, None where there is none."""

    passed: bool
    seeds: int
    distinct: int
    draws: float
    seconds: float | None
    faults: tuple[Mapping[str, Any], ...]
    refusals: tuple[tuple[str, int], ...]
    steps: tuple[StepReport, ...]
    active: Drawing | None
    separation: Drawing | None
    nearest: tuple[tuple[str, int], ...]
    spread: tuple[Drawing, ...]


def report_view(report: Mapping[str, Any]) -> ReportView:
    """A stored report, drawn. What an older one lacks is left out."""
    mistakes: Sequence[Mapping[str, Any]] = report.get("mistakes", ())
    # Where keys are at fault the check goes no further: nothing is known of the mistakes then.
    if not report.get("passed") and not any(each["active"] for each in mistakes):
        mistakes = ()
    lanes = [Lane(each["note"], each["active"], each.get("separation")) for each in mistakes]
    return ReportView(
        passed=bool(report.get("passed")),
        seeds=int(report.get("seeds", 0)),
        distinct=int(report.get("distinct", 0)),
        draws=float(report.get("draws", 0)),
        seconds=report.get("seconds"),
        faults=tuple(report.get("faults") or ({"message": said} for said in report.get("failures", ()))),
        refusals=tuple(report.get("refusals", {}).items()),
        steps=tuple(_step(each) for each in report.get("steps", ())),
        active=active_chart(lanes) if lanes else None,
        separation=separation_chart(lanes) if any(lane.separation for lane in lanes) else None,
        nearest=tuple(
            (each["note"], each["nearest_seed"]) for each in mistakes if each.get("nearest_seed") is not None
        ),
        spread=tuple(
            histogram(each["distribution"], SPREAD_WORDS.get(each["what"], each["what"]), says=each.get("says", ""))
            for each in report.get("spread", ())
            if each.get("distribution")
        ),
    )


def _step(each: Mapping[str, Any]) -> StepReport:
    name = each["step"]
    keys, allowance = each.get("keys"), each.get("allowance")
    values = tuple((str(value), int(count)) for value, count in each.get("values") or ())
    return StepReport(
        step=name,
        is_asked=bool(each.get("asked")),
        keys=histogram(keys, f"Keys of {name}") if keys and not values else None,
        values=values,
        allowance=histogram(allowance, f"Rounding allowed at {name}", is_share=True) if allowance else None,
    )
