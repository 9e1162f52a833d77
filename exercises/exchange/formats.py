"""The forms in which problems leave, with what each is good for."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from exercises.exchange.canvas.writing import canvas_package
from exercises.exchange.moodle.writing import moodle_package
from exercises.exchange.package import Package
from exercises.exchange.qti3.writing import qti3_package
from exercises.exchange.variants import CannotExport, Chosen, Variants

OWN = "own"


@dataclass(frozen=True)
class Format:
    """One form. ``write`` is None for our own, which needs more than variants."""

    key: str
    title: str
    says: str
    write: Callable[..., Package] | None = None


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        each.key: each
        for each in (
            Format(OWN, "BERT gym", "The problem files themselves. Nothing is lost, and it can be imported again."),
            Format(
                "moodle",
                "Moodle XML",
                "Variants as cloze questions with tolerances, part marks and words on named mistakes. No plug-in.",
                moodle_package,
            ),
            Format(
                "canvas",
                "Canvas (QTI 1.2)",
                "A quiz of question groups: each learner gets one variant of every part, with tolerances.",
                canvas_package,
            ),
            Format(
                "qti3",
                "QTI 3",
                "Items that draw their own numbers where QTI can say how; fixed variants with part marks and words.",
                qti3_package,
            ),
        )
    }
)


def package_of(key: str, chosen: Sequence[Chosen], wanted: Variants, *, name: str, at: dt.datetime) -> Package:
    """Variants of these problems in one of the forms. Raises CannotExport, also for a form that there is not."""
    found = FORMATS.get(key)
    if found is None or found.write is None:
        raise CannotExport(f"There is no such format: choose one of {', '.join(FORMATS)}.")
    return found.write(chosen, wanted, name=name, at=at)
