"""Opening a zip that somebody sent: known names only, every size counted while it is read, one fault hides no other."""

import io
import re
import stat
import zipfile
import zlib
from collections import Counter
from dataclasses import dataclass, field

from grader.sizes import size_words, too_large

#: Of the file that is sent, of one file in it, and of all of them unpacked.
MOST_BYTES = 4_000_000
MOST_ONE = 4_000_000
MOST_UNPACKED = 16_000_000
MOST_FILES = 1_000
#: What a file that has no name is called.
NAMELESS = "(a file without a name)"
_CHUNK = 64 * 1024
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}(?:\.[a-z0-9]{1,8})?(?:/[A-Za-z0-9][A-Za-z0-9_.-]{0,120})?")
_INNER = re.compile(rb"PK\x03\x04|\x1f\x8b|BZh|7z\xbc\xaf|\xfd7zXZ|Rar!")


class ArchiveRefused(ValueError):
    """A file that is not opened at all; the message says why."""


@dataclass
class Opened:
    """The files that could be read, and by name why others could not."""

    files: dict[str, bytes] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)


def is_zip(content: bytes) -> bool:
    """Whether it begins as a zip does."""
    return content.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def opened(content: bytes) -> Opened:
    """What is in a zip. Raises ArchiveRefused for what is no zip, or far more than anybody exports."""
    if len(content) > MOST_BYTES:
        raise ArchiveRefused(f"{too_large(len(content), MOST_BYTES)}. Export fewer problems at once.")
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError, EOFError) as error:
        raise ArchiveRefused(f"This zip cannot be opened ({error}): download it again.") from error
    with archive:
        infos = archive.infolist()
        if len(infos) > MOST_FILES:
            raise ArchiveRefused(f"There are {len(infos):,} files in this zip; {MOST_FILES:,} are the most.")
        found = Opened()
        times = Counter(info.filename for info in infos)
        room = _Room()
        for info in infos:
            shown = info.filename[:120] or NAMELESS
            if info.filename and info.is_dir() and _NAME.fullmatch(info.filename.rstrip("/")):
                continue
            if fault := _unfit(info, times):
                found.faults[shown] = fault
                continue
            try:
                data = _unpacked(archive, info, room)
            except ArchiveRefused:
                raise
            except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError) as error:
                found.faults[shown] = f"it cannot be unpacked: {error}"
                continue
            if _INNER.match(data):
                found.faults[shown] = "it is an archive within the archive, which is not opened."
                continue
            found.files[info.filename] = data
    return found


def _unfit(info: zipfile.ZipInfo, times: Counter[str]) -> str:
    """Why an entry is not even read; empty where it may be."""
    kind = stat.S_IFMT(info.external_attr >> 16)
    if times[info.filename] > 1:
        return "there are several files of this name, so it is not known which is meant."
    if not _NAME.fullmatch(info.filename):
        return "this name is not one that an export gives: no path leads out of the file."
    if kind not in (0, stat.S_IFREG):
        return "it is a link or a device, and no file."
    if info.flag_bits & 0x1:
        return "it is encrypted."
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "it is packed in a way that is not read here: pack it with the usual one (deflate)."
    return ""


@dataclass
class _Room:
    """How many bytes may still be unpacked, also of entries that are thrown away: they take as long as others."""

    left: int = MOST_UNPACKED


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, room: _Room) -> bytes:
    """The content of one entry, counted as it comes: what the entry says of its size is not believed.

    Raises ValueError, ArchiveRefused where all together are too large.
    """
    parts, size = [], 0
    with archive.open(info) as stream:
        while chunk := stream.read(_CHUNK):
            size += len(chunk)
            room.left -= len(chunk)
            if room.left < 0:
                raise ArchiveRefused(f"Unpacked this is more than {size_words(MOST_UNPACKED)}: divide it.")
            if size > MOST_ONE:
                raise ValueError(f"unpacked it is more than {size_words(MOST_ONE)}")
            parts.append(chunk)
    return b"".join(parts)
