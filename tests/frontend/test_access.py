"""Who may see and do what: every route, for nobody, for the owner, for another learner and for the teacher."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, reverse

from exercises.models import FaultReport, Forecast, HintUse, Submission, Variant
from frontend.urls import urlpatterns
from tests.frontend.world import address, drawn, send

pytestmark = pytest.mark.usefixtures("servers", "variant")

LOGIN = "/accounts/login/"
#: name: (method, status for nobody, for the owner, for another learner, for the teacher)
ROUTES = {
    "home": ("get", 200, 200, 200, 200),
    "help": ("get", 200, 200, 200, 200),
    "problem": ("get", 302, 200, 200, 200),
    "draw": ("post", 302, 302, 302, 302),
    "history": ("get", 302, 200, 200, 200),
    "verdict": ("get", 302, 302, 404, 404),
    "variant": ("get", 302, 200, 404, 404),
    "answers": ("post", 302, 302, 404, 404),
    "reading": ("post", 302, 200, 404, 404),
    "hint": ("post", 302, 302, 404, 404),
    "forecast": ("post", 302, 302, 404, 404),
    "reveal": ("get", 302, 200, 404, 404),
    "whole": ("post", 302, 302, 404, 404),
    "report": ("get", 302, 200, 404, 404),
    "today": ("get", 302, 200, 200, 200),
    "begin": ("post", 302, 404, 404, 404),  # nobody has put a session together
    "progress": ("get", 302, 200, 200, 200),
    "skill": ("get", 302, 200, 200, 200),
    "plan": ("get", 302, 200, 200, 200),
    "operating": ("get", 302, 404, 404, 404),
}
#: Those of them that also take a form: about a variant, and about oneself.
FORMS = ("reveal", "report")
OWN_FORMS = ("today", "plan")


def where(name: str, variant: Variant, submission: Submission) -> str:
    if name in ("problem", "draw"):
        return reverse(f"frontend:{name}", args=["masked"])
    if name == "verdict":
        return reverse("frontend:verdict", args=[submission.public_id])
    if name == "begin":
        return reverse("frontend:begin", args=[1])
    if name == "skill":
        return reverse("frontend:skill", args=["softmax"])
    if name in ("home", "help", "history", "today", "progress", "plan", "operating"):
        return reverse(f"frontend:{name}")
    return address(name, variant, **({"step": "p"} if name in ("reading", "hint") else {}))


@pytest.fixture
def submission(as_bob: Client, variant: Variant) -> Submission:
    send(as_bob, variant, p="0.6667")
    return Submission.objects.get()


def test_every_route_has_its_row() -> None:
    """The pages about cards have rows of their own."""
    assert {route.name for route in urlpatterns if isinstance(route, URLPattern)} == set(ROUTES)


@pytest.mark.parametrize("name", ROUTES)
def test_each_person_sees_what_is_theirs(
    name: str, variant: Variant, submission: Submission, as_bob: Client, as_charlie: Client, as_alice: Client
) -> None:
    method, *expected = ROUTES[name]
    page = where(name, variant, submission)
    form = {"text": "a text", "answer-p": "0.5", "check": "p"} if method == "post" else {}
    people = (Client(), as_bob, as_charlie, as_alice)
    assert [getattr(person, method)(page, form).status_code for person in people] == expected
    if expected[0] == 302:
        # A form is not repeated after signing in: one comes back to the page it stood on.
        assert getattr(Client(), method)(page, form)["Location"].startswith(LOGIN)


@pytest.mark.parametrize("name", FORMS)
def test_forms_of_somebody_elses_variant_do_nothing(
    name: str, variant: Variant, as_charlie: Client, as_alice: Client
) -> None:
    for person in (as_charlie, as_alice):
        assert person.post(address(name, variant), {"text": "a text", "sure": "yes"}).status_code == 404
    variant.refresh_from_db()
    assert not variant.is_closed
    assert not FaultReport.objects.exists()


def test_nothing_of_a_stranger_is_stored(variant: Variant, submission: Submission, as_charlie: Client) -> None:
    for name, (method, *_) in ROUTES.items():
        if method == "post" and name != "draw":
            as_charlie.post(where(name, variant, submission), {"text": "a text", "answer-p": "0.5"})
    assert Submission.objects.count() == 1
    assert not HintUse.objects.exists()
    assert not Forecast.objects.exists()
    assert not as_charlie.session.get("typed-before-sign-in")


def wrong_methods() -> Iterator[tuple[str, str]]:
    for name, (method, *_) in ROUTES.items():
        if name not in FORMS + OWN_FORMS:
            yield name, "post" if method == "get" else "get"
        yield name, "delete"


@pytest.mark.parametrize(("name", "method"), list(wrong_methods()))
def test_other_methods_are_refused(
    name: str, method: str, variant: Variant, submission: Submission, as_bob: Client
) -> None:
    assert getattr(as_bob, method)(where(name, variant, submission)).status_code == 405


@pytest.mark.parametrize(
    "query", ["?debug=1", "?seed=5", "?variant=1", "?sent=x", "?sent=00000000-0000-0000-0000-000000000000"]
)
def test_there_are_no_switches_in_the_address(query: str, variant: Variant, as_bob: Client) -> None:
    def shown(page: str) -> str:
        html = as_bob.get(page).content.decode()
        return html[html.index('<div id="workbench"') : html.index('name="form"')]

    plain = shown(address("variant", variant))
    token = plain.partition('name="csrfmiddlewaretoken" value="')[2][:64]
    other = shown(address("variant", variant) + query)
    assert other.replace(other.partition('name="csrfmiddlewaretoken" value="')[2][:64], token) == plain


def test_the_marks_of_one_learner_are_not_those_of_another(
    as_bob: Client, as_charlie: Client, variant: Variant, quick_worker: None
) -> None:
    send(as_bob, variant, p="0.6667")
    from_charlie = as_charlie.get(reverse("frontend:history")).content.decode()
    assert "0.6667" not in from_charlie
    assert "Nothing yet." in from_charlie


def test_forms_need_their_token(variant: Variant, bob: object) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(variant.learner)
    response = strict.post(address("answers", variant), {"answer-p": "0.5"})
    assert response.status_code == 403
    assert "This page is out of date" in response.content.decode()
    assert not Submission.objects.exists()


def test_everyone_is_told_who_is_signed_in(as_bob: Client, as_alice: Client) -> None:
    assert "<strong>bob</strong>" in as_bob.get("/").content.decode()
    assert "<strong>alice</strong>" in as_alice.get("/").content.decode()
    assert "Signed in" not in Client().get("/").content.decode()


def test_a_drawn_variant_belongs_to_who_drew_it(as_charlie: Client, charlie: object) -> None:
    location = as_charlie.post(reverse("frontend:draw", args=["claims"]))["Location"]
    assert Variant.objects.get(problem__slug="claims").learner == charlie
    assert as_charlie.get(location).status_code == 200
    assert drawn(Variant.objects.get(problem__slug="claims").learner, "claims").number == 1
