"""What a roster comes to: whom each line means, what changes for them, and who would be dropped. Nothing is written.

A line belongs to the account of its username, else to that of its e-mail, else to an account that is made for it.
Anybody may have signed up with the e-mail of somebody else: not proven, it makes nobody more than a learner.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from hashlib import sha256
from typing import Literal
from unicodedata import normalize

from exercises.courses.cells import Fault
from exercises.courses.rights import Right, may
from exercises.courses.roster import Person, Roster, factor_text, same_name, tidy

LEARNER = "learner"
#: So many may be dropped without being asked again, and of so many no more than one.
FEW, FEW_OF = 5, 5

Kind = Literal["added", "changed", "unchanged", "kept"]


@dataclass(frozen=True)
class Account:
    """Somebody who can sign in here. ``is_operator``: who runs the service is enrolled by nobody but themselves.
    ``is_proven``: whether nobody but who reads the mail of ``email`` can have this account."""

    pk: int
    username: str
    email: str = ""
    is_operator: bool = False
    is_proven: bool = False


@dataclass(frozen=True)
class Standing:
    """How somebody is in the course."""

    role: str = LEARNER
    name: str = ""
    external_id: str = ""
    time_factor: Decimal = Decimal(1)
    groups: tuple[str, ...] = ()
    is_dropped: bool = False


@dataclass(frozen=True)
class Move:
    """What one line does. ``account`` is None where one is made, of this ``username`` and ``email``; ``before`` is
    None for whoever was never in the course. ``words`` say what there is to know about it."""

    line: int
    kind: Kind
    username: str
    email: str
    account: Account | None
    before: Standing | None
    after: Standing
    words: str = ""
    #: Username and e-mail as the line has them.
    typed: tuple[str, str] = ("", "")

    @property
    def shown(self) -> tuple[str, str]:
        """Username and e-mail as whoever imports may see them: of an account that was never in the course only what
        the line has itself, or any list of e-mails could be asked for usernames, and the other way round."""
        return self.typed if self.account and self.before is None else (self.username, self.email)

    @property
    def changes(self) -> list[tuple[str, str, str]]:
        """What changes: its name, and how it was and becomes; how it was is empty for whoever was never here."""
        before, after = _told(self.before or Standing()), _told(self.after)
        return [
            (name, before[name] if self.before else "", after[name]) for name in after if before[name] != after[name]
        ]


@dataclass(frozen=True)
class Plan:
    """What an import comes to. ``digest`` is another as soon as anything in it is."""

    moves: tuple[Move, ...]
    dropped: tuple[tuple[int, str], ...] = ()
    faults: tuple[Fault, ...] = ()
    ignored: tuple[str, ...] = ()
    learners: int = 0
    new_groups: tuple[str, ...] = ()
    withheld: int = field(default=0, kw_only=True)

    def of_kind(self, *kinds: Kind) -> list[Move]:
        """The lines that do one of these."""
        return [move for move in self.moves if move.kind in kinds]

    @property
    def is_empty(self) -> bool:
        """Whether it would write nothing."""
        return not self.dropped and not self.of_kind("added", "changed")

    @property
    def must_be_typed(self) -> bool:
        """Whether so many are dropped that their number has to be typed: more than five, or more than one in five."""
        return len(self.dropped) > FEW or len(self.dropped) * FEW_OF > self.learners

    @property
    def digest(self) -> str:
        """What the plan does, in 64 characters."""
        said = [
            [[move.line, move.kind, move.username, move.email, move.account and move.account.pk,
              move.before and _told(move.before), _told(move.after)] for move in self.moves],
            self.dropped, self.faults, self.new_groups,
        ]  # fmt: skip
        return sha256(json.dumps(said, sort_keys=True).encode("utf-8", "replace")).hexdigest()


def planned(
    roster: Roster,
    *,
    accounts: Sequence[Account],
    members: Mapping[int, Standing],
    groups: Iterable[str] = (),
    drops_missing: bool = False,
) -> Plan:
    """What a roster comes to. ``accounts`` holds everybody who is in the course, and everybody else whom a line could
    mean; ``members`` how they are in the course, by account.

    Who is missing in the file is dropped only with ``drops_missing``, only if they are learners, and as long as a line
    has a fault nobody is: it may be they who are meant (``withheld`` says how many that spares).
    """
    known = _Known(accounts, members)
    faults, moves, taken = list(roster.faults), list[Move](), dict[tuple[str, object], int]()
    for person in roster.people:
        try:
            move = known.move(person)
            keys = _keys(move)
            if other := next((taken[key] for key in keys if key in taken), None):
                raise ValueError(f"This is the same person as in line {other}.")
        except ValueError as error:
            faults.append(Fault(person.line, str(error)))
            continue
        taken |= dict.fromkeys(keys, person.line)
        moves.append(move)
    named = {move.account.pk for move in moves if move.account}
    present = [account for account in accounts if _is_present_learner(members.get(account.pk))]
    missing = (
        [(account.pk, account.username) for account in present if account.pk not in named] if drops_missing else []
    )
    wanted = {name for move in moves if move.kind != "kept" for name in move.after.groups}
    return Plan(
        moves=tuple(moves), dropped=() if faults else tuple(sorted(missing)), faults=tuple(sorted(faults)),
        ignored=roster.ignored, learners=len(present), new_groups=tuple(sorted(wanted - set(groups))),
        withheld=len(missing) if faults else 0,
    )  # fmt: skip


class _Known:
    """Who there is, by name and by e-mail."""

    def __init__(self, accounts: Sequence[Account], members: Mapping[int, Standing]) -> None:
        self.members = members
        self.exact = {account.username: account for account in accounts}
        self.by_name: dict[str, list[Account]] = {}
        self.by_email: dict[str, list[Account]] = {}
        for account in accounts:
            self.by_name.setdefault(same_name(account.username), []).append(account)
            if account.email:
                self.by_email.setdefault(account.email.casefold(), []).append(account)

    def move(self, person: Person) -> Move:
        """What a line does. Raises ValueError with why it can do nothing."""
        named = self._named(person)
        account = named or self._mailed(person)
        if account is None:
            return self._made(person)
        before = self.members.get(account.pk)
        after = _merged(person, before)
        typed = (person.username, person.email)
        words = "an account here" if before is None else ""
        if before is not None and account.username != person.said:
            words = f"known here as {account.username}"
        if kept := _needs_consent(person, account, before):
            stays = before or after
            return Move(person.line, "kept", account.username, account.email, account, before, stays, kept, typed)
        if named is None and not account.is_proven and _is_raised(person, before):
            raise ValueError(
                "There is an account of this e-mail, but nobody has proven that it is theirs: to make them "
                f"{person.role}, write the username."
            )
        kind: Kind = "added" if before is None else "unchanged" if _told(before) == _told(after) else "changed"
        if before is not None and before.is_dropped:
            words = "comes back, with all their work"
        return Move(person.line, kind, account.username, account.email, account, before, after, words, typed)

    def _named(self, person: Person) -> Account | None:
        if not person.username:
            return None
        found = self.exact.get(person.username)
        alike = self.by_name.get(same_name(person.username), [])
        if found is None and len(alike) > 1:
            raise ValueError("Several accounts have this username, in capitals and in small letters: write it exactly.")
        found = found or (alike[0] if alike else None)
        if found is None or not person.email or person.email.casefold() == found.email.casefold():
            return found
        if person.email.casefold() in self.by_email:
            raise ValueError("The username belongs to one account, the e-mail to another: leave one of them empty.")
        if found.email and found.pk not in self.members:
            raise ValueError(
                f"The account {found.username} has another e-mail. If it is the same person, leave the e-mail empty."
            )
        return found

    def _mailed(self, person: Person) -> Account | None:
        found = self.by_email.get(person.email.casefold(), []) if person.email else []
        if len(found) > 1:
            found = [account for account in found if account.pk in self.members]
            if len(found) != 1:
                raise ValueError("Several accounts have this e-mail: give the username as well.")
        return found[0] if found else None

    def _made(self, person: Person) -> Move:
        if not person.email:
            raise ValueError(
                f"Nobody here is called {person.username}. Correct the username, or give an e-mail as well: then an "
                "account is made."
            )
        username = normalize("NFKC", person.username or person.email.lower())
        if same_name(username) in self.by_name:
            raise ValueError(f"The username {username} belongs to somebody with another e-mail: give another username.")
        if not person.username and (len(username) > 150 or not all(c.isalnum() or c in ".@+-_" for c in username)):
            raise ValueError("No username can be made of this e-mail: give one.")
        return Move(person.line, "added", username, person.email, None, None, _merged(person, None), "a new account")


def _needs_consent(person: Person, account: Account, before: Standing | None) -> str:
    """Why a line changes nothing for them; empty where it may."""
    if account.is_operator and (before is None or before.is_dropped):
        return "runs this service: let them come in by the join code"
    if before is None or before.is_dropped or before.role == LEARNER:
        return ""
    if person.role in (None, before.role):
        return ""
    return f"is {before.role} here, and a roster takes no role away: change it on their own page if it is meant"


def _is_raised(person: Person, before: Standing | None) -> bool:
    """Whether a line makes somebody more than a learner who is none now."""
    is_staff = before is not None and not before.is_dropped and before.role != LEARNER
    return person.role not in (None, LEARNER) and not is_staff


def _merged(person: Person, before: Standing | None) -> Standing:
    now = before or Standing()
    if now.is_dropped:
        # A role that somebody had is given back by nobody but whoever says so.
        now = replace(now, role=LEARNER, is_dropped=False)
    return Standing(
        role=now.role if person.role is None else person.role,
        name=now.name if person.name is None else person.name,
        external_id=now.external_id if person.external_id is None else person.external_id,
        time_factor=now.time_factor if person.time_factor is None else person.time_factor,
        groups=now.groups if person.groups is None else person.groups,
    )


def _told(standing: Standing) -> dict[str, str]:
    return {
        "role": standing.role,
        "name": tidy(standing.name),
        "groups": ", ".join(sorted(tidy(name) for name in standing.groups)),
        "external id": tidy(standing.external_id),
        "time factor": factor_text(standing.time_factor),
        "in the course": "no" if standing.is_dropped else "yes",
    }


def _keys(move: Move) -> list[tuple[str, object]]:
    """What no other line may have in common with this one."""
    if move.account:
        return [("account", move.account.pk)]
    return [("username", same_name(move.username)), ("email", move.email.casefold())]


def _is_present_learner(standing: Standing | None) -> bool:
    return standing is not None and not standing.is_dropped and may(standing.role, Right.SIT)
