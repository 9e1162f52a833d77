"""Everything about one person as one file: all that is theirs, nothing of others, nothing before its time."""

import gc
import io
import json
import tracemalloc
import uuid
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from exercises import actions, clock
from exercises.actions.privacy import export_of
from exercises.actions.privacy.export import FILES
from exercises.models import AuditEntry, Course, ProblemSet, Submission, User
from tests.exercises.courses.sat import sent
from tests.exercises.courses.world import NOW
from tests.exercises.privacy.world import NAMES, TYPED, WORDS, Bobs
from tests.exercises.world import c1
from tests.frontend.authoring.world import with_version
from tests.frontend.cards.world import NUMBER, deck_of

pytestmark = pytest.mark.usefixtures("servers")
#: Nobody but Bob himself may read what others said about him in a release that is still to come.
LATER = "told once the results are released"


def opened(person: User) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(b"".join(export_of(person))))


def rows(person: User, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(opened(person).read(name))
    return found


def whole(person: User) -> str:
    with opened(person) as archive:
        return "\n".join(archive.read(name).decode() for name in archive.namelist() if not name.endswith(".zip"))


@pytest.mark.usefixtures("bobs")
def test_all_that_somebody_is_called_wrote_and_typed_is_in_it(bob: User) -> None:
    text = whole(bob)
    assert [word for word in (*NAMES, *WORDS, *TYPED) if word not in text] == []
    assert opened(bob).testzip() is None


@pytest.mark.usefixtures("bobs")
def test_every_file_is_there_said_in_words_and_holds_a_list(bob: User) -> None:
    archive = opened(bob)
    readme = archive.read("README.txt").decode()
    assert [name for name in FILES if name not in readme] == []
    empty = {name for name in FILES if not json.loads(archive.read(name))}
    assert empty == {"reviews.json", "cards.json", "acts.json"}


@pytest.mark.usefixtures("bobs")
def test_nobody_else_is_named(bob: User, charlie: User) -> None:
    c1(charlie)
    text = whole(bob)
    assert [name for name in ("alice", "charlie", "erin") if name in text.lower()] == []
    assert {row["settled_by"] for row in rows(bob, "fault-reports.json")} == {"somebody who teaches"}


def test_of_an_exam_nothing_is_told_before_its_results_are_released(bobs: Bobs, bob: User) -> None:
    with clock.at(NOW):
        hidden = [row for row in rows(bob, "attempts.json") if row["set"] == "The exam"]
        assert [row["score"] for row in hidden] == [LATER]
        assert "2/7" not in whole(bob)
        verdicts = [row["verdicts"] for row in rows(bob, "submissions.json") if row["answers"].get("total") == TYPED[1]]
        assert verdicts == [LATER]
    ProblemSet.objects.filter(pk=bobs.exam.problem_set_id).update(released_at=NOW, closes_at=NOW)
    with clock.at(NOW + (NOW - NOW).resolution):
        shown = [row for row in rows(bob, "attempts.json") if row["set"] == "The exam"]
        assert shown[0]["score"] != LATER
        assert "2/7" in whole(bob)


def test_a_score_that_is_noted_in_the_trail_is_withheld_as_well(bobs: Bobs, bob: User, course: Course) -> None:
    AuditEntry.objects.create(
        course=course, deed="override", about="bob: The exam", learner=bob, problem_set=bobs.exam.problem_set,
        after={"score": "5/7"},
    )  # fmt: skip
    with clock.at(NOW):
        assert "5/7" not in whole(bob)
        assert any(row["deed"] == "override" for row in rows(bob, "audit.json"))


def test_the_numbers_of_an_exercise_come_with_its_solution_and_no_seed_ever(bobs: Bobs, bob: User) -> None:
    assert {str(row["numbers"]) for row in rows(bob, "variants.json") if row["attempt"] is None} == {
        "told once the solution was shown"
    }
    actions.reveal_solution(variant=bobs.practice)
    own = [row for row in rows(bob, "variants.json") if row["attempt"] is None]
    assert own[0]["numbers"]["z"] == [2.0, 1.0, 0.0]
    seeds = {str(variant.seed) for variant in bob.variants.all()}
    text = whole(bob)
    assert "seed" not in text
    assert [seed for seed in seeds if f": {seed}" in text] == []


@pytest.mark.usefixtures("bobs")
def test_the_back_of_a_card_that_is_open_is_not_in_it(bob: User) -> None:
    text = whole(bob)
    assert NUMBER["back"] not in text
    assert "1.0986" in text


@pytest.mark.usefixtures("bobs")
def test_secrets_of_keys_are_not_in_it(bob: User) -> None:
    secret, token = actions.issue_token(user=bob, label="another")
    text = whole(bob)
    assert "another" in text
    assert secret not in text
    assert token.digest not in text
    assert bob.password not in text


def test_who_writes_has_problems_and_decks_as_files_that_can_be_imported(bobs: Bobs, alice: User) -> None:
    own = with_version(alice)
    deck = deck_of(alice, NUMBER, title="Of my own", shared=False)
    names = set(opened(alice).namelist())
    assert {f"problems/versions/{own.slug}-1.yaml", "problems/problems-1.zip", f"decks/{deck.slug}.csv"} <= names
    assert "bob" not in whole(alice).lower().replace("bob-", "")
    assert {"audit entry", "override"} <= {row["thing"] for row in rows(alice, "acts.json")}


def test_however_much_there_is_no_more_is_held_and_each_query_brings_many_rows(
    bobs: Bobs, bob: User, django_assert_max_num_queries: Any
) -> None:
    answered(bobs, 600)
    some, held = drained(bob)
    answered(bobs, 1800)
    with django_assert_max_num_queries(100):
        more, _ = drained(bob)
    assert more > some + 15_000
    assert drained(bob)[1] < held * 1.3


def drained(person: User) -> tuple[int, int]:
    """How many bytes an export has, and how many are held at most while it is made."""
    gc.collect()
    tracemalloc.start()
    try:
        size = sum(map(len, export_of(person)))
        return size, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def answered(bobs: Bobs, count: int) -> None:
    """So many answers more of Bob's."""
    Submission.objects.bulk_create(
        Submission(
            variant=bobs.practice, author=bobs.practice.learner, answers={"p": uuid.uuid4().hex * 12}, locale="en",
            state="graded", idempotency_key=uuid.uuid4().hex, fingerprint=uuid.uuid4().hex, claimed_until=None,
        )
        for _ in range(count)
    )  # fmt: skip


@pytest.mark.usefixtures("bobs")
def test_the_command_writes_it_for_nobody_else_and_over_nothing(bob: User, tmp_path: Path) -> None:
    file = tmp_path / "bob.zip"
    call_command("person", "export", "bob", str(file))
    assert zipfile.ZipFile(file).testzip() is None
    assert file.stat().st_mode & 0o077 == 0
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("person", "export", "bob", str(file))


def test_out_of_a_container_it_comes_by_the_output(bob: User, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    call_command("person", "export", "bob", "-")
    archive = zipfile.ZipFile(io.BytesIO(capsysbinary.readouterr().out))
    assert archive.testzip() is None
    assert "submissions.json" in archive.namelist()


def test_what_waits_is_told_without_a_verdict(bobs: Bobs, bob: User) -> None:
    sent(bobs.quiz, {"p": "0.123"})
    found = [row for row in rows(bob, "submissions.json") if row["answers"] == {"p": "0.123"}]
    assert [(row["state"], row["verdicts"]) for row in found] == [("pending", [])]
