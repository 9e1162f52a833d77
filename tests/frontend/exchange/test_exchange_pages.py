"""The pages by which problems and sets leave and come in: for whom, with a report first, and nothing by halves."""

import io
import re
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from exercises.actions.authoring import set_shared
from exercises.actions.exchange import export_problems, export_set
from exercises.models import AuditEntry, Course, Problem, ProblemSet, User
from frontend.exchange_urls import urlpatterns
from tests.frontend.authoring.world import draft, with_version
from tests.frontend.sets.world import People

pytestmark = pytest.mark.usefixtures("servers", "published")
IMPORT = "/exchange/import/"
SEVERAL = "/exchange/problems/"
CHOSEN = {"form": "own", "variants": "2", "first_seed": "1"}


def of_problem(problem: Problem) -> str:
    return reverse("frontend:export-problem", args=[problem.slug])


def of_set(problem_set: ProblemSet) -> str:
    return reverse("frontend:export-set", args=[problem_set.public_id])


def upload(content: bytes, name: str = "file.zip") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def test_every_route_is_tested_here() -> None:
    assert {route.name for route in urlpatterns} == {"import", "export-problems", "export-problem", "export-set"}


def test_a_set_leaves_only_by_those_who_manage_its_course(quiz: ProblemSet, people: People) -> None:
    wanted = {**CHOSEN, "do": "download"}
    for name, status in {"nobody": 302, "charlie": 404, "erin": 404, "eve": 404, "bob": 404, "dave": 404}.items():
        assert people[name].get(of_set(quiz)).status_code == status
        assert people[name].post(of_set(quiz), wanted).status_code == status
    assert people["alice"].get(of_set(quiz)).status_code == 200
    assert not AuditEntry.objects.filter(deed="export-set").exists()
    answer = people["alice"].post(of_set(quiz), wanted)
    assert answer["Content-Type"] == "application/zip"
    assert "report.txt" in zipfile.ZipFile(io.BytesIO(answer.content)).namelist()
    assert AuditEntry.objects.get(deed="export-set").actor.username == "alice"  # type: ignore[union-attr]


def test_a_problem_leaves_only_by_its_author_until_it_is_shared_and_never_by_learners(
    own: Problem, alice: User, as_alice: Client, as_erin: Client, as_bob: Client, as_charlie: Client
) -> None:
    problem = with_version(alice, "Shared later")
    for learner in (as_bob, as_charlie):
        for page in (of_problem(problem), SEVERAL, IMPORT):
            assert learner.get(page).status_code == 404
            assert learner.post(page, {**CHOSEN, "do": "download", "problem": problem.slug}).status_code == 404
    assert as_erin.post(of_problem(problem), {**CHOSEN, "do": "download"}).status_code == 404
    refused = as_erin.post(SEVERAL, {**CHOSEN, "do": "download", "problem": [problem.slug, own.slug]})
    assert refused.status_code == 422
    assert "Choose at least one problem" in refused.content.decode()
    assert as_alice.post(of_problem(problem), {**CHOSEN, "do": "download"}).status_code == 200
    set_shared(author=alice, problem=problem, shared=True)
    assert as_erin.post(of_problem(problem), {**CHOSEN, "do": "download"}).status_code == 200
    assert as_erin.post(of_problem(own), {**CHOSEN, "do": "download"}).status_code == 404


@pytest.mark.parametrize("form", ["own", "moodle", "canvas", "qti3"])
def test_what_is_lost_is_said_before_the_download_and_in_it(
    form: str, problems: list[Problem], as_alice: Client
) -> None:
    wanted = {**CHOSEN, "form": form, "problem": [problem.slug for problem in problems]}
    page = as_alice.post(SEVERAL, {**wanted, "do": "look"})
    assert page.status_code == 200
    words = page.content.decode()
    assert "Download" in words
    report = page.context["package"].report
    assert len(report.entries) == 3
    answer = as_alice.post(SEVERAL, {**wanted, "do": "download"})
    assert answer["Content-Disposition"] == f'attachment; filename="{page.context["package"].name}"'
    inside = zipfile.ZipFile(io.BytesIO(answer.content)).read("report.txt").decode()
    assert all(line in inside for entry in report.entries for line in (entry.title, *entry.lost))
    assert (form == "own") == (not any(entry.lost for entry in report.entries))


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"variants": "0"}, "greater than or equal to 1"),
        ({"variants": "9999999"}, "less than or equal to 100"),
        ({"first_seed": "-1"}, "greater than or equal to 0"),
        ({"form": "word"}, "not one of the available choices"),
    ],
)
def test_what_cannot_be_is_told_at_its_field(
    typed: dict[str, str], said: str, problems: list[Problem], as_alice: Client
) -> None:
    answer = as_alice.post(of_problem(problems[0]), {**CHOSEN, "do": "download", **typed})
    assert answer.status_code == 422
    assert said in answer.content.decode()


def test_a_file_is_looked_at_then_taken_over_without_being_sent_twice(
    alice: User, own: Problem, as_erin: Client, erin: User
) -> None:
    package = export_problems(actor=alice, problems=[own], form="own")
    page = as_erin.post(IMPORT, {"upload": upload(package.content), "do": "look"})
    assert page.status_code == 200
    assert "Take it over" in page.content.decode()
    assert not Problem.objects.filter(owner=erin).exists()
    kept = page.context["form"].initial["kept"]
    done = as_erin.post(IMPORT, {"kept": kept, "do": "apply", "course": "", "skill": "softmax"}, follow=True)
    assert "1 problem came in" in done.content.decode()
    assert Problem.objects.get(owner=erin).draft.source == own.draft.source
    again = as_erin.post(IMPORT, {"upload": upload(package.content), "do": "look"})
    assert "Take it over" not in again.content.decode()


def test_a_set_comes_into_a_course_that_one_manages_and_into_no_other(
    alice: User, quiz: ProblemSet, course: Course, elsewhere: Course, as_erin: Client
) -> None:
    package = export_set(actor=alice, problem_set=quiz, form="own")
    without = as_erin.post(IMPORT, {"upload": upload(package.content), "do": "look"})
    assert without.status_code == 200
    assert "choose one" in without.content.decode()
    kept = {"upload": upload(package.content), "course": str(elsewhere.public_id), "do": "look"}
    page = as_erin.post(IMPORT, kept)
    assert page.status_code == 200
    token = page.context["form"].initial["kept"]
    foreign = as_erin.post(IMPORT, {"kept": token, "course": str(course.public_id), "do": "apply"})
    assert foreign.status_code == 422
    done = as_erin.post(IMPORT, {"kept": token, "course": str(elsewhere.public_id), "do": "apply"})
    made = ProblemSet.objects.get(course=elsewhere)
    assert done["Location"] == reverse("frontend:set", args=[made.public_id])
    assert (made.title, made.published_at) == (quiz.title, None)


def test_a_file_that_somebody_else_sent_is_not_theirs_to_take_over(
    alice: User, own: Problem, as_alice: Client, as_erin: Client, erin: User
) -> None:
    package = export_problems(actor=alice, problems=[own], form="own")
    token = as_alice.post(IMPORT, {"upload": upload(package.content), "do": "look"}).context["kept"]
    answer = as_erin.post(IMPORT, {"kept": token, "do": "apply"})
    assert answer.status_code == 422
    assert "choose it once more" in answer.content.decode()
    assert not Problem.objects.filter(owner=erin).exists()


def test_of_files_that_somebody_looks_at_only_the_last_takes_up_room_and_is_theirs_to_take_over(
    alice: User, own: Problem, as_erin: Client, erin: User
) -> None:
    tokens = []
    for problem in (own, with_version(alice, "Another")):
        package = export_problems(actor=alice, problems=[problem], form="own")
        tokens.append(as_erin.post(IMPORT, {"upload": upload(package.content), "do": "look"}).context["kept"])
    assert len(set(tokens)) == 2
    earlier = as_erin.post(IMPORT, {"kept": tokens[0], "do": "apply", "skill": "softmax"})
    assert earlier.status_code == 422
    assert "choose it once more" in earlier.content.decode()
    assert as_erin.post(IMPORT, {"kept": tokens[1], "do": "apply", "skill": "softmax"}).status_code == 302
    assert [problem.title for problem in Problem.objects.filter(owner=erin)] == ["Another"]


def test_one_fault_among_twenty_keeps_everything_out_and_every_row_is_shown(
    alice: User, as_erin: Client, erin: User
) -> None:
    many = [draft(alice, f"Loss number {number}") for number in range(20)]
    for number, problem in enumerate(many):
        problem.draft.source = problem.draft.source.replace("0.95", f"0.{70 + number}").replace(
            problem.title, f"Loss number {number}"
        )
        problem.draft.save()
    package = export_problems(actor=alice, problems=many, form="own")
    spoilt = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package.content)) as old, zipfile.ZipFile(spoilt, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, data.replace(b"is: -ln(p)", b"is: -ln(p") if name.endswith("-13.yaml") else data)
    page = as_erin.post(IMPORT, {"upload": upload(spoilt.getvalue()), "do": "look"})
    assert page.status_code == 422
    report = page.context["report"]
    assert len(report.entries) == 20
    assert [(entry.title, entry.fault.startswith("line 15, steps.loss.is:")) for entry in report.faults] == [
        ("problems/loss-number-13.yaml", True)
    ]
    answer = as_erin.post(IMPORT, {"kept": page.context["kept"], "do": "apply"})
    assert answer.status_code == 422
    assert not Problem.objects.filter(owner=erin).exists()


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        (b"", "x.zip", "The file is empty."),
        (b"PK\x03\x04 no zip at all", "x.zip", "cannot be opened"),
        (b"<quiz><question", "x.xml", "Line 1, column"),
        (b"<html></html>", "x.xml", "begins with &lt;quiz&gt;"),
        (b'<!DOCTYPE q [<!ENTITY a "b">]><quiz>&a;</quiz>', "x.xml", "document type"),
        (b"no question here", "x.txt", "There is no GIFT question"),
        (b"caf\xe9 {#1}", "x.txt", "Line 1 is not UTF-8"),
        (b"x" * 4_000_001, "x.txt", "are the most"),
        (b"title: [", "x.yaml", "this is not YAML"),
    ],
)
def test_what_is_no_such_file_is_answered_in_words(content: bytes, name: str, said: str, as_alice: Client) -> None:
    answer = as_alice.post(IMPORT, {"upload": upload(content, name), "do": "look"})
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not Problem.objects.exists()


def test_no_file_at_all_is_asked_for(as_alice: Client) -> None:
    without = as_alice.post(IMPORT, {"do": "apply"}).content.decode()
    assert without.count("Choose a file.") == 1
    # Whoever must choose one is not told that they need not; on the second page the first one is kept.
    optional = '>File <span class="muted">(optional)</span>'
    assert optional not in as_alice.get(IMPORT).content.decode()
    second = as_alice.post(IMPORT, {"upload": upload(b"title: x", "x.yaml")}).content.decode()
    assert optional in second


@pytest.mark.parametrize("rows", [1, 12])
def test_the_list_to_choose_from_takes_two_queries(
    rows: int, alice: User, as_alice: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(rows):
        draft(alice, f"Loss number {number}")
    with django_assert_num_queries(4):  # session and user come with every page
        assert as_alice.get(SEVERAL).status_code == 200


def test_hostile_titles_are_text_on_the_page(alice: User, as_alice: Client) -> None:
    source = (
        '<quiz><question type="essay"><name><text>&lt;script&gt;alert(1)&lt;/script&gt;</text></name></question></quiz>'
    )
    page: Any = as_alice.post(IMPORT, {"upload": upload(source.encode(), "x.xml"), "do": "look"})
    words = page.content.decode()
    assert "<script>alert" not in words
    assert "&lt;script&gt;alert(1)" in words


def here(page: Any) -> list[str]:
    """The ways of the main menu that are marked as where somebody is."""
    menu = page.content.decode().partition('aria-label="Main"')[2].partition("</nav>")[0]
    return re.findall(r'aria-current="[a-z]+">([^<]+)</a>', menu)


def test_the_menu_says_where_one_is(as_alice: Client, quiz: ProblemSet) -> None:
    assert here(as_alice.get("/exchange/import/")) == ["Problems"]
    assert here(as_alice.get("/exchange/problems/")) == ["Problems"]
    assert here(as_alice.get(f"/exchange/sets/{quiz.public_id}/")) == ["Courses"]
    assert here(as_alice.get("/lms/new/")) == ["Courses"]
    assert here(as_alice.get("/author/")) == ["Problems"]
    assert here(as_alice.get("/accounts/email/")) == []
