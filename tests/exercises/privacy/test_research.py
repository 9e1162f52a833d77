"""A course for research: what was done is in it, who did it is not."""

import csv
import io
import re
import zipfile
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from exercises import clock
from exercises.actions.privacy import erase_person
from exercises.actions.privacy.research import COLUMNS, ResearchRefused, research_export
from exercises.models import Attempt, Course, Enrolment, Problem, ProblemSet, Submission, User
from tests.exercises.courses.sat import ALL, HALF, NO_EXP, begun, handed_in, marked
from tests.exercises.courses.world import NOW, person
from tests.exercises.privacy.world import NAMES, TYPED, WORDS, Bobs

pytestmark = pytest.mark.usefixtures("servers")
KEY = b"a key that is long enough"
NAMED = ("ann", "ben", "cleo", "dan")


@pytest.fixture
def quiz(bobs: Bobs, course: Course) -> ProblemSet:
    """The quiz that Bob sat, and with him four others; one of them alone forgot to exponentiate."""
    found = bobs.quiz.problem_set
    for name, answers in zip(NAMED, (HALF, ALL, HALF, NO_EXP), strict=True):
        enrolment = person(course, name, external_id=f"{name} Andersson")
        handed_in(marked(begun(found, enrolment.user), answers))
    return found


def told(course: Course, key: bytes | None = None, least: int = 5) -> dict[str, str]:
    file = io.BytesIO()
    research_export(course, file, key=key, least=least)
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def table(files: dict[str, str], name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(files[name])))


@pytest.mark.usefixtures("quiz")
def test_nobody_is_named_and_nothing_that_was_typed_is_in_it(course: Course) -> None:
    text = "\n".join(told(course).values())
    hidden = [*NAMES, *WORDS, *TYPED, *NAMED, "Andersson", "example.org", "alice", "11.107", "0.665", "read_as", "2025"]
    words = {word: re.compile(rf"(?<![A-Za-z0-9]){re.escape(word)}(?![A-Za-z0-9])", re.IGNORECASE) for word in hidden}
    assert [word for word, pattern in words.items() if pattern.search(text)] == []
    titles = ("First quiz", "The exam", "BERT by hand")
    assert [title for title in titles if title in text] == []
    ids = [row.public_id for rows in (Attempt.objects.all(), Submission.objects.all()) for row in rows]
    assert [one for one in ids if str(one) in text or one.hex in text] == []


@pytest.mark.usefixtures("quiz")
def test_people_attempts_and_answers_have_pseudonyms_that_agree_between_files(course: Course) -> None:
    files = told(course)
    for name in COLUMNS:
        for row in table(files, name):
            for column in {"learner", "attempt", "submission"} & row.keys():
                assert re.fullmatch("[0-9a-f]{16}", row[column])
    attempts = {(row["learner"], row["attempt"]) for row in table(files, "attempts.csv")}
    assert len(attempts) == 5
    assert {(row["learner"], row["attempt"]) for row in table(files, "marks.csv")} == attempts
    # Whoever closed no step has shown nothing.
    shown = {(row["learner"], row["attempt"]) for row in table(files, "evidence.csv")}
    assert len(shown) == 4
    assert shown < attempts


@pytest.mark.usefixtures("quiz")
def test_each_export_has_pseudonyms_of_its_own_unless_a_key_is_kept(course: Course) -> None:
    first, second = told(course), told(course)
    people = [{row["learner"] for row in table(files, "attempts.csv")} for files in (first, second)]
    assert not people[0] & people[1]
    assert told(course, KEY) == told(course, KEY)
    with pytest.raises(ResearchRefused, match="at least 16 bytes"):
        told(course, b"short")


@pytest.mark.usefixtures("quiz")
def test_what_was_done_is_in_it(course: Course) -> None:
    files = told(course)
    scores = sorted(row["score"] for row in table(files, "attempts.csv"))
    assert scores == ["0.2500", "0.5000", "0.5000", "0.5000", "1.0000"]
    right = [row for row in table(files, "marks.csv") if row["step"] == "p" and row["outcome"] == "right"]
    assert len(right) == 4
    assert {row["hour"] for row in right} == {"0"}


@pytest.mark.usefixtures("quiz")
def test_what_fewer_than_five_did_is_left_out_or_lumped_together(course: Course) -> None:
    files = told(course)
    # Bob alone sat the exam, and one alone forgot to exponentiate.
    assert {row["set"] for row in table(files, "attempts.csv")} == {"set-1"}
    assert "1 problem sets" in files["README.md"]
    notes = {row["note"] for row in table(files, "marks.csv")}
    assert "p.no-exp" not in notes
    assert "rare" in notes


def test_a_course_of_four_is_not_given_away(quiz: ProblemSet, course: Course) -> None:
    Enrolment.objects.filter(user__username="ann").update(role="observer")
    with pytest.raises(ResearchRefused, match="Only 4 learners"):
        told(course)
    assert quiz.attempts.count() == 5


def test_who_was_erased_is_not_in_it(quiz: ProblemSet, course: Course, bob: User) -> None:
    with clock.at(NOW):
        handed_in(marked(begun(quiz, person(course, "eve").user), HALF))
        erase_person(person=bob, reason="asked for it")
    assert len({row["learner"] for row in table(told(course), "attempts.csv")}) == 5


def test_a_problem_of_ones_own_is_not_named(quiz: ProblemSet, course: Course) -> None:
    Problem.objects.update(built_in=True)
    assert {row["problem"] for row in table(told(course), "marks.csv")} == {"masked"}
    Problem.objects.update(built_in=False)
    assert all(row["problem"].startswith("own-") for row in table(told(course), "marks.csv"))


@pytest.mark.usefixtures("quiz")
def test_every_column_is_in_the_dictionary(course: Course) -> None:
    files = told(course)
    for name, columns in COLUMNS.items():
        assert files[name].splitlines()[0] == ",".join(columns)
        assert [column for column in columns if f"| `{column}` |" not in files["README.md"]] == []


@pytest.mark.usefixtures("quiz")
def test_the_command_writes_a_file_and_says_what_is_in_it(
    course: Course, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, key = tmp_path / "work.zip", tmp_path / "key"
    key.write_bytes(KEY)
    call_command("research_export", str(course.public_id), str(file), "--key", str(key))
    assert "5 learners, 5 rows of attempts.csv" in capsys.readouterr().out
    assert zipfile.ZipFile(file).testzip() is None
    assert file.stat().st_mode & 0o077 == 0
    with pytest.raises(CommandError, match="cannot be used"):
        call_command("research_export", str(course.public_id), str(file))
    with pytest.raises(CommandError, match="There is no course"):
        call_command("research_export", "nothing", str(tmp_path / "x.zip"))


@pytest.mark.usefixtures("quiz")
def test_out_of_a_container_it_comes_by_the_output(course: Course, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    call_command("research_export", str(course.public_id), "-")
    written = capsysbinary.readouterr()
    assert zipfile.ZipFile(io.BytesIO(written.out)).testzip() is None
    assert b"5 learners" in written.err


def test_a_refused_export_leaves_no_file(bobs: Bobs, course: Course, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="Only 1 learners"):
        call_command("research_export", str(course.public_id), str(tmp_path / "x.zip"))
    assert list(tmp_path.iterdir()) == []
