"""What a roster says, and what it comes to: tables, and properties over rosters that are made up."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.courses.cells import TableRefused
from exercises.courses.roster import COLUMNS, Person, read_factor, read_roster, tidy, written_roster
from exercises.courses.roster_plan import Account, Plan, Standing, planned

BOB = Account(1, "bob", "Bob@Example.org")
ALICE = Account(2, "alice", "alice@example.org")
CARL = Account(3, "Carl")
ROOT = Account(4, "root", "root@example.org", is_operator=True)
TWIN, OTHER_TWIN = Account(5, "twin", "twin@example.org"), Account(6, "Twin", "twin@example.org")
#: Who signed up with an e-mail, which may be anybody's; and who has shown that it is theirs.
SIGNED_UP, PROVEN = Account(7, "mallory", "ta@example.org"), Account(8, "tom", "tom@example.org", is_proven=True)
EVERYBODY = (BOB, ALICE, CARL, ROOT, TWIN, OTHER_TWIN, SIGNED_UP, PROVEN)
MEMBERS = {1: Standing(name="Bob B"), 2: Standing(role="instructor"), 3: Standing(role="assistant", is_dropped=True)}

HEADS = [
    ("username", ["bob"], Person(2, username="bob")),
    ("User Name,E-Mail", ["bob", "b@x.org"], Person(2, username="bob", email="b@x.org")),
    ("time-factor,EMAIL,role", ["1.25", "b@x.org", "Student"],
     Person(2, email="b@x.org", role="learner", time_factor=Decimal("1.25"))),
    ("external_id,group,username,name,shoe size", ["'=17", "B | A |", "bob", " Bob  B ", "44"],
     Person(2, username="bob", name="Bob B", external_id="=17", groups=("A", "B"))),
    ("username,name,role,group,external_id,time_factor,email", ["bob"], Person(2, username="bob")),
]  # fmt: skip
FAULTS = [
    ({"username": "", "name": "B"}, "nobody is named"),
    ({"username": "bob b"}, "only letters"),
    ({"username": "b" * 151}, "more than 150"),
    ({"email": "bob"}, "no e-mail"),
    ({"email": "bob@x@y"}, "no e-mail"),
    ({"email": "bob <b@x.org>"}, "no e-mail"),
    ({"name": "n" * 201}, "more than 200"),
    ({"name": "a\x00b"}, "cannot be seen"),
    ({"role": "king"}, "no role king"),
    ({"time_factor": "0.9"}, "from 1 to 10"),
    ({"time_factor": "11"}, "from 1 to 10"),
    ({"time_factor": "1.005"}, "from 1 to 10"),
    ({"time_factor": "much"}, "from 1 to 10"),
    ({"group": "g" * 81}, "at most 80 characters"),
    ({"group": "|".join(f"g{place}" for place in range(21))}, "at most 20 groups"),
]


def table(*rows: dict[str, str]) -> str:
    lines = ["\t".join(COLUMNS), *("\t".join(row.get(name, "") for name in COLUMNS) for row in rows)]
    return "\n".join(lines)


@pytest.mark.parametrize(("head", "cells", "person"), HEADS)
@pytest.mark.parametrize("divider", [",", ";", "\t"])
def test_columns_in_any_order(head: str, cells: list[str], person: Person, divider: str) -> None:
    roster = read_roster(f"\ufeff{head.replace(',', divider)}\r\n{divider.join(cells)}\r\n")
    assert (roster.people, roster.faults) == ((person,), ())
    assert roster.ignored == (("shoe size",) if "shoe" in head else ())


@pytest.mark.parametrize(("cells", "words"), FAULTS)
def test_a_fault_keeps_nobody_else_out(cells: dict[str, str], words: str) -> None:
    roster = read_roster(table({"username": "first"}, {"username": "bob"} | cells, {"username": "last"}))
    assert [person.username for person in roster.people] == ["first", "last"]
    assert [fault.line for fault in roster.faults] == [3]
    assert words in roster.faults[0].words


def test_too_many_cells_are_a_fault() -> None:
    assert "3 cells for 2 columns" in read_roster("username,name\nbob,B,x").faults[0].words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name,role\nBob,learner", "username or email"),
        ("username,user\nbob,bob", "Two columns"),
        ("username\n" + "bob\n" * 2001, "more than 2,000 rows"),
    ],
)
def test_a_table_that_is_no_roster_is_refused(text: str, words: str) -> None:
    with pytest.raises(TableRefused, match=words):
        read_roster(text)


@pytest.mark.parametrize(
    ("text", "factor"), [("1", "1"), ("1.25", "1.25"), ("1,5", "1.5"), ("125 %", "1.25"), ("150%", "1.5"), ("10", "10")]
)
def test_time_factors(text: str, factor: str) -> None:
    assert read_factor(text) == Decimal(factor)


# --- What a line comes to ---


def plan(*rows: dict[str, str], members: dict[int, Standing] | None = None, **options: Any) -> Plan:
    known = MEMBERS if members is None else members
    return planned(read_roster(table(*rows)), accounts=EVERYBODY, members=known, **options)


COMES_TO = [
    # the line; what it does, to whom, and the words for it
    ({"username": "bob"}, "unchanged", "bob", ""),
    ({"username": "BOB"}, "unchanged", "bob", "known here as bob"),
    ({"email": "bOB@example.ORG"}, "unchanged", "bob", "known here as bob"),
    ({"username": "bob", "email": "other@example.org"}, "unchanged", "bob", ""),
    ({"username": "robert", "email": "bob@example.org"}, "unchanged", "bob", "known here as bob"),
    ({"username": "bob", "name": "Bob  B"}, "unchanged", "bob", ""),
    ({"username": "bob", "name": "Robert"}, "changed", "bob", ""),
    ({"username": "bob", "role": "assistant"}, "changed", "bob", ""),
    ({"username": "alice", "role": "learner", "name": "A"}, "kept", "alice", "is instructor here"),
    ({"username": "alice", "role": "instructor"}, "unchanged", "alice", ""),
    ({"username": "alice", "name": "A"}, "changed", "alice", ""),
    ({"username": "carl"}, "changed", "Carl", "comes back"),
    ({"username": "root", "role": "learner"}, "kept", "root", "runs this service"),
    ({"username": "twin"}, "added", "twin", ""),
    ({"username": "ｂob"}, "unchanged", "bob", "known here as bob"),  # in a wide letter
    ({"username": "new", "email": "New@example.org"}, "added", "new", "a new account"),
    ({"email": "New@Example.org"}, "added", "new@example.org", "a new account"),
]
CANNOT = [
    ({"username": "nobody"}, "Nobody here is called nobody"),
    ({"username": "TWIN"}, "Several accounts have this username"),
    ({"email": "twin@example.org"}, "Several accounts have this e-mail"),
    ({"username": "twin", "email": "bob@example.org"}, "one account, the e-mail to another"),
    ({"username": "twin", "email": "other@example.org"}, "has another e-mail"),
    ({"email": "a!b@example.org"}, "No username can be made"),
]


@pytest.mark.parametrize(("line", "kind", "username", "words"), COMES_TO)
def test_what_a_line_does(line: dict[str, str], kind: str, username: str, words: str) -> None:
    found = plan(line)
    assert not found.faults
    (move,) = found.moves
    assert (move.kind, move.username) == (kind, username)
    assert words in move.words
    if kind in ("kept", "unchanged"):
        assert found.is_empty
        assert move.changes == []


@pytest.mark.parametrize(("line", "words"), CANNOT)
def test_what_a_line_cannot_do(line: dict[str, str], words: str) -> None:
    found = plan(line, {"username": "bob", "name": "Robert"})
    assert [fault.line for fault in found.faults] == [2]
    assert words in found.faults[0].words
    assert [move.kind for move in found.moves] == ["changed"]


def test_a_role_that_somebody_had_is_not_given_back() -> None:
    (move,) = plan({"username": "carl"}).moves
    assert (move.after.role, move.after.is_dropped) == ("learner", False)
    (move,) = plan({"username": "carl", "role": "assistant"}).moves
    assert move.after.role == "assistant"


@pytest.mark.parametrize("before", [None, Standing(), Standing(role="assistant", is_dropped=True)])
@pytest.mark.parametrize("role", ["observer", "assistant", "instructor"])
def test_an_email_that_nobody_has_proven_makes_nobody_more_than_a_learner(role: str, before: Standing | None) -> None:
    members = {} if before is None else {7: before}
    for line in ({"email": "TA@example.org"}, {"username": "ta", "email": "ta@example.org"}):
        found = plan(line | {"role": role}, members=members)
        assert found.is_empty
        assert "write the username" in found.faults[0].words
        assert "mallory" not in found.faults[0].words
        (move,) = plan(line, members=members).moves
        assert move.after.role == "learner"
    for line in ({"username": "mallory"}, {"email": "tom@example.org"}):
        (move,) = plan(line | {"role": role}, members=members).moves
        assert move.after.role == role


def test_who_teaches_already_is_found_by_any_email() -> None:
    (move,) = plan(
        {"email": "ta@example.org", "role": "assistant", "name": "T"}, members={7: Standing("assistant")}
    ).moves
    assert (move.kind, move.after.role) == ("changed", "assistant")


def test_one_person_stands_in_one_line() -> None:
    found = plan(
        {"username": "bob"}, {"email": "BOB@example.org"}, {"email": "new@example.org"}, {"email": "NEW@example.org"}
    )
    assert [(fault.line, fault.words) for fault in found.faults] == [
        (3, "This is the same person as in line 2."),
        (5, "This is the same person as in line 4."),
    ]


def test_changes_are_told() -> None:
    (move,) = plan({"username": "bob", "group": "B|A", "time_factor": "1.50"}).moves
    assert move.changes == [("groups", "", "A, B"), ("time factor", "1", "1.5")]


def test_new_groups_are_told() -> None:
    found = plan(
        {"username": "bob", "group": "A|B"}, {"username": "alice", "role": "learner", "group": "C"}, groups=["A"]
    )
    assert found.new_groups == ("B",)


# --- Who is dropped ---


def crowd(count: int) -> tuple[list[Account], dict[int, Standing]]:
    accounts = [Account(10 + place, f"learner-{place}") for place in range(count)]
    return accounts, {account.pk: Standing() for account in accounts}


def dropping(there: int, left: int) -> Plan:
    accounts, members = crowd(there)
    roster = read_roster("username\n" + "\n".join(account.username for account in accounts[: there - left]) + "\nalice")
    return planned(roster, accounts=[*accounts, ALICE], members=members | {2: MEMBERS[2]}, drops_missing=True)


@pytest.mark.parametrize(
    ("there", "left", "must_type"),
    [(10, 0, False), (10, 1, False), (10, 2, False), (10, 3, True), (4, 1, True), (25, 5, False), (100, 6, True)],
)
def test_many_are_dropped_only_by_their_number(there: int, left: int, must_type: bool) -> None:
    found = dropping(there, left)
    assert (len(found.dropped), found.must_be_typed) == (left, must_type)


def test_nobody_is_dropped_unless_that_is_chosen_and_never_who_teaches() -> None:
    assert plan({"username": "twin"}).dropped == ()
    assert plan({"username": "twin"}, drops_missing=True).dropped == ((1, "bob"),)


def test_nobody_is_dropped_while_a_line_has_a_fault() -> None:
    found = plan({"username": "twin"}, {"email": "bob"}, drops_missing=True)
    assert (found.dropped, found.withheld) == ((), 1)


# --- Properties ---

TEXTS = st.text(max_size=30).map(tidy).filter(str.isprintable)
NAMES = st.from_regex(r"[\w.@+-]{1,20}", fullmatch=True)
STANDINGS = st.builds(
    Standing,
    role=st.sampled_from(["learner", "assistant", "observer", "instructor"]),
    name=TEXTS,
    external_id=TEXTS,
    time_factor=st.integers(100, 1000).map(lambda percent: Decimal(percent) / 100),
    groups=st.sets(TEXTS.filter(lambda name: name and "|" not in name), max_size=3).map(
        lambda names: tuple(sorted(names))
    ),
)
COURSES = st.dictionaries(NAMES, STANDINGS, max_size=6)


def exported(course: dict[str, Standing]) -> str:
    return written_roster(
        Person(
            0, username, f"mail{place}@example.org", one.name, one.role, one.groups, one.external_id, one.time_factor
        )
        for place, (username, one) in enumerate(course.items())
    )


@given(COURSES, st.booleans())
def test_its_own_export_changes_nothing(course: dict[str, Standing], drops: bool) -> None:
    accounts = [Account(place, name, f"mail{place}@example.org") for place, name in enumerate(course)]
    members = dict(enumerate(course.values()))
    text = exported(course) if course else "username\n"
    found = planned(read_roster(text), accounts=accounts, members=members, drops_missing=drops, groups=[])
    assert found.is_empty
    assert not found.faults
    assert [move.kind for move in found.moves] == ["unchanged"] * len(course)


@given(COURSES.filter(bool))
def test_whoever_left_is_brought_back_by_it_as_a_learner_at_most_as_it_says(course: dict[str, Standing]) -> None:
    accounts = [Account(place, name, f"mail{place}@example.org") for place, name in enumerate(course)]
    members = {place: replace(one, is_dropped=True) for place, one in enumerate(course.values())}
    found = planned(read_roster(exported(course)), accounts=accounts, members=members)
    assert [move.kind for move in found.moves] == ["changed"] * len(course)
    assert [move.after.role for move in found.moves] == [one.role for one in course.values()]


@given(st.text(max_size=300))
def test_any_text_gets_an_answer(text: str) -> None:
    try:
        roster = read_roster(text)
    except TableRefused:
        return
    found = planned(roster, accounts=EVERYBODY, members=MEMBERS, drops_missing=True)
    assert len(found.digest) == 64
