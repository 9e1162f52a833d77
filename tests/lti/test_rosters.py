"""Rows N1 to N5 and R1, BR-113: the roster of a platform is read as a difference, and nobody's work is lost by it."""

from typing import Any

import pytest

from exercises.actions.lms import rosters
from exercises.actions.lms.refusals import ConnectionRefused
from exercises.actions.lms.service_client import read_pages
from exercises.lti import services as kinds
from exercises.lti.rosters import read_page
from exercises.models import Attempt, Context, Course, Enrolment, PlatformUser, ProblemSet, ResourceLink, User
from tests.exercises.courses.world import problem_set
from tests.exercises.sitting.world import synced
from tests.lti.platform import INSTRUCTOR, LEARNER, FakePlatform, registered
from tests.lti.scoring import column, later, sat, sent
from tests.lti.services import Fails, Services, connected

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers", "published", "noon")]


def somebody(sub: str, *roles: str, **more: Any) -> dict[str, Any]:
    """A row of a roster."""
    return {"status": "Active", "user_id": sub, "name": f"Name of {sub}", "roles": list(roles or (LEARNER,)), **more}


def read(context: Context, alice: User, turns: int = 3, **more: Any) -> dict[str, Any]:
    """Read the roster; what came of it."""
    rosters.ask_for_roster(actor=alice, context=Context.objects.get(pk=context.pk), **more)
    for _ in range(turns):
        rosters.read_rosters(60)
    report: dict[str, Any] = Context.objects.get(pk=context.pk).sync_report
    return report


def role_of(sub: str) -> str:
    rows = Enrolment.objects.filter(user__platform_users__sub=sub, dropped_at=None)
    return rows.values_list("role", flat=True).first() or ""


def test_n1_to_n5_the_roster_is_asked_for_with_its_type_a_token_and_its_scope_alone(
    served: Context, alice: User, services: Services
) -> None:
    services.members = [somebody("7"), somebody("8")]
    assert read(served, alice)["seen"] == 2
    what, path, headers = services.asked[-1]
    assert (what, path) == ("GET /members", "/members")
    assert headers["Accept"] == kinds.MEMBERS_TYPE
    assert headers["Authorization"].startswith("Bearer ")
    assert services.token_scopes == [kinds.MEMBERS_READ]


def test_r1_who_is_new_comes_in_and_roles_may_be_short_or_full(
    served: Context, alice: User, services: Services
) -> None:
    services.members = [
        somebody("7", "Learner"), somebody("8", LEARNER), somebody("t", "Instructor"), somebody("u", INSTRUCTOR),
        somebody("x", "Visitor"), somebody("i", status="Inactive"),
    ]  # fmt: skip
    report = read(served, alice)
    assert [role_of(sub) for sub in ("7", "8", "t", "u", "x", "i")] == [
        "learner", "learner", "instructor", "instructor", "", "",
    ]  # fmt: skip
    assert (report["state"], report["seen"], report["failed"]) == ("done", 6, 0)
    assert read(served, alice)["changed"] == 0


@pytest.mark.parametrize("how", ["Inactive", "Deleted", "http://purl.imsglobal.org/vocab/lis/v2/x#Deleted", "vanished"])
def test_r1_who_has_left_is_dropped_and_never_deleted_and_finds_everything_when_they_are_back(
    how: str, course: Course, served: Context, alice: User, bob: User, services: Services
) -> None:
    quiz = problem_set(course, "quiz", *synced())
    column(served, quiz, services)
    services.members = [somebody("7"), somebody("8"), somebody("9")]
    read(served, alice)
    sat(bob, quiz)
    with later(minutes=1):
        services.members[0] = somebody("7", status=how)
        if how == "vanished":
            services.members.pop(0)
        assert read(served, alice)["dropped"] == 1
    assert role_of("7") == ""
    assert (User.objects.filter(pk=bob.pk).count(), Attempt.objects.filter(learner=bob).count()) == (1, 1)
    sent(minutes=2)
    assert not services.posted["1"]
    with later(minutes=3):
        services.members = [somebody("7"), somebody("8"), somebody("9")]
        assert read(served, alice)["came"] == 1
    assert role_of("7") == "learner"
    sent(minutes=5)
    assert [one["userId"] for one in services.posted["1"]] == ["7"]


def test_r1_a_role_that_was_taken_away_is_taken_away_here(served: Context, alice: User, services: Services) -> None:
    services.members = [somebody("t", "Instructor"), somebody("7")]
    read(served, alice)
    with later(minutes=1):
        services.members = [somebody("t", "Learner"), somebody("7")]
        assert read(served, alice)["changed"] == 1
    assert role_of("t") == "learner"


FAULTS: dict[str, Any] = {
    "no object": 5, "no id": {"roles": []}, "an empty id": {"user_id": " ", "roles": []},
    "roles that are none": {"user_id": "f", "roles": "Learner"}, "a role that is none": {"user_id": "f", "roles": [1]},
    "a status that is none": {"user_id": "f", "status": 1, "roles": []}, "an endless id": {"user_id": "x" * 300},
}  # fmt: skip


@pytest.mark.parametrize("row", FAULTS)
def test_br_113_a_row_that_cannot_be_read_spoils_no_other_and_drops_nobody(
    row: str, served: Context, alice: User, services: Services
) -> None:
    services.members = [somebody("7")]
    read(served, alice)
    services.members = [somebody("8"), FAULTS[row], somebody("9")]
    with later(minutes=1):
        report = read(served, alice)
    assert (role_of("8"), role_of("9")) == ("learner", "learner")
    assert (report["failed"], len(report["faults"])) == (1, 1)
    # Bob, who is not on it, may have been in that row.
    assert role_of("7") == "learner"
    assert "nobody was dropped" in report["why"].lower()


def test_an_account_that_was_closed_is_a_fault_of_its_row_alone(
    served: Context, alice: User, bob: User, services: Services
) -> None:
    bob.is_active = False
    bob.save()
    services.members = [somebody("7", name="Another name"), somebody("8")]
    report = read(served, alice)
    assert (report["failed"], role_of("8")) == (1, "learner")


def test_a_roster_that_lacks_more_than_half_drops_nobody_until_somebody_says_so(
    served: Context, alice: User, services: Services
) -> None:
    services.members = [somebody(str(number)) for number in range(7, 37)]
    read(served, alice)
    with later(minutes=1):
        services.members = services.members[:5]
        report = read(served, alice)
        assert (report["dropped"], report["left"]) == (0, 25)
        assert Enrolment.objects.filter(role="learner", dropped_at=None).count() == 30
        assert read(served, alice, drops_many=True)["dropped"] == 25
    with later(minutes=2):
        services.members = []
        assert read(served, alice)["dropped"] == 0


def test_r1_pages_are_read_to_the_end_in_turns(served: Context, alice: User, services: Services) -> None:
    services.page = 10
    services.members = [somebody(str(number)) for number in range(7, 52)]
    rosters.ask_for_roster(actor=alice, context=served)
    turns = 0
    while rosters.is_roster_due():
        # Each turn is over at once: it goes on where it stood.
        rosters.read_rosters(0.001)
        turns += 1
        assert turns < 20
    assert turns >= 5
    assert Context.objects.get().sync_report["seen"] == 45
    assert Enrolment.objects.filter(role="learner", dropped_at=None).count() == 45


def test_r1_ten_thousand_members_on_a_hundred_pages_are_read(served: Context, services: Services) -> None:
    services.page, services.link = 100, "<{}>; rel=“next”"
    services.members = [somebody(str(number)) for number in range(10_000)]
    registration = served.deployment.registration
    pages = read_pages(registration, served.memberships_url, scope=kinds.MEMBERS_READ, accept=kinds.MEMBERS_TYPE)
    subs = [one.person.sub for page, _ in pages for one in read_page(page).members]  # type: ignore[union-attr]
    assert subs == [str(number) for number in range(10_000)]


def test_a_roster_that_did_not_move_costs_the_same_however_long_it_is(
    served: Context, alice: User, services: Services, django_assert_max_num_queries: Any
) -> None:
    services.members = [somebody(str(number)) for number in range(7, 67)]
    read(served, alice)
    with django_assert_max_num_queries(25):
        read(served, alice, turns=1)


def test_an_outage_goes_on_where_it_stood(served: Context, alice: User, services: Services) -> None:
    services.page = 10
    services.members = [somebody(str(number)) for number in range(7, 37)]
    services.fails["GET /members"] = Fails(503, times=0)
    rosters.ask_for_roster(actor=alice, context=served)
    rosters.read_rosters(0.0001)
    services.fails["GET /members"] = Fails(503, times=1)
    with later(seconds=1):
        rosters.read_rosters(5)
    assert Context.objects.get().sync_report["seen"] == 10
    with later(hours=1):
        rosters.read_rosters(60)
    assert Context.objects.get().sync_report["state"] == "done"
    assert Enrolment.objects.filter(role="learner", dropped_at=None).count() == 30


@pytest.mark.parametrize(("status", "words"), [(403, "does not let"), (404, "no such thing")])
def test_a_no_of_the_platform_is_told(
    status: int, words: str, served: Context, alice: User, services: Services
) -> None:
    services.fails["GET /members"] = Fails(status)
    report = read(served, alice)
    assert (report["state"], words in report["why"]) == ("failed", True)
    assert role_of("7") == "learner"


def test_who_may_open_one_link_is_asked_for_by_its_id_and_drops_nobody(
    served: Context, alice: User, services: Services
) -> None:
    link = ResourceLink.objects.create(context=served, link_id="link 1&2")
    services.members = [somebody("8")]
    report = read(served, alice, link=link)
    assert services.asked[-1][1] == "/members?rlid=link+1%262"
    assert (report["seen"], report["dropped"], role_of("7"), role_of("8")) == (1, 0, "learner", "learner")


def test_without_a_roster_service_it_says_what_to_switch_on(served: Context, alice: User) -> None:
    served.memberships_url = ""
    with pytest.raises(ConnectionRefused, match="retrieve members"):
        rosters.ask_for_roster(actor=alice, context=served)


def test_every_night_all_rosters_are_read(served: Context, services: Services) -> None:
    services.members = [somebody("7"), somebody("8")]
    assert rosters.ask_for_all_rosters() == 1
    rosters.read_rosters(10)
    assert role_of("8") == "learner"
    assert PlatformUser.objects.count() == 2
    assert ProblemSet.objects.count() == 0


@pytest.mark.parametrize("leads_to", ["/members?page=1", "/members"])
def test_r1_a_roster_that_leads_in_a_circle_ends_and_drops_nobody(
    leads_to: str, served: Context, alice: User, services: Services
) -> None:
    services.members = [somebody(str(number)) for number in range(7, 12)]
    read(served, alice)
    services.members = services.members[:4]
    services.page, services.link = 2, f'<{services.url(leads_to)}>; rel="next"'
    with later(minutes=1):
        report = read(served, alice, turns=1)
    assert (report["state"], report["dropped"]) == ("failed", 0)
    assert "circle" in report["why"]
    assert services.called["GET /members"] <= 4
    assert role_of("11") == "learner"


def test_r1_a_roster_that_goes_on_at_another_host_drops_nobody_and_takes_no_token_there(
    served: Context, alice: User, services: Services, platform: FakePlatform
) -> None:
    services.members = [somebody(str(number)) for number in range(7, 12)]
    read(served, alice)
    services.page, services.link = 4, f'<{platform.url.replace("127.0.0.1", "localhost")}/members?from=4>; rel="next"'
    with later(minutes=1):
        report = read(served, alice)
    assert (report["state"], report["dropped"]) == ("failed", 0)
    assert "another host, localhost" in report["why"]
    assert services.called["GET /members"] == 2
    assert role_of("11") == "learner"


@pytest.mark.parametrize(
    ("said", "asked", "expected"),
    [
        ("http://lms.example/members?p=2", "https://lms.example/members", "https://lms.example/members?p=2"),
        ("https://lms.example/members?p=2", "http://lms.example/members", None),
        ("http://lms.example:8080/members?p=2", "https://lms.example/members", None),
        ("//lms.example/members?p=2", "https://lms.example/members", "https://lms.example/members?p=2"),
        ("?p=2", "https://lms.example/members?p=1", "https://lms.example/members?p=2"),
        ("javascript:alert(1)", "https://lms.example/members", None),
        ("//[", "https://lms.example/members", None),
        ("https://user@lms.example/members", "https://lms.example/members", None),
    ],
)
def test_a8_behind_a_proxy_the_next_page_is_asked_for_as_the_one_before(
    said: str, asked: str, expected: str | None
) -> None:
    header = f'<{said}>; rel="next"'
    if expected is None:
        with pytest.raises(kinds.NextRefused):
            kinds.next_page(header, asked)
    else:
        assert kinds.next_page(header, asked) == expected


def test_a_platform_whose_rosters_take_their_time_keeps_no_other_waiting(
    course: Course, served: Context, alice: User, services: Services, platform: FakePlatform,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    deployment = served.deployment
    slow = [Context.objects.create(deployment=deployment, context_id=f"s{n}", course=course) for n in range(3)]
    swift = registered(platform, client_id="gym-2")
    quick = Context.objects.create(deployment=swift.deployments.get(), context_id="quick", course=course)
    for context in (*slow, quick):
        rosters.ask_for_roster(actor=alice, context=connected(context, services))
    # Every page takes longer than its share, and the clock stands still.
    asked = list[str]()

    def noted(context: Context, _: float) -> None:
        asked.append(context.context_id)
        rosters._end(context, rosters._begun(context))

    monkeypatch.setattr(rosters, "SLICE_SECONDS", 0)
    monkeypatch.setattr(rosters, "_go_on", noted)
    rosters.read_rosters(30)
    assert asked == ["s0", "quick"]
    with later(minutes=1):
        rosters.read_rosters(30)
    assert sorted(asked) == ["quick", "s0", "s1", "s2"]
