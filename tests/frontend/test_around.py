"""Around the answers: the live reading, hints, the forecast, the solution, another variant, a fault report."""

import pytest
from django.test import Client
from django.urls import reverse

from exercises.models import FaultReport, Forecast, HintUse, User, Variant
from tests.exercises.world import ALL_RIGHT
from tests.frontend.world import address, drawn, part, send, value_of, words

pytestmark = pytest.mark.usefixtures("servers", "variant")
SCRIPT = {"HX-Request": "true"}


@pytest.mark.parametrize(
    ("typed", "said"),
    [("5e-2", "read as 0.05"), ("-0.5", "read as −0.5"), ("2(0.5)", "2*(0.5)"), ("", ""), ("e^-2", "read as 0.1353")],
)
def test_the_page_says_how_it_reads_what_is_typed(as_bob: Client, variant: Variant, typed: str, said: str) -> None:
    form = {"learner": variant.learner_id, "answer-p": typed}
    response = as_bob.post(address("reading", variant, step="p"), form, headers=SCRIPT)
    assert response.status_code == 200
    shown = words(response.content.decode())
    assert said in shown
    assert bool(said) == bool(shown)


def test_reading_along_stores_nothing(as_bob: Client, variant: Variant) -> None:
    form = {"learner": variant.learner_id, "answer-p": "0.25"}
    as_bob.post(address("reading", variant, step="p"), form, headers=SCRIPT)
    variant.refresh_from_db()
    assert variant.draft == {}


def test_a_step_that_is_not_asked_cannot_be_read(as_bob: Client, variant: Variant) -> None:
    assert as_bob.post(address("reading", variant, step="seed"), {}).status_code == 404


def test_hints_come_one_at_a_time_and_keep_what_is_typed(as_bob: Client, variant: Variant) -> None:
    form = {"learner": variant.learner_id, "answer-p": "0.25"}
    html = as_bob.post(address("hint", variant, step="p"), form, headers=SCRIPT).content.decode()
    assert "Take one share." in part(html, "step-p")
    assert "Hint 1: Take one share." in part(html, "announcer")
    assert value_of(html, "box-p") == "0.25"
    assert "Another hint" in part(html, "step-p")
    for _ in range(5):
        html = as_bob.post(address("hint", variant, step="p"), form, headers=SCRIPT).content.decode()
    assert HintUse.objects.count() == html.count('class="hint"') > 1
    assert 'id="hint-p"' not in html


def test_a_hint_that_is_promised_for_what_is_typed_is_given(as_bob: Client, variant: Variant) -> None:
    """What stands in the boxes decides how many hints there are, sent or not."""
    form = {"learner": variant.learner_id, "answer-powers": ["7.389", "2.718", "1"], "answer-total": "11.107"}
    html = as_bob.post(address("hint", variant, step="p"), form, headers=SCRIPT).content.decode()
    for _ in range(9):
        if 'id="hint-p"' not in html:
            break
        html = as_bob.post(address("hint", variant, step="p"), form, headers=SCRIPT).content.decode()
        assert "You have seen every hint" not in words(html)
    assert 'id="hint-p"' not in html
    variant.refresh_from_db()
    assert variant.draft == {"powers": ["7.389", "2.718", "1"], "total": "11.107"}


def test_a_hint_without_a_script_comes_back_with_what_was_typed(as_bob: Client, variant: Variant) -> None:
    form = {"learner": variant.learner_id, "answer-p": "0.25"}
    response = as_bob.post(address("hint", variant, step="p"), form)
    assert response.status_code == 302
    assert response["Location"].endswith("#step-p")
    html = as_bob.get(response["Location"]).content.decode()
    assert "Take one share." in part(html, "step-p")
    assert value_of(html, "box-p") == "0.25"


def test_a_forecast_is_kept_shown_and_never_graded(as_bob: Client, variant: Variant) -> None:
    assert 'id="forecast-text"' in as_bob.get(address("variant", variant)).content.decode()
    form = {"learner": variant.learner_id, "text": "below <b>it</b>"}
    html = as_bob.post(address("forecast", variant), form, headers=SCRIPT).content.decode()
    assert "You expected: below <b>it</b>" in words(html)
    assert 'id="forecast-text"' not in html
    assert Forecast.objects.get().variant == variant


@pytest.mark.usefixtures("quick_worker")
def test_a_forecast_is_asked_for_before_the_first_answer_only(as_bob: Client, variant: Variant) -> None:
    send(as_bob, variant, p="0.665")
    assert 'id="forecast-text"' not in as_bob.get(address("variant", variant)).content.decode()


def test_an_empty_forecast_is_asked_for_again(as_bob: Client, variant: Variant) -> None:
    form = {"learner": variant.learner_id, "text": " "}
    html = as_bob.post(address("forecast", variant), form, headers=SCRIPT).content.decode()
    assert "Write down what you expect" in words(html)
    assert 'id="forecast-text"' in html


def test_the_solution_is_asked_for_once_plainly_and_closes_the_variant(as_bob: Client, variant: Variant) -> None:
    page = address("reveal", variant)
    asked = as_bob.get(page).content.decode()
    assert "Show the worked solution?" in words(asked)
    assert "nothing typed afterwards is marked" in words(asked)
    variant.refresh_from_db()
    assert not variant.is_closed
    response = as_bob.post(page, {"learner": variant.learner_id, "sure": "yes"})
    assert response["Location"] == address("variant", variant) + "#solution"
    html = as_bob.get(response["Location"]).content.decode()
    assert 'id="solution"' in html
    assert "0.6652" in html
    assert 'name="check"' not in html
    assert html.count(" readonly") == 6
    assert as_bob.get(page).status_code == 302


def test_asking_for_the_solution_loses_nothing_that_was_typed(as_bob: Client, variant: Variant) -> None:
    form = {"learner": variant.learner_id, "answer-p": "0.25"}
    response = as_bob.post(address("reveal", variant), form, headers=SCRIPT)
    assert response["HX-Redirect"] == address("reveal", variant)
    variant.refresh_from_db()
    assert not variant.is_closed
    assert value_of(as_bob.get(address("variant", variant)).content.decode(), "box-p") == "0.25"


def test_the_figure_fills_in_when_the_step_is_right(as_bob: Client, variant: Variant, quick_worker: None) -> None:
    assert "fig-empty" in as_bob.get(address("variant", variant)).content.decode()
    send(as_bob, variant, p="0.6667")
    assert "fig-empty" in as_bob.get(address("variant", variant)).content.decode()
    html = send(as_bob, variant, p="0.665").content.decode()
    assert "fig-empty" not in html
    assert "fig-bar-chosen" in html


@pytest.mark.usefixtures("quick_worker")
def test_another_variant_has_other_numbers_and_two_clicks_draw_one(as_bob: Client, variant: Variant) -> None:
    send(as_bob, variant, **ALL_RIGHT)
    form = {"learner": variant.learner_id, "after": str(variant.public_id)}
    first, second = (as_bob.post(reverse("frontend:draw", args=["masked"]), form) for _ in range(2))
    assert first["Location"] == second["Location"] != address("variant", variant)
    assert Variant.objects.filter(problem__slug="masked").count() == 2
    assert Variant.objects.latest("pk").parameters != variant.parameters


def test_another_after_somebody_elses_variant_is_not_found(as_charlie: Client, variant: Variant) -> None:
    response = as_charlie.post(reverse("frontend:draw", args=["masked"]), {"after": str(variant.public_id)})
    assert response.status_code == 404
    assert not Variant.objects.filter(learner__username="charlie").exists()


@pytest.mark.usefixtures("quick_worker", "course")
def test_a_fault_report_stores_what_the_learner_saw_and_staff_can_read_it(
    as_bob: Client, as_alice: Client, variant: Variant
) -> None:
    send(as_bob, variant, p="0.6667")
    page = address("report", variant)
    assert as_bob.get(page).status_code == 200
    response = as_bob.post(page, {"learner": variant.learner_id, "text": "The <i>table</i> is off."})
    assert response["Location"] == address("variant", variant)
    assert "The report is stored" in words(as_bob.get(response["Location"]).content.decode())
    report = FaultReport.objects.get()
    assert (report.variant, report.version, report.learner) == (variant, variant.version, variant.learner)
    listed = words(as_alice.get(reverse("frontend:faults")).content.decode())
    for fact in ("The <i>table</i> is off.", "bob", "version 1", "open"):
        assert fact in listed
    shown = words(as_alice.get(reverse("frontend:fault", args=[report.pk])).content.decode())
    for fact in (
        "The <i>table</i> is off.",
        "bob",
        "version 1",
        str(variant.public_id),
        "0.6667",
        "a known mistake (p.no-exp)",
    ):
        assert fact in shown


def test_an_empty_report_is_asked_for_again(as_bob: Client, variant: Variant) -> None:
    response = as_bob.post(address("report", variant), {"learner": variant.learner_id, "text": " "})
    assert response.status_code == 422
    assert "Say in a few words what is wrong." in part(response.content.decode(), "report-error")
    assert not FaultReport.objects.exists()


@pytest.mark.usefixtures("quick_worker")
def test_the_answers_so_far_are_listed_newest_first(as_bob: Client, variant: Variant, bob: User) -> None:
    send(as_bob, variant, p="0.6667")
    send(as_bob, variant, p="0.665")
    html = as_bob.get(address("variant", variant)).content.decode()
    listed = words(html[html.index("so-far-list") :])
    assert "Your answers so far (2)" in words(html)
    assert listed.index("0.665 ") < listed.index("0.6667")
    history = words(as_bob.get(reverse("frontend:history")).content.decode())
    assert history.count("Loss at one masked token") == 2
    assert drawn(bob).number == 2
