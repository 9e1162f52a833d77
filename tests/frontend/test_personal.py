"""The pages about oneself: what is kept, all of it as a file, and the end of it."""

import io
import json
import zipfile
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from exercises.actions import draw_variant
from exercises.limits import MOST_PASSWORDS
from exercises.models import Attempt, Course, Problem, ProblemSet, User
from tests.exercises.conftest import problem, published
from tests.exercises.courses.sat import begun
from tests.exercises.courses.world import problem_set

__all__ = ["problem", "published"]
pytestmark = pytest.mark.usefixtures("servers", "published", "course")
PAGE, EXPORT, ERASE = (reverse(f"frontend:personal{what}") for what in ("", "-export", "-erase"))
PASSWORD = "bob learns here"


@pytest.fixture
def browser(bob: User) -> Client:
    found = Client()
    found.force_login(bob)
    return found


def erased(browser: Client, **form: str) -> Any:
    return browser.post(ERASE, {"name": "bob", "password": PASSWORD, **form})


def test_the_account_page_leads_there(browser: Client) -> None:
    assert PAGE in browser.get(reverse("account_change_password")).content.decode()


def test_who_has_no_password_gets_there_by_their_name(browser: Client, bob: User) -> None:
    assert f'<a href="{PAGE}"><strong>bob' not in browser.get("/").content.decode()
    bob.set_unusable_password()
    bob.save()
    browser.force_login(bob)
    assert f'<a href="{PAGE}"><strong>bob' in browser.get("/").content.decode()


def test_it_says_how_much_is_kept(browser: Client, bob: User, problem: Problem, course: Course) -> None:
    begun(problem_set(course, ProblemSet.Mode.QUIZ, problem), bob)
    text = browser.get(PAGE).content.decode()
    assert "<dt>Attempts at problem sets</dt><dd>1</dd>" in text
    assert "<dt>Fault reports</dt><dd>0</dd>" in text


def test_the_file_is_a_zip_of_ones_own(browser: Client) -> None:
    answer: Any = browser.post(EXPORT)
    assert answer["Content-Disposition"].endswith('-bob-bert-gym.zip"')
    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    assert json.loads(archive.read("account.json"))[0]["username"] == "bob"
    assert json.loads(archive.read("courses.json"))[0]["role"] == "learner"


def test_it_is_not_made_again_and_again(browser: Client) -> None:
    statuses = [browser.post(EXPORT).status_code for _ in range(6)]
    assert statuses == [200] * 5 + [429]


def test_it_is_no_link_that_another_site_could_follow(browser: Client) -> None:
    assert browser.get(EXPORT).status_code == 405


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"password": "guessed"}, "That is not your password"),
        ({"name": "alice"}, "just as it stands above"),
        ({"password": ""}, "Type your password."),
    ],
)
def test_nobody_is_erased_without_name_and_password(
    browser: Client, bob: User, form: dict[str, str], said: str
) -> None:
    answer = erased(browser, **form)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    bob.refresh_from_db()
    assert bob.is_active


def test_passwords_are_not_guessed_there(browser: Client, bob: User) -> None:
    for _ in range(MOST_PASSWORDS):
        assert erased(browser, password="guessed").status_code == 422
    assert erased(browser).status_code == 429
    bob.refresh_from_db()
    assert bob.is_active


def test_whoever_is_in_a_course_stays_without_a_name_and_is_signed_out(browser: Client, bob: User) -> None:
    assert "under a name that says nothing" in browser.get(ERASE).content.decode()
    answer = erased(browser)
    assert answer.status_code == 302
    page = browser.get(answer["Location"])
    assert "Your account is erased" in page.content.decode()
    assert not page.wsgi_request.user.is_authenticated
    bob.refresh_from_db()
    assert bob.username.startswith("erased-")
    assert not Client().login(username="bob", password=PASSWORD)
    assert not Client().login(username=bob.username, password=PASSWORD)


@pytest.mark.usefixtures("problem")
def test_whoever_is_in_none_is_gone(client: Client) -> None:
    dora = User.objects.create_user("dora", password="dora alone")
    draw_variant(learner=dora, slug="masked")
    client.force_login(dora)
    assert "Nothing of yours is in a course" in client.get(ERASE).content.decode()
    assert client.post(ERASE, {"name": "dora", "password": "dora alone"}).status_code == 302
    assert not User.objects.filter(pk=dora.pk).exists()


def test_an_exam_that_is_going_on_comes_first(browser: Client, bob: User, problem: Problem, course: Course) -> None:
    begun(problem_set(course, ProblemSet.Mode.EXAM, problem, title="The exam", closes_at=None), bob)
    assert "An attempt at “The exam” is going on" in erased(browser).content.decode()
    Attempt.objects.update(handed_in_at="2025-12-01T12:00:00Z")
    assert erased(browser).status_code == 302
