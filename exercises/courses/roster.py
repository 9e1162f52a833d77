"""The roster of a course as a table: who is named in it and as what, and what is wrong with which line."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType

from exercises.courses.cells import Fault, Line, TableRefused, lines_of, unguarded, written
from exercises.courses.rights import RIGHTS

MOST_PEOPLE = 2_000
COLUMNS = ("username", "email", "name", "role", "group", "external_id", "time_factor")
#: Other words that rosters have over the same columns.
ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "user": "username", "user_name": "username", "login": "username", "e_mail": "email", "mail": "email",
        "full_name": "name", "groups": "group", "id": "external_id", "student_id": "external_id",
    }
)  # fmt: skip
ROLE_WORDS: Mapping[str, str] = MappingProxyType(
    {**{role: role for role in RIGHTS}, "student": "learner", "teacher": "instructor", "tutor": "assistant"}
)
#: Between the groups in one cell.
BETWEEN_GROUPS = "|"
LEAST_FACTOR, MOST_FACTOR = Decimal(1), Decimal(10)
LONGEST = MappingProxyType({"username": 150, "email": 254, "name": 200, "external_id": 100})
LONGEST_GROUP = 80
MOST_GROUPS = 20

_FACTOR = re.compile(r"(\d{1,4})(?:[.,](\d{1,6}))?\s*(%?)")
_USERNAME = re.compile(r"[\w.@+-]+")
_EMAIL_PART = r"[^@\s<>,;:\"()\[\]\\]+"
_EMAIL = re.compile(rf"{_EMAIL_PART}@{_EMAIL_PART}")


@dataclass(frozen=True)
class Person:
    """One line of a roster. ``username`` or ``email`` is there; what is None was not said, and changes nothing."""

    line: int
    username: str = ""
    email: str = ""
    name: str | None = None
    role: str | None = None
    groups: tuple[str, ...] | None = None
    external_id: str | None = None
    time_factor: Decimal | None = None

    @property
    def said(self) -> str:
        """What the line calls them by."""
        return self.username or self.email


@dataclass(frozen=True)
class Roster:
    """A table that was read. ``ignored`` are the columns that say nothing here, as they are called there."""

    people: tuple[Person, ...]
    faults: tuple[Fault, ...]
    ignored: tuple[str, ...] = ()


def read_roster(text: str) -> Roster:
    """Who is named in a table, in its order, and the lines that cannot be used, which stand in no other's way.

    Its first line names the columns, in any order; ``username`` or ``email`` must be among them. An empty cell, like a
    column that is missing, says nothing. Raises TableRefused for a table that cannot be used as a whole.
    """
    head, *lines = lines_of(text, most=MOST_PEOPLE)
    names = _names(head.cells)
    people: list[Person] = []
    faults: list[Fault] = []
    for line in lines:
        try:
            people.append(_person(line, names))
        except ValueError as error:
            faults.append(Fault(line.line, str(error)))
    ignored = tuple(cell.strip() for cell, name in zip(head.cells, names, strict=True) if not name and cell.strip())
    return Roster(tuple(people), tuple(faults), ignored)


def written_roster(people: Iterable[Person]) -> str:
    """The table of these people; read again it says the same, and nothing in it is a formula."""
    return written(COLUMNS, (_cells(person) for person in people))


def read_factor(text: str) -> Decimal:
    """A time factor: ``1.25``, ``1,25`` or ``125 %``. Raises ValueError with what to write."""
    found = _FACTOR.fullmatch(text.strip())
    if found is not None:
        whole, part, percent = found.groups()
        factor = Decimal(f"{whole}.{part or 0}") / (100 if percent else 1)
        if LEAST_FACTOR <= factor <= MOST_FACTOR and factor == round(factor, 2):
            return round(factor, 2)
    raise ValueError("Write the time factor as a number from 1 to 10 such as 1.25, or as 125 %.")


def factor_text(factor: Decimal) -> str:
    """A time factor as it is written: ``1.25``."""
    return f"{factor.normalize():f}"


def same_name(username: str) -> str:
    """What usernames have in common that cannot be told apart, or only by their capitals."""
    return unicodedata.normalize("NFKC", username).casefold()


def tidy(text: str) -> str:
    """A text with one blank between its words, and none around it."""
    return " ".join(text.split())


def _names(cells: Sequence[str]) -> list[str]:
    """The column under each cell of the head; empty for one that says nothing here."""
    keys = [re.sub(r"[\s-]+", "_", unguarded(cell).strip().lower()) for cell in cells]
    names = [key if key in COLUMNS else ALIASES.get(key, "") for key in keys]
    twice = next((name for name in COLUMNS if names.count(name) > 1), None)
    if twice:
        raise TableRefused(f"Two columns are called {twice}: take one out.")
    if not {"username", "email"} & set(names):
        raise TableRefused(
            "The first line must name the columns, among them username or email: "
            f"{', '.join(COLUMNS)} are those that are read."
        )
    return names


def _person(line: Line, names: Sequence[str]) -> Person:
    if len(line.cells) > len(names):
        raise ValueError(f"There are {len(line.cells)} cells for {len(names)} columns: is a quotation mark missing?")
    said = {name: _clean(cell) for name, cell in zip(names, line.cells, strict=False) if name}
    username, email = said.get("username", ""), said.get("email", "")
    if not username and not email:
        raise ValueError("Neither a username nor an e-mail is given: nobody is named.")
    for name, most in LONGEST.items():
        if len(said.get(name, "")) > most:
            raise ValueError(f"The {name.replace('_', ' ')} has more than {most} characters.")
    if username and not _USERNAME.fullmatch(username):
        raise ValueError("A username has only letters, digits and . @ + - _ in it.")
    if email and not _EMAIL.fullmatch(email):
        raise ValueError(f"{email} is no e-mail address.")
    return Person(
        line=line.line, username=username, email=email, name=said.get("name") or None, role=_role(said.get("role", "")),
        groups=_groups(said.get("group", "")), external_id=said.get("external_id") or None,
        time_factor=read_factor(said["time_factor"]) if said.get("time_factor") else None,
    )  # fmt: skip


def _clean(cell: str) -> str:
    text = tidy(unguarded(cell))
    if any(unicodedata.category(letter) in ("Cc", "Cs") for letter in text):
        raise ValueError("A cell holds a character that cannot be seen: write it again.")
    return text


def _role(said: str) -> str | None:
    if not said:
        return None
    if said.lower() not in ROLE_WORDS:
        raise ValueError(f"There is no role {said[:40]}: write {', '.join(RIGHTS)}, or nothing.")
    return ROLE_WORDS[said.lower()]


def _groups(said: str) -> tuple[str, ...] | None:
    names = {tidy(name) for name in said.split(BETWEEN_GROUPS)} - {""}
    if len(names) > MOST_GROUPS or any(len(name) > LONGEST_GROUP for name in names):
        raise ValueError(f"Somebody is in at most {MOST_GROUPS} groups, of at most {LONGEST_GROUP} characters each.")
    return tuple(sorted(names)) or None


def _cells(person: Person) -> tuple[str, ...]:
    return (
        person.username, person.email, person.name or "", person.role or "",
        BETWEEN_GROUPS.join(person.groups or ()), person.external_id or "",
        "" if person.time_factor is None else factor_text(person.time_factor),
    )  # fmt: skip
