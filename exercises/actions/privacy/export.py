"""Everything that is kept about one person as one zip, written while it is read: however much it is, little is held."""

import json
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from exercises import clock
from exercises.actions.exchange.gathering import bundle_of_problems
from exercises.actions.privacy import told, told_account
from exercises.actions.privacy.batches import in_batches
from exercises.actions.privacy.withholding import Withheld
from exercises.exchange.own.shape import MOST_PROBLEMS
from exercises.exchange.own.writing import own_package
from exercises.models import Deck, Problem, ProblemDraft, ProblemVersion, User
from exercises.queries import export_cards

Tell = Callable[[User, Withheld], Iterable[dict[str, Any]]]

#: The files of every export, with what is in each.
FILES: Mapping[str, tuple[str, Tell]] = MappingProxyType(
    {
        "account.json": ("the account: names, addresses, when it was made and used last", told_account.account),
        "courses.json": ("the courses, what you are there, and how the roster calls you", told.courses),
        "attempts.json": ("your attempts at problem sets, what stood in the boxes, and what they count", told.attempts),
        "variants.json": ("the exercises that were drawn for you, forecasts, hints and drafts", told.variants),
        "submissions.json": ("your answers as you typed them, with every verdict", told.submissions),
        "evidence.json": ("what your answers showed at each step", told.evidence),
        "mastery.json": ("where you stand at each skill", told.mastery),
        "fault-reports.json": ("what you reported as faulty, and what was answered", told.fault_reports),
        "scores-by-hand.json": ("scores of yours that were set by hand", told.scores_by_hand),
        "extensions.json": ("what was different for you alone", told.extensions),
        "audit.json": ("what people who teach did that was about you", told.audit),
        "events.json": ("what other systems were told about you in the last weeks", told.events),
        "plan.json": ("your study plan", told.plan),
        "sessions.json": ("your daily sessions", told.sessions),
        "cards.json": ("what you remember of each flashcard", told.cards),
        "card-turns.json": ("each flashcard as it was put to you, and what you typed", told.card_turns),
        "reviews.json": ("how you rated flashcards", told.reviews),
        "keys.json": ("your keys for programs, without their secrets", told_account.keys),
        "platforms.json": ("what learning platforms say of you, and what they were told", told_account.platforms),
        "names.json": ("what programs call things of yours, and you", told_account.names),
        "acts.json": ("what you did for others, such as in a course that you teach", told_account.acts),
    }
)
_HEAD = """Everything that the BERT gym keeps about you, as of {at}.

Each file holds a list in JSON. Times are in UTC, scores are exact fractions. Other people are not named: whoever did
something is "{teaches}", "the service" or "you". Marks and solutions that you may not see yet are left out.

"""
#: Bytes that are gathered before they go out.
_CHUNK = 64 * 1024


class _Pipe:
    """What a zip is written into, and taken out of again piece by piece."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self.size = 0

    def write(self, part: bytes) -> int:
        self._parts.append(bytes(part))
        self.size += len(part)
        return len(part)

    def flush(self) -> None:
        """Nothing is held back."""

    def taken(self) -> bytes:
        content, self._parts, self.size = b"".join(self._parts), [], 0
        return content


def export_name(person: User) -> str:
    """The name of the file."""
    return f"{re.sub(r'[^A-Za-z0-9_-]+', '-', person.username)[:60]}-bert-gym.zip"


def export_of(person: User) -> Iterator[bytes]:
    """The zip, in pieces. A constant number of queries for every few hundred rows."""
    pipe: Any = _Pipe()
    withheld = Withheld(person)
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_info("README.txt"), _readme())
        for name, (_, tell) in FILES.items():
            with archive.open(_info(name), "w", force_zip64=True) as file:
                for part in _listed(tell(person, withheld)):
                    file.write(part)
                    if pipe.size >= _CHUNK:
                        yield pipe.taken()
        for name, content in _own_files(person):
            archive.writestr(_info(name), content)
            yield pipe.taken()
    yield pipe.taken()


def _listed(rows: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """Rows as a list in JSON, one a line."""
    opening = "[\n"
    for row in rows:
        yield (opening + json.dumps(row, ensure_ascii=False, default=_plain)).encode()
        opening = ",\n"
    yield b"[]\n" if opening == "[\n" else b"\n]\n"


def _plain(value: Any) -> str:
    return str(value.isoformat()) if hasattr(value, "isoformat") else str(value)


def _own_files(person: User) -> Iterator[tuple[str, str | bytes]]:
    """Problems and decks that somebody wrote, as files that can be imported again; and every version and draft."""
    rows = Problem.objects.filter(owner=person).select_related("current")
    for place, problems in enumerate(in_batches(rows, MOST_PROBLEMS), start=1):
        bundle, left_out = bundle_of_problems(person, problems)
        yield f"problems/problems-{place}.zip", own_package(bundle, "Problems", left_out).content
    for batch in in_batches(ProblemVersion.objects.filter(problem__owner=person).select_related("problem"), 50):
        for version in batch:
            yield f"problems/versions/{version.problem.slug}-{version.number}.yaml", version.source
    for drafts in in_batches(ProblemDraft.objects.filter(problem__owner=person).select_related("problem"), 50):
        for draft in drafts:
            yield f"problems/drafts/{draft.problem.slug}.yaml", draft.source
    for decks in in_batches(Deck.objects.filter(owner=person), 50):
        for deck in decks:
            yield f"decks/{deck.slug}.csv", export_cards(deck, "csv")


def _readme() -> str:
    lines = [f"{name:<22}{says}\n" for name, (says, _) in FILES.items()]
    lines.append(f"{'problems/, decks/':<22}problems and flashcards that you wrote, if there are any\n")
    return _HEAD.format(at=f"{clock.now():%Y-%m-%d %H:%M} UTC", teaches=told.TEACHES) + "".join(lines)


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, clock.now().timetuple()[:6])
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o600 << 16
    return info
