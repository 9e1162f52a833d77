"""An independent platform: the LTI consumer of Open edX opens sets, takes scores, tells its roster and gets links."""

import html
import json
import re
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qsl, urlencode, urlsplit
from urllib.request import Request, urlopen

import pytest
from django.test import Client

from exercises import clock
from exercises.actions.lms import rosters
from exercises.models import Context, Course, Deployment, Enrolment, LineItem, LmsScore, ProblemSet, Registration, User
from exercises.queries.lms_scores import score_rows
from tests.exercises.courses.world import NOW, problem_set
from tests.exercises.sitting.world import synced
from tests.lti.openedx.conftest import OpenEdx
from tests.lti.scoring import sat, sent

pytestmark = [pytest.mark.openedx, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("published")]


def fetched(address: str, form: dict[str, str] | None = None) -> str:
    """What a browser gets from the platform."""
    body = None if form is None else urlencode(form).encode()
    try:
        with urlopen(Request(address, data=body), timeout=20) as answer:
            found: str = answer.read().decode()
    except HTTPError as error:
        said = error.read().decode()
        traceback = re.search(r"Traceback \(most.*?</textarea", said, re.DOTALL)
        pytest.fail(f"The platform answered {error.code}: {traceback.group(0)[-2000:] if traceback else said[:2000]}")
    return found


def form_of(page: str) -> dict[str, str]:
    """The fields of the one form of a page."""
    found = re.findall(r'<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"', page)
    return {name: html.unescape(value) for name, value in found}


def launched(openedx: OpenEdx, client: Client, user: str, **more: str) -> Any:
    """Open the block as somebody; the page of ours that they come to."""
    query = "&".join(f"{name}={value}" for name, value in {"user": user, **more}.items())
    begun = urlsplit(fetched(f"{openedx.said['issuer']}/begin?{query}"))
    asked = client.get(begun.path, dict(parse_qsl(begun.query, keep_blank_values=True)))
    assert asked.status_code == 302, asked.content.decode()
    fields = form_of(fetched(asked["Location"]))
    taken = client.post("/lti/launch", fields)
    assert taken.status_code == 303, taken.content.decode()
    return client.get(taken["Location"], follow=True)


def told(openedx: OpenEdx) -> dict[str, Any]:
    """What the platform has of us."""
    found: dict[str, Any] = json.loads(fetched(f"{openedx.said['issuer']}/told"))
    return found


@pytest.fixture
def registration(openedx: OpenEdx, settings: Any) -> Registration:
    settings.ALLOW_PRIVATE_ADDRESSES = True
    found = Registration.objects.create(name="Open edX", kind="open-edx", **openedx.said)
    Deployment.objects.create(registration=found, deployment_id="1", state="approved")
    return found


def test_links_launches_scores_and_rosters_with_the_consumer_of_open_edx(
    openedx: OpenEdx, registration: Registration, course: Course, alice: User
) -> None:
    with clock.at(NOW):
        quiz = problem_set(course, "quiz", *synced(), opens_at=None, closes_at=None)
    # They come to the address that the platform knows, which has to be one of the web.
    host = urlsplit(openedx.tool).netloc
    teacher, learner = Client(headers={"Host": host}), Client(headers={"Host": host})

    # A teacher opens the block; the course is connected; then a set is chosen by deep linking.
    assert "connect" in launched(openedx, teacher, "alba").content.decode().lower()
    context = Context.objects.get()
    assert context.title == "BERT at Open edX"
    context.course = course
    context.save()
    page = launched(openedx, teacher, "alba", content="1")
    assert "A quiz" in page.content.decode()
    alba = User.objects.get(platform_users__sub="ext-alba")
    form = {"learner": alba.pk, "problem_sets": [str(quiz.public_id)], "with_columns": "on"}
    answer = teacher.post(f"/lms/contexts/{context.public_id}/content/", form).content.decode()
    action = re.search(r'<form id="send" method="post" action="([^"]+)"', answer)
    assert action
    fetched(html.unescape(action.group(1)), {"JWT": form_of(answer)["JWT"]})
    (content,) = told(openedx)["content"]
    assert content["custom"]["problem_set"] == str(quiz.public_id)
    assert content["lineItem"]["scoreMaximum"] == 2

    # A learner comes straight to the set by that link, solves it, and the score arrives.
    assert "A quiz" in launched(openedx, learner, "learner0").content.decode()
    bea = User.objects.get(platform_users__sub="ext-learner0")
    assert Enrolment.objects.get(user=bea).role == "learner"
    sat(bea, ProblemSet.objects.get())
    sent()
    sent(minutes=1)
    column = LineItem.objects.get()
    assert (column.state, column.why, column.is_coupled) == ("active", "", False)
    score = LmsScore.objects.get()
    assert (score.state, score.why) == ("sent", "")
    assert told(openedx)["scores"] == [["ext-learner0", 1.0, 2.0, "FullyGraded"]]
    assert told(openedx)["grades"] == {"ext-learner0": 0.5}
    assert not score_rows(column)[0].is_otherwise

    # The roster comes in over several pages.
    context.refresh_from_db()
    Context.objects.update(memberships_url=f"{context.memberships_url}?limit=3")
    context.refresh_from_db()
    rosters.ask_for_roster(actor=alice, context=context)
    rosters.read_rosters(20)
    report = Context.objects.get().sync_report
    assert (report["state"], report["pages"], report["seen"], report["failed"]) == ("done", 3, 8, 0)
    assert Enrolment.objects.filter(course=course, role="learner", user__platform_users__isnull=False).count() == 7
