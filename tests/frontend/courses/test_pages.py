"""The pages of a course as people use them: what was typed stays, what is wrong stands at its field."""

import datetime as dt
import html
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from exercises import clock
from exercises.actions import courses as actions
from exercises.courses.cells import MOST_BYTES
from exercises.models import Attempt, AuditEntry, Course, Enrolment, Group, Role, User
from tests.exercises.courses.world import NOW, person, problem_set

pytestmark = pytest.mark.usefixtures("servers", "course")


def address(name: str, course: Course, *more: Any) -> str:
    return reverse(f"frontend:{name}", args=[course.public_id, *more])


def words(answer: Any) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def value(answer: Any, name: str) -> str:
    """What stands in a box of a page."""
    found = re.search(rf'name="{name}"[^>]*value="([^"]*)"', answer.content.decode())
    return html.unescape(found[1]) if found else ""


# --- Courses ---


def test_a_course_is_made_and_joined_by_its_code(as_alice: Client, as_charlie: Client, charlie: User) -> None:
    form = {"title": "Second course", "term": "Summer", "time_zone": "Europe/Berlin", "exam_on": "2027-02-14"}
    made = as_alice.post("/courses/new/", form, follow=True)
    assert "Second course" in words(made)
    course = Course.objects.get(title="Second course")
    assert course.join_code
    shown = f"{course.join_code[:4]}-{course.join_code[4:]}"
    assert shown in words(made)
    link = re.search(r'href="(http[^"]*/courses/join/[^"]*)"', made.content.decode())
    assert link
    filled = as_charlie.get(html.unescape(link[1]).removeprefix("http://testserver"))
    assert value(filled, "code") == shown
    joined = as_charlie.post("/courses/join/", {"code": shown.lower()}, follow=True)
    assert "You are in Second course Summer." in words(joined)
    assert "14 February 2027" in words(joined)
    assert Enrolment.objects.get(course=course, user=charlie).role == Role.LEARNER


def test_what_is_wrong_stands_at_its_field_and_what_was_typed_stays(as_alice: Client) -> None:
    form = {"title": "Kept", "time_zone": "Mars/Base", "starts_on": "2027-02-14", "ends_on": "soon"}
    answer = as_alice.post("/courses/new/", form)
    assert answer.status_code == 422
    assert value(answer, "title") == "Kept"
    said = words(answer)
    assert "Choose a time zone from the list" in said
    assert "Write the day as year-month-day" in said
    assert 'aria-invalid="true"' in answer.content.decode()
    answer = as_alice.post("/courses/new/", form | {"time_zone": "UTC", "ends_on": "2027-02-13"})
    assert "The last day lies before the first" in words(answer)
    assert not Course.objects.filter(title="Kept").exists()


def test_a_wrong_code_is_told_and_so_are_too_many(as_charlie: Client) -> None:
    answer = as_charlie.post("/courses/join/", {"code": "AAAA-BBBB"})
    assert answer.status_code == 422
    assert "No course is open under this code" in words(answer)
    assert value(answer, "code") == "AAAA-BBBB"
    for _ in range(10):
        answer = as_charlie.post("/courses/join/", {"code": "AAAA-BBBB"})
    assert answer.status_code == 429
    assert "Wait ten minutes" in words(answer)
    assert as_charlie.post("/courses/join/", {"code": ""}).status_code == 422


def test_a_course_is_edited_closed_and_put_away(as_alice: Client, as_bob: Client, course: Course) -> None:
    page = address("course-edit", course)
    as_alice.post(page, {"title": "Renamed", "term": "Winter", "time_zone": "Asia/Tokyo"})
    shown = as_alice.post(page, {"do": "new-code"}, follow=True)
    assert "The new join code is" in words(shown)
    assert "Joining by code is off" in words(as_alice.post(page, {"do": "close"}, follow=True))
    assert "put away" in words(as_alice.post(page, {"do": "archive"}, follow=True))
    assert "The course is put away" in words(as_bob.get(address("course", course)))
    assert "take it up again first" in words(as_alice.post(page, {"do": "new-code"}, follow=True))
    as_alice.post(page, {"do": "take-up"})
    course.refresh_from_db()
    assert (str(course), course.time_zone, course.archived_at) == ("Renamed Winter", "Asia/Tokyo", None)


def test_a_copy_says_what_came_along(as_alice: Client, course: Course) -> None:
    problem_set(course, "quiz", title="First quiz")
    form = {"title": "Copied", "time_zone": "Europe/Berlin", "starts_on": "2027-04-12"}
    made = as_alice.post(address("course-copy", course), form, follow=True)
    assert "1 set came along as drafts." in words(made)
    assert "First quiz" in words(made)


def test_what_is_due_soon_stands_on_the_list(as_bob: Client, bob: User, course: Course) -> None:
    day = dt.timedelta(days=1)
    problem_set(course, "quiz", title="Due", due_at=NOW + day, closes_at=NOW + 3 * day)
    problem_set(course, "quiz", title="Late", due_at=NOW - day / 2, closes_at=NOW + day, late=["1/2", "1/4"])
    problem_set(course, "quiz", title="Coming", opens_at=NOW + 2 * day, closes_at=NOW + 5 * day)
    nowhere: dict[str, dict[str, Any]] = {
        "Draft": {"published_at": None},
        "Over": {"closes_at": NOW - day / 2},
        "Far": {"opens_at": NOW + 20 * day, "closes_at": NOW + 30 * day},
        "Always": {"closes_at": None},
        "Gone": {"retired": True},
    }
    for title, fields in nowhere.items():
        problem_set(course, "quiz", title=title, **fields)
    done = problem_set(course, "quiz", title="Handed")
    Attempt.objects.create(problem_set=done, learner=bob, began_at=NOW, handed_in_at=NOW)
    others = problem_set(course, "quiz", title="Others")
    others.groups.add(Group.objects.create(course=course, name="Not his"))
    with clock.at(NOW):
        shown = words(as_bob.get("/courses/"))
    assert "due Tue 2 December 2025, 12:00 CET" in shown
    assert "closes Tue 2 December 2025, 12:00 CET" in shown
    assert "opens Wed 3 December 2025, 12:00 CET" in shown
    for title in ("Draft", "Over", "Far", "Always", "Gone", "Handed", "Others"):
        assert title not in shown


def test_the_study_plan_says_which_exam_it_leads_up_to(as_bob: Client, as_charlie: Client, course: Course) -> None:
    Course.objects.filter(pk=course.pk).update(exam_on=dt.date(2027, 2, 14))
    with clock.at(NOW):
        assert "Empty: the exam of your course, on 14 February 2027." in words(as_bob.get("/plan/"))
        assert "14 February" not in words(as_charlie.get("/plan/"))
        kept = as_bob.post(
            "/plan/", {"time_zone": "UTC", "exam_on": "2027-03-01", "goal": "", "new_cards_a_day": "5"}, follow=True
        )
        assert "14 February" not in words(kept)
    with clock.at(NOW + dt.timedelta(days=200)):
        assert "14 February" not in words(as_bob.get("/plan/"))


# --- People ---


def test_days_of_people_are_by_the_clocks_of_the_course(as_alice: Client, course: Course) -> None:
    """A minute after midnight there is still the day before by UTC."""
    late = dt.datetime(2026, 10, 24, 22, 1, tzinfo=dt.UTC)
    gone = person(course, "gone", dropped_at=late)
    Enrolment.objects.filter(pk=gone.pk).update(created_at=late)
    assert "left Sun 25 October 2026" in words(as_alice.get(address("people", course) + "?who=dropped"))
    shown = words(as_alice.get(address("member", course, gone.pk)))
    assert "Since Sun 25 October 2026, left Sun 25 October 2026" in shown


def test_people_are_found(as_alice: Client, course: Course) -> None:
    dave = person(course, "dave", Role.ASSISTANT)
    Enrolment.objects.filter(pk=dave.pk).update(name="David <b>", external_id="4711")
    gone = person(course, "gone", dropped_at=NOW)
    tutorial = Group.objects.create(course=course, name="Tutorial 1")
    dave.groups.add(tutorial)
    page = address("people", course)
    everybody = as_alice.get(page).content.decode()
    assert "David &lt;b&gt;" in everybody
    assert "gone@example.org" not in everybody
    for query in ("q=4711", "q=david+example", "role=assistant", f"group={tutorial.pk}"):
        found = as_alice.get(f"{page}?{query}").content.decode()
        assert "dave@example.org" in found
        assert ">bob<" not in found
    assert gone.user.email in as_alice.get(f"{page}?who=dropped").content.decode()
    for query in ("role=king", "group=x", "page=999", "page=x", "page=-1", "q=%00"):
        assert as_alice.get(f"{page}?{query}").status_code == 200


def test_many_people_are_on_several_pages(as_alice: Client, course: Course) -> None:
    users = User.objects.bulk_create(User(username=f"learner-{place:03}") for place in range(130))
    Enrolment.objects.bulk_create(Enrolment(course=course, user=user) for user in users)
    page = address("people", course)
    first = as_alice.get(f"{page}?q=learner").content.decode()
    assert "1 to 50 of 130" in first
    assert "?q=learner&amp;page=2" in first
    assert "learner-129" in as_alice.get(f"{page}?q=learner&page=3").content.decode()


def test_a_member_is_changed(as_alice: Client, alice: User, bob: User, course: Course) -> None:
    his = Enrolment.objects.get(course=course, user=bob)
    tutorial = Group.objects.create(course=course, name="Tutorial 1")
    page = address("member", course, his.pk)
    as_alice.post(page, {"do": "factor", "time_factor": "125 %", "reason": "certified"})
    as_alice.post(page, {"do": "groups", "groups": [tutorial.pk]})
    as_alice.post(page, {"do": "role", "role": "observer"})
    as_alice.post(page, {"do": "drop", "reason": "left"})
    shown = as_alice.get(page)
    assert "1.25" in words(shown)
    assert "certified" in words(shown)
    assert "Bring them back" in words(shown)
    as_alice.post(page, {"do": "return"})
    his.refresh_from_db()
    assert (his.role, float(his.time_factor), his.dropped_at) == ("observer", 1.25, None)
    assert list(his.groups.all()) == [tutorial]
    assert AuditEntry.objects.count() == 5


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({"do": "factor", "time_factor": "fast"}, "from 1 to 10"),
        ({"do": "role", "role": "king"}, "Select a valid choice"),
        ({"do": "groups", "groups": ["999999"]}, "999999"),
    ],
)
def test_what_a_member_cannot_be(form: dict[str, Any], told: str, as_alice: Client, bob: User, course: Course) -> None:
    page = address("member", course, Enrolment.objects.get(course=course, user=bob).pk)
    Group.objects.create(course=course, name="Tutorial 1")
    answer = as_alice.post(page, form)
    assert answer.status_code == 422
    assert told in words(answer)
    assert not AuditEntry.objects.exists()


def test_the_last_instructor_is_told(as_alice: Client, alice: User, course: Course) -> None:
    page = address("member", course, Enrolment.objects.get(course=course, user=alice).pk)
    for form in ({"do": "role", "role": "learner"}, {"do": "drop"}):
        answer = as_alice.post(page, form)
        assert answer.status_code == 422
        assert "The last instructor of a course stays" in words(answer)
    assert as_alice.post(page, {"do": "nothing"}).status_code == 200


def test_groups_are_kept(as_alice: Client, course: Course) -> None:
    page = address("groups", course)
    assert "There is no group yet" in words(as_alice.get(page))
    as_alice.post(page, {"do": "make", "name": "Tutorial 1"})
    answer = as_alice.post(page, {"do": "make", "name": "Tutorial 1"})
    assert answer.status_code == 422
    assert "There is a group Tutorial 1 already" in words(answer)
    as_alice.post(page, {"do": "make", "name": "Tutorial 2"})
    second = Group.objects.get(name="Tutorial 2")
    answer = as_alice.post(page, {"do": "rename", "group": second.pk, "name": "Tutorial 1"})
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.content.decode()
    as_alice.post(page, {"do": "rename", "group": second.pk, "name": "Tutorial 3"})
    quiz = problem_set(course, "quiz", title="First quiz")
    quiz.groups.add(second)
    assert "First quiz: change it there first" in words(
        as_alice.post(page, {"do": "delete", "group": second.pk}, follow=True)
    )
    quiz.groups.clear()
    as_alice.post(page, {"do": "delete", "group": second.pk})
    assert [group.name for group in Group.objects.all()] == ["Tutorial 1"]


def test_the_trail_is_shown(as_alice: Client, alice: User, bob: User, course: Course) -> None:
    actions.change_role(actor=alice, enrolment=Enrolment.objects.get(course=course, user=bob), role="observer")
    actions.renew_code(actor=alice, course=course)
    page = address("audit", course)
    assert "role: learner → observer" in words(as_alice.get(page))
    assert "made a new join code" in words(as_alice.get(f"{page}?deed=code-new"))
    assert "learner → observer" not in words(as_alice.get(f"{page}?deed=code-new"))
    assert "learner → observer" in words(as_alice.get(f"{page}?person=BOB"))
    for query in ("person=nobody&deed=role", "person=%00x"):
        assert "Nothing of this kind" in words(as_alice.get(f"{page}?{query}"))


# --- Rosters ---


def test_a_roster_is_shown_then_done(as_alice: Client, course: Course) -> None:
    page = address("roster", course)
    file = SimpleUploadedFile("roster.csv", "﻿email;group\nnew@example.org;Tutorial 1\nbroken;\n".encode())
    shown = as_alice.post(page, {"do": "look", "upload": file})
    said = words(shown)
    assert "Line 3: broken is no e-mail address." in said
    assert "New groups: Tutorial 1." in said
    assert not Group.objects.exists()
    text = "\ufeffemail;group\nnew@example.org;Tutorial 1\nbroken;\n".removeprefix("\ufeff")
    form = {"do": "apply", "text": text, "seal": value(shown, "seal")}
    done = as_alice.post(page, form, follow=True)
    assert "The roster is in: 1 added, 0 changed, 0 dropped, 1 left out for a fault." in words(done)
    again = as_alice.post(page, form)
    assert again.status_code == 422
    assert "since you were shown" in words(again)
    assert "There is nothing to do." in words(again)


def test_who_came_by_the_roster_sets_a_password_by_mail(
    as_alice: Client, course: Course, mailoutbox: list[EmailMessage]
) -> None:
    page, text = address("roster", course), "email\nnew@example.org"
    shown = as_alice.post(page, {"do": "look", "text": text})
    as_alice.post(page, {"do": "apply", "text": text, "seal": value(shown, "seal")})
    Client().post("/accounts/password/reset/", {"email": "NEW@example.org"})
    assert [mail.to for mail in mailoutbox] == [["new@example.org"]]
    assert "/accounts/password/reset/key/" in str(mailoutbox[0].body)


def test_the_dry_run_says_that_an_email_which_is_not_proven_takes_the_username(
    as_alice: Client, course: Course, mailoutbox: list[EmailMessage]
) -> None:
    mallory, text = Client(), "email,role\nta@example.org,assistant"
    said = {
        "username": "mallory",
        "email": "ta@example.org",
        "password1": "long pass 8812x",
        "password2": "long pass 8812x",
    }
    assert mallory.post("/accounts/signup/", said).status_code == 302
    page = address("roster", course)
    shown = as_alice.post(page, {"do": "look", "text": text})
    assert "nobody has proven that it is theirs: to make them assistant, write the username." in words(shown)
    as_alice.post(page, {"do": "apply", "text": text, "seal": value(shown, "seal")})
    assert not Enrolment.objects.filter(user__username="mallory").exists()
    # Whoever reads its mail can say so.
    mallory.post("/accounts/email/", {"action_send": "", "email": "ta@example.org"})
    link = next(word for word in str(mailoutbox[-1].body).split() if "/confirm-email/" in word)
    mallory.post("/" + link.split("/", 3)[3])
    assert "write the username" not in words(as_alice.post(page, {"do": "look", "text": text}))


def test_a_file_on_the_second_page_is_shown_first(as_alice: Client, course: Course) -> None:
    page = address("roster", course)
    shown = as_alice.post(page, {"do": "look", "text": "email\nnew@example.org"})
    file = SimpleUploadedFile("other.csv", b"email\nother@example.org")
    form = {"do": "apply", "text": "email\nnew@example.org", "seal": value(shown, "seal"), "upload": file}
    answer = as_alice.post(page, form)
    assert "other@example.org" in words(answer)
    assert Enrolment.objects.filter(course=course).count() == 2


def test_many_are_dropped_only_by_their_number(as_alice: Client, course: Course) -> None:
    page = address("roster", course)
    form = {"text": "email\nnew@example.org", "drops_missing": "on"}
    shown = as_alice.post(page, form | {"do": "look"})
    assert "1 people would be dropped. Type this number" in words(shown)
    form |= {"do": "apply", "seal": value(shown, "seal")}
    for typed in ("", "2", "one", "1.0"):
        answer = as_alice.post(page, form | {"typed": typed})
        assert answer.status_code == 422
        assert "Type this number" in words(answer)
    as_alice.post(page, form | {"typed": " 1 "})
    assert Enrolment.objects.filter(course=course, dropped_at=None).count() == 2


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({"text": "  "}, "Choose a file, or paste its text."),
        ({"text": "name\nBob"}, "username or email"),
        ({"upload": b"\xff\xfe\xff"}, "not UTF-8"),
        ({"upload": b"x" * (MOST_BYTES + 1)}, "Your file is 1.1 MB; 1 MB is the most"),
    ],
)
def test_what_is_no_roster_is_told(form: dict[str, Any], told: str, as_alice: Client, course: Course) -> None:
    if "upload" in form:
        form = {"upload": SimpleUploadedFile("roster.csv", form["upload"])}
    answer = as_alice.post(address("roster", course), {"do": "look", **form})
    assert answer.status_code == 422
    assert told in words(answer)


def test_the_roster_goes_out_as_a_file_without_formulas(as_alice: Client, course: Course) -> None:
    Enrolment.objects.filter(course=course, user__username="bob").update(name="=cmd()", external_id="-1")
    answer = as_alice.get(address("roster-export", course))
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="roster-bert-by-hand-winter-2026.csv"'
    text = answer.content.decode()
    assert text.startswith("\ufeffusername,email,name,role")
    assert "bob,,'=cmd(),learner,,'-1,1\r\n" in text
    shown = as_alice.post(address("roster", course), {"do": "look", "text": text, "drops_missing": "on"})
    assert "There is nothing to do." in words(shown)


def test_a_group_with_people_in_it_is_deleted_only_after_asking(
    as_alice: Client, course: Course, member: Enrolment
) -> None:
    group = Group.objects.create(course=course, name="Monday")
    group.members.add(member)
    page = address("groups", course)
    assert "1 person is in it" in words(as_alice.get(page))
    form = {"do": "delete", "group": group.pk}
    refused = words(as_alice.post(page, form, follow=True))
    assert "Nothing was deleted: 1 in Monday now." in refused
    assert Group.objects.filter(pk=group.pk).exists()
    assert "The group Monday is deleted" in words(as_alice.post(page, {**form, "sure": "1"}, follow=True))
    assert not Group.objects.filter(pk=group.pk).exists()
