"""The pages by themselves: bounded queries, the map, the guide, accounts, and pages for when something is wrong."""

import re

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client, RequestFactory
from django.urls import reverse
from django.views import defaults
from django.views.csrf import csrf_failure
from pytest_django import DjangoAssertNumQueries

from exercises.actions import draw_variant, report_fault, send_answer, sync_catalogue, take_hint
from exercises.models import User, Variant
from exercises.tasks import grade_pending
from frontend.guide import chapters
from grader.answer_table import rows
from tests.frontend.world import SHOWN, address, drawn, part, words

pytestmark = pytest.mark.usefixtures("servers", "variant")
#: Session and user: asked for by every page of somebody signed in.
WHO = 2


def busy(variant: Variant, *, answers: int) -> None:
    """A variant that was answered so often, each answer marked, with hints taken and faults reported."""
    for place in range(answers):
        send_answer(learner=variant.learner, variant=variant, answers={"p": f"0.{place + 11}", "loss": "0.5"})
        report_fault(learner=variant.learner, variant=variant, text=f"report {place}")
    grade_pending()
    take_hint(variant=variant, step="p")
    take_hint(variant=variant, step="loss")


@pytest.mark.parametrize("answers", [1, 30])
def test_the_page_of_a_variant_asks_the_database_a_fixed_number_of_times(
    as_bob: Client, variant: Variant, django_assert_num_queries: DjangoAssertNumQueries, answers: int
) -> None:
    busy(variant, answers=answers)
    with django_assert_num_queries(WHO + 6):
        as_bob.get(address("variant", variant))


@pytest.mark.usefixtures("course")
@pytest.mark.parametrize("rows", [1, 30])
def test_the_lists_ask_the_database_a_fixed_number_of_times(
    as_bob: Client,
    as_alice: Client,
    variant: Variant,
    bob: User,
    rows: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    busy(variant, answers=rows)
    slugs = [f"problem-{place}" for place in range(rows)]
    sync_catalogue(["masked", *slugs], lambda slug: SHOWN)
    for slug in slugs:
        draw_variant(learner=bob, slug=slug)
    with django_assert_num_queries(WHO + 10):
        as_bob.get("/")
    with django_assert_num_queries(WHO + 2):
        as_bob.get(reverse("frontend:history"))
    with django_assert_num_queries(WHO + 2):
        as_bob.get(reverse("frontend:problem", args=["masked"]))
    with django_assert_num_queries(WHO + 5):
        as_alice.get(reverse("frontend:faults"))


def test_reading_along_is_cheap(
    as_bob: Client, variant: Variant, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(WHO + 1):
        as_bob.post(address("reading", variant, step="p"), {"answer-p": "0.5"}, headers={"HX-Request": "true"})


def test_strangers_cost_no_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        assert "Learn the arithmetic of BERT" in words(Client().get("/").content.decode())
        assert Client().get(reverse("frontend:help")).status_code == 200


def test_the_map_links_every_skill_to_its_problems(as_bob: Client) -> None:
    html = as_bob.get("/").content.decode()
    assert 'href="#skill-softmax"' in html
    listed = part(html, "skill-softmax")
    assert "You can turn logits into probabilities" in listed
    assert "Builds on Exponentials and logarithms" in listed
    assert "Loss at one masked token" in listed
    assert "What softmax does" in listed


def test_the_picture_of_the_map_leads_only_to_what_is_there(as_bob: Client) -> None:
    html = as_bob.get("/").content.decode()
    targets = set(re.findall(r'href="#(skill-[^"]+)"', html))
    assert targets <= set(re.findall(r'id="(skill-[^"]+)"', html))


def test_the_map_tells_how_far_one_is(as_bob: Client, variant: Variant, quick_worker: None) -> None:
    assert "begun" in part(as_bob.get("/").content.decode(), "skill-cross-entropy")
    send_answer(
        learner=variant.learner,
        variant=variant,
        answers={"total": "11.107", "p": "0.665", "loss": "0.408", "powers": ["7.389", "2.718", "1"]},
    )
    grade_pending()
    html = as_bob.get("/").content.decode()
    assert "solved" in part(html, "skill-cross-entropy")
    assert "1 of 1 problems solved" in html


def test_older_answers_are_on_further_pages(as_bob: Client, variant: Variant) -> None:
    busy(variant, answers=30)
    first = as_bob.get(reverse("frontend:history"))
    older = first.context["older"]
    second = as_bob.get(f"{reverse('frontend:history')}?before={older}")
    shown = [row["submission"].pk for page in (first, second) for row in page.context["rows"]]
    assert len(shown) == len(set(shown)) == 30
    assert shown == sorted(shown, reverse=True)
    assert second.context["older"] is None
    assert as_bob.get(f"{reverse('frontend:history')}?before=nonsense").status_code == 200


def test_the_guide_is_the_table_that_the_marking_is_tested_with() -> None:
    html = words(Client().get(reverse("frontend:help")).content.decode())
    examples = [example for chapter in chapters() for example in chapter.examples]
    assert len(examples) > 150
    told = {(example.typed, example.shown) for example in examples if not example.message}
    for _, row in rows():
        if row.locale == "en" and row.outcome != "unreadable" and isinstance(row.typed, str) and row.typed.isascii():
            typed = row.typed.strip()
            if typed and row.reading:
                assert ((typed,), row.reading) in told
                assert " ".join(typed.split()) in html
    assert all(example.shown or example.message for example in examples)
    assert "write ln, log2 or log10" in html.lower()


def test_no_example_of_the_guide_is_lost_between_its_two_tables() -> None:
    for chapter in chapters():
        assert len(chapter.first) + len(chapter.more) == len(chapter.examples)
        assert chapter.first


def test_a_problem_page_goes_on_where_one_was(as_bob: Client, as_charlie: Client, variant: Variant) -> None:
    page = reverse("frontend:problem", args=["masked"])
    assert address("variant", variant) in as_bob.get(page).content.decode()
    charlies = as_charlie.get(page).content.decode()
    assert address("variant", variant) not in charlies
    assert "Draw a variant" in words(charlies)
    assert as_bob.get(reverse("frontend:problem", args=["no-such-problem"])).status_code == 404


def test_inputs_are_plain_text_boxes_that_a_phone_can_type_a_minus_into(as_bob: Client, variant: Variant) -> None:
    html = as_bob.get(address("variant", variant)).content.decode()
    boxes = re.findall(r'<input class="answer-box[^>]*>', html, flags=re.S)
    assert len(boxes) == 6
    for box in boxes:
        for attribute in ('type="text"', 'inputmode="text"', 'dir="ltr"', 'autocomplete="off"', 'lang="en"'):
            assert attribute in box
    assert 'type="number"' not in html


def test_every_box_has_its_question_as_its_name(as_bob: Client, variant: Variant) -> None:
    html = as_bob.get(address("variant", variant)).content.decode()
    for box in re.findall(r'<input class="answer-box[^>]*>', html, flags=re.S):
        named_by = re.search(r'aria-labelledby="([^"]+)"', box)
        assert named_by
        assert all(part(html, element_id) for element_id in named_by[1].split())


def test_no_page_carries_style_attributes_or_unsigned_scripts(as_bob: Client, variant: Variant) -> None:
    for page in ("/", address("variant", variant), reverse("frontend:help"), reverse("frontend:history")):
        response = as_bob.get(page)
        html = response.content.decode()
        assert not re.search(r"<[^>]+\sstyle=", html)
        assert not re.search(r"<[^>]+\son\w+=", html)
        nonce = re.search(r"'nonce-([^']+)'", response["Content-Security-Policy"])
        assert nonce
        for script in re.findall(r"<script[^>]*>", html):
            assert "src=" in script or f'nonce="{nonce[1]}"' in script


def test_pages_of_a_learner_are_not_kept_by_any_cache(as_bob: Client, variant: Variant) -> None:
    for page in ("/", address("variant", variant), reverse("frontend:history")):
        assert "no-store" in as_bob.get(page)["Cache-Control"]


def test_somebody_new_can_sign_up_and_out(client: Client) -> None:
    form = {"username": "dora", "password1": "a long enough secret", "password2": "a long enough secret"}
    response = client.post("/accounts/signup/", form, follow=True)
    assert "Practice" in part(response.content.decode(), "main")
    assert User.objects.get(username="dora").is_instructor is False
    response = client.post("/accounts/logout/", follow=True)
    assert "Sign in" in words(response.content.decode())


@pytest.mark.parametrize(
    "page",
    ["/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/accounts/password/reset/done/"],
)
def test_account_pages_are_in_the_house_style(client: Client, page: str) -> None:
    html = client.get(page).content.decode()
    assert "frontend/css/controls.css" in html
    assert '<main id="main"' in html
    for box in re.findall(r'<input[^>]*type="(?:text|password|email)"[^>]*>', html):
        assert "text-box" in box
        assert "placeholder" not in box
        name = re.search(r'id="([^"]+)"', box)
        assert name
        assert f'for="{name[1]}"' in html


def test_the_password_can_be_changed(as_bob: Client) -> None:
    html = as_bob.get("/accounts/password/change/").content.decode()
    assert "text-box" in html
    form = {"oldpassword": "bob learns here", "password1": "bob learnt a lot", "password2": "bob learnt a lot"}
    assert as_bob.post("/accounts/password/change/", form).status_code == 302
    assert User.objects.get(username="bob").check_password("bob learnt a lot")


def test_a_refused_sign_in_says_so_beside_the_form(client: Client) -> None:
    html = client.post("/accounts/login/", {"login": "bob", "password": "wrong"}).content.decode()
    assert 'role="alert"' in html


def test_when_something_is_wrong_the_page_says_what_to_do() -> None:
    request = RequestFactory().get("/")
    error = RuntimeError("boom")
    pages = {
        400: defaults.bad_request(request, error),
        403: defaults.permission_denied(request, PermissionDenied()),
        404: defaults.page_not_found(request, error),
        500: defaults.server_error(request),
    }
    for status, response in pages.items():
        shown = words(response.content.decode())
        assert response.status_code == status
        assert "To the practice page" in shown
        assert "boom" not in shown
    assert "out of date" in words(csrf_failure(request).content.decode())


def test_a_problem_that_was_never_drawn_can_be_started_from_the_map(as_charlie: Client) -> None:
    response = as_charlie.post(reverse("frontend:draw", args=["claims"]))
    assert response.status_code == 302
    assert as_charlie.get(response["Location"]).status_code == 200


def test_a_problem_with_choices_is_a_group_with_a_name(as_bob: Client, bob: User) -> None:
    html = as_bob.get(address("variant", drawn(bob, "claims"))).content.decode()
    assert html.count("<fieldset") == 2
    assert 'aria-labelledby="ask-claims"' in html
    assert 'type="checkbox" id="box-claims-1"' in html
    assert 'type="radio" id="box-best-1"' in html
