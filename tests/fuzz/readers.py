"""All readers, by their names."""

from pathlib import Path

from tests.fuzz import of_files, of_grader, of_lti, of_rest, of_tables, of_texts
from tests.fuzz.reader import Reader

READERS: dict[str, Reader] = {
    reader.name: reader
    for room in (of_grader, of_texts, of_files, of_tables, of_lti, of_rest)
    for reader in room.READERS
}  # fmt: skip
CORPUS = Path(__file__).with_name("corpus")


def corpus(name: str) -> list[bytes]:
    """The inputs that are kept for a reader, in the order of their names."""
    return [path.read_bytes() for path in sorted((CORPUS / name).iterdir()) if path.is_file()]
