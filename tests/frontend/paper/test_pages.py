"""The pages about paper: who sees them, and from a drawn copy to an entered one."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from exercises.actions.paper import enter_paper, print_copies
from exercises.models import Attempt, Course, PaperCopy, PaperRun, Problem, ProblemSet, Role, User
from tests.exercises.conftest import problem
from tests.exercises.courses.world import person, problem_set

__all__ = ["problem"]
pytestmark = pytest.mark.usefixtures("servers", "published")

PAGES = ("papers", "paper-run", "paper-sheet", "paper-key", "paper-table", "paper-enter", "paper-find")
#: Only these may be opened by whoever enters; the rest by whoever reads work.
ENTERING = {"paper-table", "paper-enter", "paper-find"}


@pytest.fixture
def exam(course: Course, problem: Problem) -> ProblemSet:
    return problem_set(course, "exam", problem, problem)


@pytest.fixture
def run(exam: ProblemSet, alice: User) -> PaperRun:
    return print_copies(problem_set=exam, made_by=alice, copies=2, seed=3)


@pytest.fixture
def as_who(course: Course, elsewhere: Course, alice: User, bob: User, charlie: User) -> dict[str, Client]:
    people = {"nobody": None, "alice": alice, "bob": bob, "charlie": charlie}
    people["erin"] = User.objects.get(username="erin")
    people["dave"] = person(course, "dave", Role.ASSISTANT).user
    people["eve"] = person(course, "eve", Role.OBSERVER).user
    clients = {name: Client() for name in people}
    for name, user in people.items():
        if user is not None:
            clients[name].force_login(user)
    return clients


def address(name: str, run: PaperRun) -> str:
    copy = run.copies.get(number=1)
    match name:
        case "papers":
            return reverse("frontend:papers", kwargs={"set_id": run.problem_set.public_id})
        case "paper-enter":
            return reverse("frontend:paper-enter", kwargs={"code": copy.code})
        case "paper-find":
            return f"{reverse('frontend:paper-find')}?code={copy.code[:4].lower()}-{copy.code[4:]}"
    return reverse(f"frontend:{name}", kwargs={"run_id": run.public_id})


@pytest.mark.parametrize("name", PAGES)
def test_who_gets_which_page(name: str, run: PaperRun, as_who: dict[str, Client]) -> None:
    expected = {"nobody": 401, "bob": 404, "charlie": 404, "erin": 404, "eve": 404, "dave": 200, "alice": 200}
    for who, status in expected.items():
        response = as_who[who].get(address(name, run), follow=name == "paper-find" and status == 200)
        # Who is not signed in is led there.
        assert response.status_code in ({401, 302} if who == "nobody" else {status}), who


def test_an_assistant_enters_but_draws_nothing(run: PaperRun, as_who: dict[str, Client]) -> None:
    dave = as_who["dave"]
    user = User.objects.get(username="dave")
    assert "Draw copies" not in dave.get(address("papers", run)).content.decode()
    sent = dave.post(address("papers", run), {"learner": user.pk, "copies": "3"})
    assert sent.status_code == 404
    assert PaperRun.objects.count() == 1


def test_alice_draws_prints_and_enters(exam: ProblemSet, alice: User, as_who: dict[str, Client]) -> None:
    client = as_who["alice"]
    papers = reverse("frontend:papers", kwargs={"set_id": exam.public_id})
    assert client.post(papers, {"learner": alice.pk, "copies": "0"}).status_code == 422
    drawn = client.post(papers, {"learner": alice.pk, "copies": "3", "title": "Group <2>"}, follow=True)
    assert "3 copies" in drawn.content.decode()
    assert "Group &lt;2&gt;" in drawn.content.decode()
    copy = PaperCopy.objects.get(number=2)
    sheet = client.get(reverse("frontend:paper-sheet", kwargs={"run_id": copy.run.public_id})).content.decode()
    assert sheet.count('class="sheet"') == 3
    assert f"{copy.code[:4]}-{copy.code[4:]}" in sheet
    # The sheet is for learners: no key on it. The key page has the values that the sheet leaves blank.
    key = client.get(reverse("frontend:paper-key", kwargs={"run_id": copy.run.public_id})).content.decode()
    assert "solution-steps" not in key
    solved = client.get(reverse("frontend:paper-key", kwargs={"run_id": copy.run.public_id}) + "?solutions")
    assert "solution-steps" in solved.content.decode()
    enter = reverse("frontend:paper-enter", kwargs={"code": copy.code})
    typed: dict[str, Any] = {"learner": alice.pk, "written_by": "BOB", "answer-1-p": "0,5", "locale": "de"}
    entered = client.post(enter, typed, follow=True)
    assert "entered for bob" in entered.content.decode()
    attempt = Attempt.objects.get()
    assert attempt.learner.username == "bob"
    assert PaperCopy.objects.get(pk=copy.pk).attempt == attempt
    # What was entered is there again, to be corrected.
    assert re.search(r'name="answer-1-p" value="0,5"', client.get(enter).content.decode())


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ({"written_by": ""}, "required"),
        ({"written_by": "charlie"}, "No learner of this course"),
        ({"written_by": "alice"}, "No learner of this course"),
        ({"written_by": "bob", "written_at": "2999-01-01T10:00"}, ""),
        ({"written_by": "bob", "written_at": "once"}, ""),
    ],
)
def test_what_cannot_be_entered_keeps_what_was_typed(
    typed: dict[str, str], says: str, run: PaperRun, alice: User, as_who: dict[str, Client]
) -> None:
    form = {"learner": alice.pk, "answer-1-p": "0.123", **typed}
    response = as_who["alice"].post(address("paper-enter", run), form)
    assert response.status_code == 422
    assert says in response.content.decode()
    assert "form-error" in response.content.decode()
    assert 'value="0.123"' in response.content.decode()
    assert not Attempt.objects.exists()


def test_a_copy_entered_for_the_wrong_learner_is_taken_back(
    run: PaperRun, alice: User, bob: User, as_who: dict[str, Client]
) -> None:
    copy = PaperCopy.objects.select_related("run__problem_set__course").get(run=run, number=1)
    page = reverse("frontend:paper-void", kwargs={"code": copy.code})
    # Nothing is entered yet, so there is nothing to ask.
    assert as_who["dave"].get(page).status_code == 302
    enter_paper(copy=copy, learner=bob, answers={1: {"p": "0.5"}}, entered_by=alice)
    for who, status in {"nobody": 401, "bob": 404, "erin": 404, "eve": 404, "dave": 200, "alice": 200}.items():
        assert as_who[who].get(page).status_code in ({401, 302} if who == "nobody" else {status}), who
    for who in ("bob", "erin", "eve"):
        as_who[who].post(page, {"reason": "Because"})
    assert Attempt.objects.get().is_preview is False
    assert page in as_who["dave"].get(address("paper-enter", run)).content.decode()
    assert as_who["dave"].post(page, {"reason": " "}).status_code == 422
    done = as_who["dave"].post(page, {"reason": "It is Dora’s"}, follow=True).content.decode()
    assert "entered for bob counts nowhere any more" in done
    assert Attempt.objects.get().is_preview is True
    assert (
        "took an entered copy back"
        in as_who["alice"].get(reverse("frontend:audit", args=[run.problem_set.course.public_id])).content.decode()
    )


def test_a_mistyped_code_is_told_from_a_strange_one(run: PaperRun, as_who: dict[str, Client]) -> None:
    find = reverse("frontend:paper-find")
    code = run.copies.get(number=1).code
    mistyped = as_who["alice"].get(f"{find}?code={code[:-1]}{'A' if code[-1] != 'A' else 'B'}")
    assert mistyped.status_code == 422
    assert "no code of a copy" in mistyped.content.decode()
    assert as_who["erin"].get(f"{find}?code={code}").status_code == 404


def test_a_table_is_looked_at_and_then_entered(run: PaperRun, alice: User, as_who: dict[str, Client]) -> None:
    client = as_who["alice"]
    table = client.get(address("paper-table", run)).content.decode("utf-8-sig")
    code = run.copies.get(number=1).code
    assert table.startswith("code,learner,written_at,1.powers.1")
    text = f"code,learner,1.p\n{code},bob,0.5\n{code},bob,0.6\n"
    seen = client.post(address("paper-run", run), {"learner": alice.pk, "text": text, "do": "look"}).content.decode()
    assert "1 of 2 rows would be left out" in seen
    assert "Enter these answers" in seen
    assert not Attempt.objects.exists()
    done = client.post(address("paper-run", run), {"learner": alice.pk, "text": text, "do": "enter"}).content.decode()
    assert "1 could not be entered" in done
    assert Attempt.objects.get().learner.username == "bob"
    refused = client.post(address("paper-run", run), {"learner": alice.pk, "text": "x\n1", "do": "enter"})
    assert refused.status_code == 422
