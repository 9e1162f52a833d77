"""The pages of events and webhooks: for whoever manages a course, and for nobody else."""

import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from exercises import clock
from exercises.actions.delivering import webhooks as actions
from exercises.actions.delivering.deliver import deliver_due, fan_out
from exercises.actions.events import tell
from exercises.actions.feed import place_events
from exercises.models import AuditEntry, Course, Delivery, Event, ProblemSet, User, Webhook
from tests.exercises.events.receiver import Receiver, receiving
from tests.frontend.courses.conftest import NAMES
from tests.frontend.world import words

pytestmark = pytest.mark.usefixtures("servers")
URL = "http://127.0.0.1:9/hook"
ALICE_ALONE = [302, 404, 404, 404, 404, 404]


@pytest.fixture(autouse=True)
def _at_home(settings: Any) -> None:
    settings.ALLOW_PRIVATE_ADDRESSES = True


@pytest.fixture
def hook(course: Course, alice: User) -> Webhook:
    return actions.make_webhook(actor=alice, course=course, url=URL, kinds=["score.changed"])[0]


def where(name: str, course: Course, *more: Any) -> str:
    return reverse(f"frontend:{name}", args=[course.public_id, *more])


def happens(course: Course, kind: str = "score.changed", **about: Any) -> None:
    data = about.pop("data", {"score": "2/3"})
    tell(kind, course=course.pk, data=data, **about)
    place_events()
    fan_out()


def secret_of(html: str) -> str:
    found = re.search(r'<code id="secret"[^>]*>(whsec_[^<]+)</code>', html)
    assert found
    return found[1]


def of_form(html: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', html)
    assert found
    return found[1]


def test_only_who_manages_the_course_sees_and_changes_any_of_it(
    course: Course, elsewhere: Course, hook: Webhook, people: dict[str, Client]
) -> None:
    happens(course)
    delivery = Delivery.objects.get()
    pages = [where("webhooks", course), where("webhook-new", course), where("webhook", course, hook.public_id),
             where("webhook-edit", course, hook.public_id)]  # fmt: skip
    for page in pages:
        assert [people[name].get(page).status_code for name in NAMES] == [*ALICE_ALONE, 200], page
    replay = where("webhook-replay", course, hook.public_id, delivery.public_id)
    forms = [
        (page, form)
        for page in pages[1:]
        for form in ({"url": URL}, {"do": "pause"}, {"do": "rotate"}, {"do": "remove"})
    ]
    before = list(Webhook.objects.values()), AuditEntry.objects.count(), Delivery.objects.count()
    for page, form in [*forms, (replay, {})]:
        assert [people[name].post(page, form).status_code for name in NAMES[:-1]] == ALICE_ALONE, (page, form)
    assert (list(Webhook.objects.values()), AuditEntry.objects.count(), Delivery.objects.count()) == before


def test_a_webhook_of_another_course_is_not_there(
    course: Course, elsewhere: Course, hook: Webhook, people: dict[str, Client]
) -> None:
    """Not by one's own course either, nor its deliveries by another webhook."""
    other, _ = actions.make_webhook(actor=User.objects.get(username="erin"), course=elsewhere, url=URL, kinds=[])
    happens(elsewhere)
    foreign = Delivery.objects.get()
    for name in ("webhook", "webhook-edit"):
        assert people["alice"].get(where(name, course, other.public_id)).status_code == 404
        assert people["alice"].post(where(name, course, other.public_id), {"do": "rotate"}).status_code == 404
    for one in (other, hook):
        page = where("webhook-replay", course, one.public_id, foreign.public_id)
        assert people["alice"].post(page).status_code == 404
    people["alice"].post(where("webhook", course, other.public_id), {"do": "remove"})
    assert Webhook.objects.filter(pk=other.pk).exists()


def test_a_webhook_is_made_and_its_secret_is_shown_once(course: Course, as_alice: Client, alice: User) -> None:
    page = where("webhook-new", course)
    form = {"url": URL, "kinds": ["score.changed"], "form": of_form(as_alice.get(page).content.decode(), "form")}
    made = as_alice.post(page, {**form, "learner": alice.pk})
    assert made.status_code == 200
    assert "no-store" in made["Cache-Control"]
    secret = secret_of(made.content.decode())
    hook = Webhook.objects.get()
    assert (hook.url, hook.kinds, hook.owner) == (URL, ["score.changed"], alice)
    assert actions.secrets_of(hook) == [secret]
    happens(course)
    for name, more in (
        ("webhooks", []),
        ("webhook", [hook.public_id]),
        ("webhook-edit", [hook.public_id]),
        ("audit", []),
    ):
        assert secret not in as_alice.get(where(name, course, *more)).content.decode()


def test_a_form_that_is_sent_twice_makes_one_webhook_and_shows_the_same_secret(
    course: Course, as_alice: Client
) -> None:
    page, form = where("webhook-new", course), {"url": URL, "form": str(uuid.uuid4())}
    first, second = (secret_of(as_alice.post(page, form).content.decode()) for _ in range(2))
    assert first == second
    assert Webhook.objects.count() == AuditEntry.objects.filter(deed="webhook-made").count() == 1


def test_a_form_that_is_sent_again_later_shows_nobody_the_secret(
    course: Course, as_alice: Client, people: dict[str, Client], elsewhere: Course
) -> None:
    page, form = where("webhook-new", course), {"url": URL, "form": str(uuid.uuid4())}
    secret = secret_of(as_alice.post(page, form).content.decode())
    # Not even at once to somebody else, who guessed the number of the form.
    at_erins = people["erin"].post(where("webhook-new", elsewhere), form)
    with clock.at(clock.now() + actions.SAME_FORM):
        later = as_alice.post(page, form)
    for answer in (at_erins, later):
        assert answer.status_code == 422
        assert secret not in answer.content.decode()
        assert "shown once" in words(answer.content.decode())
    assert Webhook.objects.count() == 1


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"url": ""}, "required"),
        ({"url": "ftp://example.org/"}, "https"),
        ({"url": "http://a@127.0.0.1/"}, "name or password"),
        ({"url": f"http://127.0.0.1/{'x' * 600}"}, "at most 500"),
        ({"kinds": ["attempt.exploded"]}, "attempt.exploded"),
    ],
)
def test_what_will_not_do_says_why_and_changes_nothing(
    course: Course, as_alice: Client, hook: Webhook, wrong: dict[str, Any], says: str
) -> None:
    before = list(Webhook.objects.values())
    for page in (where("webhook-new", course), where("webhook-edit", course, hook.public_id)):
        answer = as_alice.post(page, {"url": f"{URL}2", "kinds": [], **wrong})
        assert answer.status_code == 422
        assert says in words(answer.content.decode())
    assert list(Webhook.objects.values()) == before


def test_address_and_kinds_change_and_a_paused_one_stays_paused(
    course: Course, as_alice: Client, hook: Webhook
) -> None:
    page = where("webhook", course, hook.public_id)
    as_alice.post(page, {"do": "pause"})
    as_alice.post(f"{page}edit/", {"url": f"{URL}2", "kinds": ["attempt.begun", "course.changed"]})
    hook.refresh_from_db()
    assert (hook.url, hook.kinds, hook.state) == (f"{URL}2", ["attempt.begun", "course.changed"], "paused")
    as_alice.post(page, {"do": "resume"})
    hook.refresh_from_db()
    assert hook.state == "active"


def test_one_whose_name_is_gone_from_the_net_can_still_be_paused(
    course: Course, as_alice: Client, hook: Webhook
) -> None:
    Webhook.objects.update(url="https://gone.invalid/hook")
    as_alice.post(where("webhook", course, hook.public_id), {"do": "pause"})
    hook.refresh_from_db()
    assert hook.state == "paused"


def test_another_secret_pressed_twice_is_one_and_the_receiver_keeps_the_one_it_has(
    course: Course, as_alice: Client, hook: Webhook
) -> None:
    first = actions.secrets_of(hook)
    page = where("webhook", course, hook.public_id)
    form = {"do": "rotate", "seen": of_form(as_alice.get(page).content.decode(), "seen")}
    second, again = (secret_of(as_alice.post(page, form).content.decode()) for _ in range(2))
    assert second == again
    hook.refresh_from_db()
    assert actions.secrets_of(hook) == [second, *first]
    html = as_alice.get(page).content.decode()
    assert second not in html
    assert "the one before is signed with as well" in words(html)
    with clock.at(clock.now() + actions.SAME_FORM):
        late = as_alice.post(page, form, follow=True)
    assert second not in late.content.decode()
    assert "shown once" in words(late.content.decode())
    third = secret_of(as_alice.post(page, {**form, "seen": of_form(html, "seen")}).content.decode())
    assert third not in (second, *first)


def test_removed_twice_it_is_gone_once_and_the_page_goes_on(course: Course, as_alice: Client, hook: Webhook) -> None:
    page = where("webhook", course, hook.public_id)
    for says in ("Nothing is delivered to", "no such webhook any more"):
        answer = as_alice.post(page, {"do": "remove"}, follow=True)
        assert answer.redirect_chain == [(where("webhooks", course), 302)]
        assert says in words(answer.content.decode())
    assert AuditEntry.objects.filter(deed="webhook-removed").count() == 1
    assert as_alice.get(page).status_code == 404


@pytest.mark.parametrize("form", [{}, {"do": "everything"}, {"do": ""}])
def test_nonsense_changes_nothing(course: Course, as_alice: Client, hook: Webhook, form: dict[str, str]) -> None:
    before = list(Webhook.objects.values())
    assert as_alice.post(where("webhook", course, hook.public_id), form).status_code == 404
    assert list(Webhook.objects.values()) == before


def test_the_log_says_what_was_answered_and_when_it_is_tried_next(
    course: Course, as_alice: Client, alice: User
) -> None:
    with receiving() as receiver:
        hook, _ = actions.make_webhook(actor=alice, course=course, url=receiver.url, kinds=[])
        receiver.statuses = [503, 200]
        happens(course)
        page = where("webhook", course, hook.public_id)
        assert "not tried yet" in words(as_alice.get(page).content.decode())
        deliver_due(5)
        told = words(as_alice.get(page).content.decode())
        assert "503 Service Unavailable" in told
        assert "Try now" in told
        assert "Nothing arrived there since" in told
        assert replayed(as_alice, page, receiver) == 2
        told = words(as_alice.get(page).content.decode())
        assert "200 OK" in told
        assert "Repeat" in told
        assert "Nothing arrived there since" not in told
        assert replayed(as_alice, page, receiver) == 3
        assert len({headers["webhook-id"] for headers, _ in receiver.came}) == 1


def replayed(client: Client, page: str, receiver: Receiver) -> int:
    """Press the first button of the log, and say how much arrived by then."""
    found = re.search(rf'action="({page}deliveries/[^"]+)"', client.get(page).content.decode())
    assert found
    assert client.post(found[1]).status_code == 302
    deliver_due(5)
    return len(receiver.came)


def test_a_paused_webhook_offers_no_repeat_and_refuses_one(course: Course, as_alice: Client, hook: Webhook) -> None:
    happens(course)
    page = where("webhook", course, hook.public_id)
    as_alice.post(page, {"do": "pause"})
    assert "/replay/" not in as_alice.get(page).content.decode()
    address = where("webhook-replay", course, hook.public_id, Delivery.objects.get().public_id)
    assert "not active" in words(as_alice.post(address, follow=True).content.decode())
    assert Delivery.objects.count() == 1


def test_what_a_receiver_answers_is_shown_as_text(course: Course, as_alice: Client, hook: Webhook) -> None:
    happens(course)
    Delivery.objects.update(last_status=299, last_answer="<script>alert(1)</script>", last_took=0.5)
    html = as_alice.get(where("webhook", course, hook.public_id)).content.decode()
    assert "299, in 0.50 s" in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_the_latest_events_are_told_in_words(course: Course, as_alice: Client, alice: User, bob: User) -> None:
    quiz = ProblemSet.objects.create(course=course, title="Losses", mode="quiz")
    here = {"problem_set": str(quiz.public_id), "number": 1}
    happens(course, "attempt.begun", learner=bob.pk, data=here)
    happens(course, "attempt.handed-in", learner=bob.pk, data={**here, "by": "time"})
    happens(course, learner=bob.pk, data={**here, "score": "2/3", "late_days": 1})
    happens(course, learner=bob.pk, data={**here, "score": None})
    happens(course, "problem-set.published", actor=alice.pk, data={**here, "deed": "publish-set", "about": "Losses"})
    happens(course, "submission.graded", learner=bob.pk, data={"problem_set": str(uuid.uuid4()), "item": 2})
    told = words(as_alice.get(where("webhooks", course)).content.decode())
    for sentence in (
        "bob began attempt 1 of Losses.",
        "Attempt 1 of bob at Losses was handed in, because time was up.",
        "bob has a score of 2/3 in Losses, 1 late day.",
        "bob has no score yet in Losses.",
        "alice published a set: Losses.",
        "An answer of bob in a set that is gone, place 2, was marked: no score yet.",
    ):
        assert sentence in told


@pytest.mark.parametrize("rows", [1, 20])
def test_the_pages_cost_the_same_however_much_there_is(
    rows: int, course: Course, as_alice: Client, alice: User, bob: User, hook: Webhook, django_assert_num_queries: Any
) -> None:
    for _ in range(rows - 1):
        actions.make_webhook(actor=alice, course=course, url=URL, kinds=[])
    for _ in range(rows):
        happens(course, learner=bob.pk, data={"problem_set": str(uuid.uuid4()), "score": "1"})
    with django_assert_num_queries(6):
        as_alice.get(where("webhooks", course))
    with django_assert_num_queries(6):
        as_alice.get(where("webhook", course, hook.public_id))


def test_a_long_log_comes_in_pages(course: Course, as_alice: Client, hook: Webhook) -> None:
    Event.objects.bulk_create(Event(course=course, kind="score.changed", position=number + 1) for number in range(60))
    fan_out()
    page = where("webhook", course, hook.public_id)
    assert "1 to 50 of 60" in words(as_alice.get(page).content.decode())
    assert "51 to 60 of 60" in words(as_alice.get(f"{page}?page=2").content.decode())


def test_the_course_leads_there_whoever_manages_it(course: Course, people: dict[str, Client]) -> None:
    address = where("webhooks", course)
    page = where("course", course)
    assert [address in people[name].get(page).content.decode() for name in ("bob", "dave", "alice")] == [
        False,
        False,
        True,
    ]
