"""A file to be handed over: its bytes, its name, what its report says. The same content gives the same bytes."""

import io
import re
import unicodedata
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass

from exercises.exchange.report import Report

#: The earliest time that a zip can say: no clock goes into a file.
_TIME = (1980, 1, 1, 0, 0, 0)
_READABLE = 0o644 << 16
REPORT = "report.txt"


@dataclass(frozen=True)
class Package:
    """A zip, its file name, its content type, and what was lost on the way into it."""

    content: bytes
    name: str
    report: Report
    content_type: str = "application/zip"


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip of these files, sorted by name, all of one time and one mode: equal files give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, _TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3  # Unix, wherever it is written
            info.external_attr = _READABLE
            archive.writestr(info, files[name])
    return buffer.getvalue()


def packed(files: Mapping[str, bytes], name: str, report: Report) -> Package:
    """The package of these files with their report in it."""
    return Package(zipped({**files, REPORT: report.to_text().encode()}), name, report)


def file_stem(text: str) -> str:
    """A title as the stem of a file's name: a-z, 0-9 and hyphens, at most 60."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:60].strip("-") or "untitled"
