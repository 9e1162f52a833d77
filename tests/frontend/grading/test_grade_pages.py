"""The pages about grades: what they show, and the ways from a mark to a decision and back."""

import re
from fractions import Fraction
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from exercises.models import (
    Attempt,
    AuditEntry,
    Course,
    Enrolment,
    Extension,
    Grading,
    Override,
    Problem,
    ProblemSet,
    Ruling,
    SavedAnswer,
    User,
)
from tests.exercises.courses.sat import ALL, HALF, begun, drawn, handed_in, marked, place_of, sent
from tests.exercises.courses.world import NOW, person, problem_set

pytestmark = pytest.mark.usefixtures("servers")


def text_of(response: Any) -> str:
    """What a page says, without its tags, on one line."""
    html = response.content.decode()
    body = html[html.index("<main") : html.index("</main>")]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def hidden(response: Any) -> dict[str, str]:
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', response.content.decode())
    return {name: unescape(value) for name, value in found if name != "csrfmiddlewaretoken"}


def page(client: Client, name: str, *arguments: object, query: str = "") -> Any:
    return client.get(reverse(f"frontend:{name}", args=arguments) + query)


def test_weights_of_tenths_add_up_to_everything(course: Course, problem: Problem, bob: User, as_alice: Client) -> None:
    tenths = problem_set(course, "quiz", problem, problem, problem, weights=(".7", ".2", ".1"))
    attempt = begun(tenths, bob)
    for position in (1, 2, 3):
        marked(attempt, ALL, position=position)
    handed_in(attempt)
    book = page(as_alice, "gradebook", course.public_id, query="?averages=on")
    for found in (book, page(as_alice, "set-grades", tenths.public_id)):
        assert "bob 100 %" in text_of(found)
        assert "Average 100 % of 1" in text_of(found)


def test_nothing_is_rounded_up_to_the_pass_mark(course: Course, problem: Problem, bob: User, as_alice: Client) -> None:
    strict = problem_set(course, "quiz", problem, pass_mark="7/10")
    attempt = handed_in(marked(begun(strict, bob), HALF))
    Override.objects.create(problem_set=strict, learner=bob, score="39/56", reason="39 of 56")
    Attempt.objects.filter(pk=attempt.pk).update(score_numerator=39, score_denominator=56)
    for found in (
        page(as_alice, "gradebook", course.public_id),
        page(as_alice, "set-grades", strict.public_id),
        page(as_alice, "attempt-grade", attempt.public_id),
    ):
        assert "69.6 %" in text_of(found)
        assert re.search("not passed|Not passed", text_of(found))
    Attempt.objects.filter(pk=attempt.pk).update(score_numerator=69_999, score_denominator=100_000)
    Override.objects.update(score="69999/100000")
    assert "69.9 %" in text_of(page(as_alice, "gradebook", course.public_id))


def test_the_grade_book_says_how_each_stands(
    course: Course, quiz: ProblemSet, attempt: Attempt, alice: User, as_dave: Client
) -> None:
    for name in ("ida", "jo", "kurt"):
        person(course, name)
    ida = Enrolment.objects.get(user__username="ida")
    Override.objects.create(problem_set=quiz, learner=ida.user, score="1/2", reason="Oral")
    Extension.objects.create(problem_set=quiz, learner=User.objects.get(username="jo"), due_at=NOW)
    begun(quiz, alice, is_preview=True)
    said = text_of(page(as_dave, "gradebook", course.public_id, query="?averages=on"))
    assert "bob 18.8 % going on" in said
    assert "ida 50 % not begun by hand" in said
    assert "jo – not begun extension" in said
    assert "kurt – not begun" in said
    assert "Average 34.4 % of 2" in said
    assert "alice" not in said
    assert "Show the averages" in text_of(page(as_dave, "gradebook", course.public_id))
    there = reverse("frontend:gradebook", args=[course.public_id])
    fragment = as_dave.get(f"{there}?averages=on&search=ida", HTTP_HX_REQUEST="true").content.decode()
    assert fragment.strip().startswith('<tfoot id="averages">')
    assert "of 1<" in fragment
    searched = text_of(page(as_dave, "gradebook", course.public_id, query="?search=ku"))
    assert "kurt" in searched
    assert "jo –" not in searched
    down = text_of(page(as_dave, "gradebook", course.public_id, query="?order=down"))
    assert down.index("kurt") < down.index("bob 18.8")
    assert "No learner fits" in text_of(page(as_dave, "gradebook", course.public_id, query="?search=nobody"))


def test_names_are_shown_as_text(course: Course, quiz: ProblemSet, enrolled: Enrolment, as_alice: Client) -> None:
    Enrolment.objects.filter(pk=enrolled.pk).update(name="<script>alert(1)</script>")
    ProblemSet.objects.filter(pk=quiz.pk).update(title="<img src=x>")
    for name, argument in (("gradebook", course.public_id), ("set-grades", quiz.public_id)):
        html = page(as_alice, name, argument).content.decode()
        assert "<script>alert" not in html
        assert "<img" not in html


def test_an_attempt_shows_what_was_shown_typed_and_marked(attempt: Attempt, as_dave: Client) -> None:
    SavedAnswer.objects.create(attempt_item=place_of(attempt), answers={"p": "0.25"}, aside=SavedAnswer.Aside.LATE)
    found = page(as_dave, "attempt-grade", attempt.public_id)
    said = text_of(found)
    for words in (
        "bob: A quiz",
        "The true word is mat",
        "0.6667",
        "A known mistake",
        "note p.no-exp",
        "Softmax normalises exponentials",
        "Key and worked solution",
        "1 saving set aside",
        "p: 0.25",
        "Accept p.no-exp for all",
        "Accept this very answer for all",
        "Discount this part for all",
        "Compensate this variant",
        "Set this credit by hand",
    ):
        assert words in said, words
    assert len(re.findall(r'id="item-1"', found.content.decode())) == 1


def test_of_endless_practice_the_latest_variants_are_shown(
    course: Course, problem: Problem, bob: User, as_dave: Client
) -> None:
    attempt = begun(problem_set(course, "practice", problem, problem), bob)
    for _ in range(22):
        drawn(place_of(attempt))
    said = text_of(page(as_dave, "attempt-grade", attempt.public_id))
    assert said.count("Nothing was sent on it.") == 20 + 1, "of the other place its only one"
    assert "Variant 23 " in said
    assert "Variant 4 " in said
    assert "Variant 3 " not in said
    assert "3 earlier variants of it are not shown." in said


def test_an_attempt_whose_problem_is_broken_is_still_shown(attempt: Attempt, as_dave: Client) -> None:
    version = place_of(attempt).version
    type(version).objects.filter(pk=version.pk).update(source="title: [")
    said = text_of(page(as_dave, "attempt-grade", attempt.public_id))
    assert "0.6667" in said
    assert "has a fault" in said


def test_from_a_mark_to_a_decision_for_all_and_back(attempt: Attempt, quiz: ProblemSet, as_dave: Client) -> None:
    html = page(as_dave, "attempt-grade", attempt.public_id).content.decode()
    (address,) = re.findall(r'href="([^"]+kind=accept[^"]+note=p\.no-exp[^"]*)"', html)
    shown = as_dave.get(unescape(address))
    assert "bob 18.8 % 37.5 %" in text_of(shown)
    assert not Ruling.objects.exists()
    form = hidden(shown)
    refused = as_dave.post(unescape(address).partition("?")[0], form | {"reason": " ", "do": "apply"})
    assert refused.status_code == 422
    assert "Say why" in text_of(refused)
    decided = as_dave.post(
        unescape(address).partition("?")[0], hidden(refused) | {"reason": "Ambiguous", "do": "apply"}
    )
    assert decided["Location"] == reverse("frontend:attempt-grade", args=[attempt.public_id])
    said = text_of(page(as_dave, "attempt-grade", attempt.public_id))
    assert "Counts 100 %: accepted for all." in said
    assert "The scores follow." in said
    ruling = Ruling.objects.get()
    assert "Ambiguous" in text_of(page(as_dave, "set-rulings", quiz.public_id))
    back = page(as_dave, "ruling-withdraw", quiz.public_id, ruling.pk)
    assert "bob 37.5 % 18.8 %" in text_of(back)
    there = reverse("frontend:ruling-withdraw", args=[quiz.public_id, ruling.pk])
    assert as_dave.post(there, hidden(back) | {"reason": "No"}).status_code == 302
    assert "taken back" in text_of(page(as_dave, "set-rulings", quiz.public_id))
    attempt.refresh_from_db()
    assert attempt.score == Fraction(3, 16)


def test_a_score_by_hand_is_shown_before_it_is_set(
    attempt: Attempt, quiz: ProblemSet, enrolled: Enrolment, as_dave: Client
) -> None:
    there = reverse("frontend:grade-override", args=[quiz.public_id, enrolled.pk])
    query = f"?item={place_of(attempt).item_id}&step=loss&attempt={attempt.public_id}"
    form = hidden(as_dave.get(there + query))
    wrong = as_dave.post(there, form | {"score": "85", "reason": "Why"})
    assert wrong.status_code == 422
    assert "Did you mean 85 %?" in text_of(wrong)
    assert 'value="85"' in wrong.content.decode()
    shown = as_dave.post(there, form | {"score": "3/4", "reason": "Right but for a sign", "do": "preview"})
    assert "bob 18.8 % 46.9 %" in text_of(shown)
    assert not Override.objects.exists()
    apply = hidden(shown) | {"score": "3/4", "reason": "Right but for a sign", "do": "apply"}
    for _ in range(2):
        assert as_dave.post(there, apply).status_code == 302
    assert Override.objects.count() == AuditEntry.objects.count() == 1
    said = text_of(page(as_dave, "attempt-grade", attempt.public_id))
    assert "Counts 75 %: set by hand." in said
    assert "75 % by hand for step loss of Loss at one masked token" in said
    stale = as_dave.post(there, apply | {"score": "1"})
    assert stale.status_code == 422
    assert "Somebody set this score otherwise" in text_of(stale)
    back = reverse("frontend:grade-override-withdraw", args=[quiz.public_id, Override.objects.get().pk])
    assert as_dave.post(back, {"reason": "A slip", "attempt": str(attempt.public_id)})["Location"] == reverse(
        "frontend:attempt-grade", args=[attempt.public_id]
    )
    assert Override.objects.get().withdrawn_at is not None


def test_a_moment_by_the_clocks_of_the_course(attempt: Attempt, as_dave: Client) -> None:
    handed_in(attempt)
    there = reverse("frontend:attempt-count-as", args=[attempt.public_id])
    assert 'value="2025-12-01T12:00"' in as_dave.get(there).content.decode()
    wrong = as_dave.post(there, {"at": "yesterday", "reason": "Why"})
    assert wrong.status_code == 422
    assert "Write the day and the time of day" in text_of(wrong)
    assert "still to come" in text_of(as_dave.post(there, {"at": "2027-01-01T12:00", "reason": "Why"}))
    shown = as_dave.post(there, {"at": "2025-12-01T12:00", "reason": "Power cut", "do": "preview"})
    assert "Nobody’s score moves" in text_of(shown)
    as_dave.post(there, {"at": "2025-12-01T12:00", "reason": "Power cut", "do": "apply"})
    attempt.refresh_from_db()
    assert attempt.count_as_at == NOW
    assert "Counts as Mon 1 December 2025, 12:00 CET" in text_of(page(as_dave, "attempt-grade", attempt.public_id))


def test_a_zone_that_is_not_known_any_more_hides_no_attempt_and_no_grades(
    course: Course, quiz: ProblemSet, attempt: Attempt, as_dave: Client
) -> None:
    handed_in(attempt)
    Course.objects.filter(pk=course.pk).update(time_zone="Europe/Atlantis")
    assert "Handed in Mon 1 December 2025, 11:00 UTC" in text_of(page(as_dave, "attempt-grade", attempt.public_id))
    there = reverse("frontend:attempt-count-as", args=[attempt.public_id])
    assert 'value="2025-12-01T11:00"' in as_dave.get(there).content.decode()
    said = {"at": "2025-12-01T11:00", "reason": "Power cut", "do": "apply"}
    assert as_dave.post(there, said).status_code == 302
    lines = b"".join(page(as_dave, "set-grades-csv", quiz.public_id)).decode()
    assert "Mon 1 December 2025, 11:00 UTC" in lines


def test_another_attempt_is_granted_once(quiz: ProblemSet, enrolled: Enrolment, as_dave: Client) -> None:
    there = reverse("frontend:grade-another", args=[quiz.public_id, enrolled.pk])
    shown = as_dave.get(there)
    assert "may sit A quiz once now, and twice then" in text_of(shown)
    for _ in range(2):
        assert as_dave.post(there, hidden(shown) | {"reason": "Ill"}).status_code == 302
    assert Extension.objects.get().attempts == 1
    assert as_dave.post(there, {"granted": "99", "reason": "Ill"}).status_code == 422


def test_grades_go_out_and_come_in(course: Course, quiz: ProblemSet, attempt: Attempt, as_dave: Client) -> None:
    response = page(as_dave, "set-grades-csv", quiz.public_id, query="?bom=1")
    text = b"".join(response.streaming_content).decode()  # type: ignore[attr-defined]
    assert response["Content-Disposition"] == 'attachment; filename="grades-a-quiz.csv"'
    assert text.startswith("\ufeff")
    there = reverse("frontend:set-grades-import", args=[quiz.public_id])
    same = as_dave.post(there, {"text": text, "do": "preview"})
    assert "Nothing would change" in text_of(same)
    mended = text.replace("18.7500", "20")
    shown = as_dave.post(there, {"text": mended, "do": "preview"})
    assert "bob A quiz 18.8 % 20 % 2" in text_of(shown)
    form = {"text": mended, "do": "apply", "seen": hidden(shown)["seen"]}
    refused = as_dave.post(there, form)
    assert refused.status_code == 422
    assert "Say why" in text_of(refused)
    assert as_dave.post(there, form | {"reason": "Oral", "seen": "0"}).status_code == 422
    for _ in range(2):
        assert as_dave.post(there, form | {"reason": "Oral"}).status_code == 302
    assert Override.objects.get().score == "1/5"
    course_page = reverse("frontend:grades-import", args=[course.public_id])
    faulty = as_dave.post(
        course_page, {"text": "username,percent\nnobody,1\nbob,101\n", "do": "apply", "reason": "Why"}
    )
    assert faulty.status_code == 422
    assert "Line 2:" in text_of(faulty)
    assert as_dave.post(course_page, {"text": " "}).status_code == 422


def test_what_is_being_worked_out_is_said_wherever_scores_stand(
    course: Course, quiz: ProblemSet, attempt: Attempt, as_dave: Client
) -> None:
    item = place_of(attempt).item
    Ruling.objects.create(problem_set=quiz, item=item, kind=Ruling.Kind.DISCOUNT, step="loss", reason="Why")
    for name, argument in (
        ("gradebook", course.public_id),
        ("set-grades", quiz.public_id),
        ("set-rulings", quiz.public_id),
        ("attempt-grade", attempt.public_id),
    ):
        assert "0 of 1 learners are done" in text_of(page(as_dave, name, argument))


@pytest.mark.parametrize("learners", [1, 30])
def test_pages_take_the_same_queries_for_one_and_for_thirty(
    learners: int, course: Course, problem: Problem, as_alice: Client, django_assert_num_queries: Any
) -> None:
    quiz = problem_set(course, "quiz", problem, due_at=NOW)
    for number in range(learners):
        attempt = begun(quiz, person(course, f"learner-{number}").user)
        Extension.objects.create(problem_set=quiz, learner=attempt.learner, due_at=NOW)
        Attempt.objects.filter(pk=attempt.pk).update(score_numerator=1, score_denominator=3)
    for _ in range(2 if learners == 1 else 30):
        marked_row = sent(attempt, HALF)
        Grading.objects.create(
            submission=marked_row, verdict={"score": "0", "marks": {}, "version": "1"}, score_numerator=0,
            score_denominator=1, grader_version="1", version=place_of(attempt).version, reason="first",
        )  # fmt: skip
    with django_assert_num_queries(13):
        page(as_alice, "gradebook", course.public_id)
    with django_assert_num_queries(16):
        page(as_alice, "gradebook", course.public_id, query="?averages=on")
    with django_assert_num_queries(19):
        page(as_alice, "set-grades", quiz.public_id)
    with django_assert_num_queries(17):
        page(as_alice, "attempt-grade", attempt.public_id)
