"""A page of a roster, as Names and Role Provisioning Services 2.0 has it: each row is read, or named as a fault."""

from collections.abc import Mapping
from dataclasses import dataclass

from exercises.lti.launch import Person
from exercises.lti.reading import LONGEST_ID, MOST_WORDS

#: Of one page: platforms that page have a hundred or so, others all of a course.
MOST_MEMBERS = 20_000


@dataclass(frozen=True)
class Member:
    """Somebody on the roster, with their roles as they are written there."""

    person: Person
    roles: tuple[str, ...]
    is_active: bool = True


@dataclass(frozen=True)
class Page:
    """What could be read of a page, and why the rest could not."""

    members: tuple[Member, ...]
    faults: tuple[str, ...] = ()


def read_page(document: object) -> Page | None:
    """The page; None where it is no roster at all."""
    rows = document.get("members") if isinstance(document, dict) else None
    if not isinstance(rows, list):
        return None
    members, faults = [], []
    for place, row in enumerate(rows[:MOST_MEMBERS], start=1):
        found = _member(row)
        if isinstance(found, str):
            faults.append(f"Row {place}: {found}")
        else:
            members.append(found)
    return Page(tuple(members), tuple(faults))


def _member(row: object) -> Member | str:
    """The member of a row, or what is wrong with it."""
    if not isinstance(row, dict):
        return "it is no person."
    sub = row.get("user_id")
    if isinstance(sub, int) and not isinstance(sub, bool):
        sub = str(sub)
    if not isinstance(sub, str) or not sub.strip() or len(sub) > LONGEST_ID or not sub.isprintable():
        return "it has no user id that could be one."
    roles = row.get("roles", [])
    if not isinstance(roles, list) or len(roles) > MOST_WORDS or not all(isinstance(role, str) for role in roles):
        return f"the roles of {sub[:40]} are no list of texts."
    status = row.get("status", "Active")
    if not isinstance(status, str):
        return f"the status of {sub[:40]} is no text."
    name = _text(row, "name", 200) or f"{_text(row, 'given_name', 100)} {_text(row, 'family_name', 99)}".strip()
    person = Person(sub=sub, name=name, email=_text(row, "email", 254))
    # Written in full it is http://purl.imsglobal.org/vocab/lis/v2/…#Active.
    is_active = status.rpartition("#")[2].lower() not in {"inactive", "deleted"}
    return Member(person, tuple(role[:500] for role in roles), is_active)


def _text(row: Mapping[str, object], name: str, longest: int) -> str:
    value = row.get(name)
    if not isinstance(value, str):
        return ""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in value).split())[:longest]
