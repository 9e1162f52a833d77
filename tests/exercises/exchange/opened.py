"""What the tests of exports share: the catalogue as it is exported, and the files of a package."""

import datetime as dt
import io
import zipfile
from fractions import Fraction

from exercises import catalogue
from exercises.exchange.package import Package
from exercises.exchange.variants import Chosen
from grader.problem import load

AT = dt.datetime(2026, 11, 30, 5, 7, tzinfo=dt.UTC)
SLUGS = catalogue.slugs()


def built_in(slug: str, **more: object) -> Chosen:
    """A problem of the catalogue."""
    source = catalogue.source(slug)
    return Chosen(slug, load(source).title, source, 1, **more)  # type: ignore[arg-type]


def written(source: str, **more: object) -> Chosen:
    """A problem of one's own."""
    return Chosen("mine", load(source).title, source, 1, **more)  # type: ignore[arg-type]


def files_of(package: Package) -> dict[str, bytes]:
    """What is in the zip."""
    with zipfile.ZipFile(io.BytesIO(package.content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def share(weight: int, weights: list[int]) -> Fraction:
    """The share of one weight among all."""
    return Fraction(weight, sum(weights))
