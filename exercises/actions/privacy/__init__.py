"""One person's data: all of it as a file for them, taken out of the service again, kept no longer than is said; and the
work of a course for research, without its people."""

from exercises.actions.privacy.asking import erase_myself, export_myself
from exercises.actions.privacy.erase import ERASED, Erased, ErasureRefused, erase_person, stands_in_a_course
from exercises.actions.privacy.export import export_name, export_of
from exercises.actions.privacy.keeping import keep_no_longer
from exercises.actions.privacy.sessions import end_sessions

__all__ = [
    "ERASED",
    "Erased",
    "ErasureRefused",
    "end_sessions",
    "erase_myself",
    "erase_person",
    "export_myself",
    "export_name",
    "export_of",
    "keep_no_longer",
    "stands_in_a_course",
]
