"""Grade files: out and in again changes nothing; what comes in is seen first, and kept as a whole or not at all."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from exercises import clock
from exercises.actions.grading import ChangedMeanwhile, GradeRefused, Imported, grade_import, import_grades
from exercises.models import AuditEntry, Course, Enrolment, Override, ProblemSet, User
from exercises.queries import grade_export
from exercises.queries.grade_export import course_csv, set_csv
from exercises.queries.gradebook import book_rows, sets_of
from tests.exercises.courses.sat import ALL, HALF, NO_EXP, begun, handed_in, marked
from tests.exercises.courses.world import NOW, person, problem_set

pytestmark = pytest.mark.usefixtures("servers")


@pytest.fixture(autouse=True)
def _now() -> Iterator[None]:
    with clock.at(NOW):
        yield


@pytest.fixture
def ida(course: Course, quiz: ProblemSet) -> Enrolment:
    """Somebody whose name a spreadsheet would run."""
    found = person(course, "ida", external_id="+49")
    found.name = '=HYPERLINK("http://x")'
    found.save()
    handed_in(marked(begun(quiz, found.user), NO_EXP))
    return found


def brought_in(course: Course, actor: User, text: str, **said: Any) -> Imported:
    return import_grades(actor=actor, course=course, sets=sets_of(course), text=text, **said)


def test_the_file_of_a_set_is_safe_exact_and_complete(quiz: ProblemSet, ida: Enrolment, enrolled: Enrolment) -> None:
    head, first, second = "".join(set_csv(quiz)).splitlines()
    key = quiz.public_id.hex[:8]
    assert head.startswith(f"username,email,external id,name,A quiz [{key}] %,points of 4,state,handed in,days late")
    assert head.endswith("1 Loss at one masked token: percent,1 Loss at one masked token: tries,"
                         "2 Loss at one masked token: percent,2 Loss at one masked token: tries")  # fmt: skip
    assert first.startswith("ida,ida@example.org,'+49,\"'=HYPERLINK(")
    assert ",18.7500,0.7500,handed in," in first
    assert second.startswith("bob,,,,,,not begun,,0,0,,,,")
    assert "".join(set_csv(quiz, with_bom=True)).startswith("\ufeffusername")


def test_out_and_in_again_changes_nothing(
    course: Course, quiz: ProblemSet, ida: Enrolment, enrolled: Enrolment, dave: User
) -> None:
    Override.objects.create(problem_set=quiz, learner=enrolled.user, score="2/3", reason="On paper", given_by=dave)
    for text in ("".join(course_csv(course, sets_of(course), with_bom=True)), "".join(set_csv(quiz))):
        for again in (text, text.replace(",", ";").replace(".", ",") if '"' not in text else text):
            result = brought_in(course, dave, again)
            assert (result.faults, result.changed, result.unchanged) == ((), 0, 2)
    assert brought_in(course, dave, text, is_preview=False, reason="Round").changed == 0
    assert not AuditEntry.objects.exists()


def test_what_comes_in_is_shown_and_then_kept_once(
    course: Course, quiz: ProblemSet, ida: Enrolment, enrolled: Enrolment, dave: User
) -> None:
    text = "external id,Email,percent,notes\n+49,,75,good\n,IDA@example.org,1,\n"
    assert "in line 2 already" in brought_in(course, dave, text).faults[0].words
    text = f"username,percent\nbob,50\nida,{Fraction(10)}\n"
    shown = brought_in(course, dave, text)
    assert (shown.changed, shown.lowered, shown.unchanged) == (2, 1, 0)
    assert [(one.name, one.before, one.after) for one in shown.listed] == [
        ("bob", None, Fraction(1, 2)),
        (ida.name, Fraction(3, 16), Fraction(1, 10)),
    ]
    assert not Override.objects.exists()
    with pytest.raises(GradeRefused):
        brought_in(course, dave, text, is_preview=False, seen=shown.digest)
    with pytest.raises(ChangedMeanwhile):
        brought_in(course, dave, text, is_preview=False, reason="Oral exam", seen="0")
    for _ in range(2):
        applied = brought_in(course, dave, text, is_preview=False, reason="Oral exam", seen=shown.digest)
        assert applied.is_applied
    assert [row.score for row in Override.objects.order_by("pk")] == ["1/2", "1/10"]
    cells = [row.cells[0] for row in book_rows([quiz], [enrolled, ida])]
    assert [(cell.score, cell.is_overridden) for cell in cells] == [(Fraction(1, 2), True), (Fraction(1, 10), True)]
    attempt = quiz.attempts.get()
    assert attempt.score == Fraction(1, 10)
    entries = AuditEntry.objects.order_by("pk")
    assert [(entry.learner_id, entry.reason) for entry in entries] == [
        (enrolled.user_id, "Oral exam"), (ida.user_id, "Oral exam"),
    ]  # fmt: skip
    changed = brought_in(course, dave, text.replace("50", "60"))
    brought_in(course, dave, text.replace("50", "60"), is_preview=False, reason="Again", seen=changed.digest)
    assert list(Override.objects.filter(withdrawn_at=None).values_list("score", flat=True)) == ["1/10", "3/5"]


def test_nothing_is_kept_of_a_file_with_a_fault(
    course: Course, quiz: ProblemSet, ida: Enrolment, enrolled: Enrolment, dave: User
) -> None:
    text = "username,percent\nbob,50\nida,150\nnobody,1\ndave,1\n"
    result = brought_in(course, dave, text, is_preview=False, reason="Why not", seen="x")
    assert [fault.line for fault in result.faults] == [3, 4, 5]
    assert "more than everything" in result.faults[0].words
    assert "no learner of this course" in result.faults[1].words
    assert not Override.objects.exists()


def test_a_file_that_changes_too_much_is_refused(
    course: Course, quiz: ProblemSet, ida: Enrolment, enrolled: Enrolment, dave: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grade_import, "MOST_CHANGES", 1)
    assert "more than 1 scores" in brought_in(course, dave, "username,percent\nbob,1\nida,2\n").faults[0].words


def test_columns_of_several_sets(
    course: Course, quiz: ProblemSet, problem: Any, enrolled: Enrolment, dave: User
) -> None:
    other = problem_set(course, "exam", problem)
    text = "".join(course_csv(course, sets_of(course)))
    assert text.count(" %") == 2
    mended = text.replace("bob,,,,,,,", "bob,,,,100,,,")
    assert mended != text
    result = brought_in(course, dave, mended)
    assert [(one.problem_set, one.after) for one in result.listed] == [(quiz, Fraction(1))]
    assert result.ignored == ("A quiz: points of 4", "A exam: points of 1")
    assert other.attempts.count() == 0


@pytest.mark.parametrize("learners", [1, 30])
def test_a_file_is_written_in_chunks(
    learners: int, course: Course, quiz: ProblemSet, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    monkeypatch.setattr(grade_export, "CHUNK", 50)
    for number in range(learners):
        marked(begun(quiz, person(course, f"learner-{number}").user), ALL if number % 2 else HALF)
    with django_assert_num_queries(8):
        lines = list(course_csv(course, sets_of(course)))
    assert len(lines) == learners + 2
