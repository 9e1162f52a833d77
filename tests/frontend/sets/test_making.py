"""The pages of those who make sets: forms that keep what was typed, two editors, items, publishing, extensions."""

import re
from typing import Any

import pytest

from exercises import clock
from exercises.courses.local_time import local_text
from exercises.models import Course, Group, Problem, ProblemSet, ProblemVersion
from tests.exercises.courses.world import NOW, person
from tests.frontend.sets.world import QUIZ, People, item_form, where
from tests.frontend.world import words

pytestmark = pytest.mark.usefixtures("servers", "problems")


def text_of(answer: Any) -> str:
    return words(answer.content.decode())


def page(people: People, address: str) -> str:
    with clock.at(NOW):
        answer = people["alice"].get(address)
    assert answer.status_code == 200
    return text_of(answer)


def test_a_set_is_made_with_times_of_the_courses_clocks(course: Course, people: People) -> None:
    answer = people["alice"].post(f"/sets/new/{course.public_id}/", QUIZ)
    made = ProblemSet.objects.get(title="Losses")
    assert answer["Location"] == f"/sets/{made.public_id}/items/"
    assert made.due_at is not None
    assert made.due_at.isoformat() == "2026-12-01T11:00:00+00:00"
    assert (made.late, made.credits, made.pass_mark) == (["1", "4/5"], ["1", "1/2"], "7/10")
    again = page(people, f"/sets/{made.public_id}/edit/")
    assert "All times are by the clocks of Europe/Berlin" in again


def test_shares_that_cannot_be_read_any_more_keep_nobody_from_writing_others(course: Course, people: People) -> None:
    people["alice"].post(f"/sets/new/{course.public_id}/", QUIZ)
    ProblemSet.objects.update(late=["most"], credits=["1", "2/0"], pass_mark="half")
    made = ProblemSet.objects.get()
    assert "Losses" in page(people, f"/sets/{made.public_id}/edit/")


def test_a_mode_has_only_the_fields_that_mean_something_in_it(course: Course, people: People) -> None:
    names = {}
    for mode in ("practice", "quiz", "exam"):
        body = people["alice"].get(f"/sets/new/{course.public_id}/?mode={mode}").content.decode()
        names[mode] = set(re.findall(r'name="(\w+)"', body))
    assert names["quiz"] - names["exam"] == {"credits", "retry", "hints"}
    assert names["exam"] - names["practice"] == {"time_limit", "late", "feedback"}
    assert not names["practice"] - names["exam"]


def test_what_was_typed_stays_while_the_mode_is_changed(course: Course, people: People) -> None:
    said = {**QUIZ, "do": "mode", "mode": "exam", "title": "Half written", "due_at": "2026-12-01T12:00"}
    answer = people["alice"].post(f"/sets/new/{course.public_id}/", said)
    body = answer.content.decode()
    assert answer.status_code == 200
    assert 'value="Half written"' in body
    assert 'value="2026-12-01T12:00"' in body
    assert 'name="credits"' not in body
    assert not ProblemSet.objects.exists()


@pytest.mark.parametrize(
    ("field", "typed", "told"),
    [
        ("due_at", "2027-03-28T02:30", "never show 02:30. Write 01:30 or 03:30"),
        ("due_at", "2026-10-25T02:30", "02:30 twice"),
        ("due_at", "soon", "Write the day and the time of day"),
        ("due_at", "2026-11-28T12:00", "due before it opens"),
        ("closes_at", "2026-11-30T12:00", "closes before it is due"),
        ("credits", "1/2, 1", "No try may be worth more"),
        ("credits", "1, half", "'half'"),
        ("late", "70", "Did you mean 70 %"),
        ("time_limit", "0", "between 1 and"),
        ("time_limit", "an hour", "whole number"),
        ("pass_mark", "0", "lies above 0"),
        ("feedback", "never", "Select a valid choice"),
        ("title", " ", "required"),
    ],
)
def test_what_is_wrong_stands_beside_the_field_and_what_was_typed_stays(
    course: Course, people: People, field: str, typed: str, told: str
) -> None:
    answer = people["alice"].post(f"/sets/new/{course.public_id}/", {**QUIZ, field: typed})
    assert answer.status_code == 422
    body = answer.content.decode()
    assert told in words(body)
    assert f'aria-describedby="id_{field}' in body
    if field not in ("feedback", "title"):
        assert f'value="{typed}"' in body
    assert not ProblemSet.objects.exists()


def test_the_slower_of_two_editors_sees_both_and_may_then_keep_theirs(quiz: ProblemSet, people: People) -> None:
    address = f"/sets/{quiz.public_id}/edit/"
    hers = {**QUIZ, "title": "Hers", "revision": str(quiz.revision)}
    his = {**QUIZ, "title": "His", "credits": "1, 1/3", "revision": str(quiz.revision)}
    assert people["alice"].post(address, hers).status_code == 302
    answer = people["alice"].post(address, his)
    body = answer.content.decode()
    assert answer.status_code == 409
    assert "Somebody else changed this" in body
    assert 'value="His"' in body
    assert "Stands there now: Hers" in words(body)
    assert "Stands there now: 100 %, 50 %" in words(body)
    assert words(body).count("Stands there now") == 2
    quiz.refresh_from_db()
    assert quiz.title == "Hers"
    revision = re.search(r'name="revision" value="(\d+)"', body)
    assert revision
    assert people["alice"].post(address, {**his, "revision": revision[1]}).status_code == 302
    quiz.refresh_from_db()
    assert (quiz.title, quiz.credits) == ("His", ["1", "1/3"])


def test_a_form_that_is_sent_back_unchanged_changes_no_moment(quiz: ProblemSet, course: Course, people: People) -> None:
    """Also where the clocks showed that time twice, and with seconds that no form shows."""
    for moment in ("2026-10-25T00:30:00+00:00", "2026-10-25T01:30:00+00:00", "2026-11-29T11:00:17+00:00"):
        ProblemSet.objects.filter(pk=quiz.pk).update(opens_at=moment)
        quiz.refresh_from_db()
        said = {**QUIZ, "opens_at": local_text(quiz.opens_at, course.time_zone), "revision": str(quiz.revision)}
        assert people["alice"].post(f"/sets/{quiz.public_id}/edit/", said).status_code == 302
        quiz.refresh_from_db()
        assert quiz.opens_at is not None
        assert quiz.opens_at.isoformat() == moment


def test_a_set_can_be_for_some_groups_only(quiz: ProblemSet, course: Course, people: People) -> None:
    group = Group.objects.create(course=course, name="Tuesday")
    address = f"/sets/{quiz.public_id}/edit/"
    assert people["alice"].post(address, {**QUIZ, "revision": "0", "groups": [str(group.pk)]}).status_code == 302
    assert people["bob"].get(f"/sets/{quiz.public_id}/").status_code == 404
    assert "For Tuesday only" in page(people, f"/sets/{quiz.public_id}/")
    again = people["alice"].get(address).content.decode()
    assert re.search(rf'value="{group.pk}"[^>]*checked', again)


def test_problems_are_found_put_in_moved_and_taken_out(
    draft: ProblemSet, people: People, problems: list[Problem]
) -> None:
    address = f"/sets/{draft.public_id}/items/"
    found = people["alice"].get(f"{address}?words=counting&skill=masking-rate").content.decode()
    assert re.findall(r'name="problem" value="([\w-]+)"', found) == ["mask-counts"]
    assert "No problem has these words" in people["alice"].get(f"{address}?words=zebra").content.decode()
    people["alice"].post(address, {"do": "add", "problem": ["neg-log", "mask-counts", "unknown"]})
    slugs = [item.problem.slug for item in draft.items.order_by("position")]
    assert slugs == ["masked-token-loss", "neg-log", "mask-counts"]
    last = draft.items.order_by("position").last()
    assert last is not None
    people["alice"].post(address, {"do": "up", "item": str(last.pk)})
    people["alice"].post(address, {"do": "out", "item": str(draft.items.get(problem=problems[0]).pk)})
    listed = people["alice"].get(address).content.decode()
    assert listed.index("item-") < listed.index("Taken out: 1")
    order = draft.items.filter(retired=False).order_by("position")
    assert [item.problem.slug for item in order] == ["mask-counts", "neg-log"]
    empty = people["alice"].post(address, {"do": "add"}, follow=True)
    assert "Choose at least one problem" in text_of(empty)


def test_an_item_is_adapted_within_what_its_problem_allows(draft: ProblemSet, people: People) -> None:
    item = draft.items.get()
    address = f"/sets/{draft.public_id}/items/{item.pk}/"
    shown = page(people, address)
    assert "z: −2 to 4 in steps of 0.1" in shown
    said = item_form(item, **{"z-low": "-9", "weight": "0,7", "digits": "4"})
    answer = people["alice"].post(address, said)
    assert answer.status_code == 422
    assert "from -2 to 4, in steps of 0.1" in text_of(answer)
    assert 'value="0,7"' in answer.content.decode()
    assert people["alice"].post(address, {**said, "z-low": "0"}).status_code == 302
    item.refresh_from_db()
    assert item.adaptation == {"parameters": {"z": {"range": [0, 4]}}, "digits": 4}
    assert "being checked" in page(people, f"/sets/{draft.public_id}/items/")
    answer = people["alice"].post(f"/sets/{draft.public_id}/do/", {"do": "publish"}, follow=True)
    assert "still being checked over 1,000 seeds" in text_of(answer)
    draft.refresh_from_db()
    assert draft.published_at is None
    ProblemVersion.objects.filter(pk=item.version_id).update(report={"passed": True, "failures": []})
    answer = people["alice"].post(f"/sets/{draft.public_id}/do/", {"do": "publish"}, follow=True)
    assert "learners see it now" in text_of(answer)
    # From now on nothing is kept before it has passed; what was typed stays.
    found = re.search(r'name="seen" value="(\w+)"', people["alice"].get(address).content.decode())
    assert found
    seen = {**said, "seen": found[1]}
    answer = people["alice"].post(address, {**seen, "z-low": "1", "weight": "0,8"})
    assert answer.status_code == 422
    assert "being checked over 1,000 seeds first" in text_of(answer)
    assert 'value="0,8"' in answer.content.decode()
    before = item.version_id
    item.refresh_from_db()
    assert (item.version_id, item.adaptation["parameters"]) == (before, {"z": {"range": [0, 4]}})
    ProblemVersion.objects.filter(report__isnull=True, adapted_from__isnull=False).update(report={"passed": True})
    assert people["alice"].post(address, {**seen, "z-low": "1"}).status_code == 302
    item.refresh_from_db()
    assert item.adaptation["parameters"] == {"z": {"range": [1, 4]}}


def test_the_steps_of_an_item_are_chosen(draft: ProblemSet, people: People) -> None:
    item = draft.items.get()
    address = f"/sets/{draft.public_id}/items/{item.pk}/"
    assert people["alice"].post(address, item_form(item, **{"asked-kind": "final"})).status_code == 302
    item.refresh_from_db()
    assert item.asked == ["loss"]
    body = people["alice"].get(address).content.decode()
    assert re.search(r'value="final" checked', body)
    answer = people["alice"].post(address, item_form(item, **{"asked-kind": "list", "asked": ["powers"]}))
    assert "Ask at least one step that counts" in text_of(answer)
    said = item_form(item, **{"asked-kind": "list", "asked": ["loss", "p"]})
    assert people["alice"].post(address, said).status_code == 302
    item.refresh_from_db()
    assert item.asked == ["p", "loss"]


def test_the_slower_editor_of_an_item_sees_both(draft: ProblemSet, people: People) -> None:
    item = draft.items.get()
    address = f"/sets/{draft.public_id}/items/{item.pk}/"
    hers, his = item_form(item, weight="3"), item_form(item, weight="5")
    assert people["alice"].post(address, hers).status_code == 302
    answer = people["alice"].post(address, his)
    body = answer.content.decode()
    assert answer.status_code == 409
    assert "What Stands there now You typed Weight 3 5" in words(body)
    assert 'value="5"' in body
    seen = re.search(r'name="seen" value="(\w+)"', body)
    assert seen
    assert people["alice"].post(address, {**his, "seen": seen[1]}).status_code == 302


def test_two_editors_of_an_item_see_what_differs_in_the_words_of_the_form(draft: ProblemSet, people: People) -> None:
    item = draft.items.get()
    pool = draft.pools.create(name="Easy")
    address = f"/sets/{draft.public_id}/items/{item.pk}/"
    hers = item_form(item, pool=str(pool.pk), **{"asked-kind": "final", "z-low": "-1", "z-high": "3", "digits": "4"})
    his = item_form(item, variants="2", **{"asked-kind": "list", "asked": ["p", "loss"]})
    assert people["alice"].post(address, hers).status_code == 302
    told = people["alice"].post(address, his).content.decode()
    table = words(told[told.index("You typed") : told.index("</table>")])
    assert "Variants for each learner 1 2" in table
    assert "Pool Easy none" in table
    assert "Version version 1, for good the current one" in table
    assert "Steps that are asked the final ones only Probability of" in table
    assert "What z is drawn from −1 to 3 as the problem says" in table
    assert "Digits of the answers 4 as the problem says" in table
    assert not re.search(r"Weight|asked_kind|adaptation|None|range|\{", table), (
        "only what differs, and no names of ours"
    )


def test_pools_are_made_changed_and_taken_away(quiz: ProblemSet, people: People) -> None:
    new = f"/sets/{quiz.public_id}/pools/new/"
    answer = people["alice"].post(new, {"name": "Easy", "choose": "0", "weight": "x"})
    assert answer.status_code == 422
    assert "Write a weight such as" in text_of(answer)
    assert people["alice"].post(new, {"name": "Easy", "choose": "1", "weight": "2"}).status_code == 302
    pool = quiz.pools.get()
    for item in quiz.items.select_related("pool"):
        said = item_form(item, pool=str(pool.pk))
        assert people["alice"].post(f"/sets/{quiz.public_id}/items/{item.pk}/", said).status_code == 302
    assert "1 place for each learner" in page(people, f"/sets/{quiz.public_id}/items/")
    assert people["alice"].post(f"/sets/{quiz.public_id}/pools/{pool.pk}/", {"do": "drop"}).status_code == 302
    assert not quiz.pools.exists()
    assert not quiz.items.exclude(pool=None).exists()


def test_reasons_against_publishing_are_listed_and_nothing_is_published(
    course: Course, people: People, draft: ProblemSet
) -> None:
    draft.items.update(weight=0)
    answer = people["alice"].post(f"/sets/{draft.public_id}/do/", {"do": "publish"}, follow=True)
    assert "Before it can be published Everything weighs 0" in text_of(answer)
    draft.refresh_from_db()
    assert draft.published_at is None


def test_an_extension_is_given_seen_by_both_and_withdrawn(quiz: ProblemSet, course: Course, people: People) -> None:
    address = where("set-extension", quiz, course)
    with clock.at(NOW):
        answer = people["dave"].post(address, {"closes_at": "2026-12-24T18:00", "attempts": "1", "seen": ""})
        assert answer.status_code == 422
        assert 'value="2026-12-24T18:00"' in answer.content.decode()
        said = {"closes_at": "2026-12-24T18:00", "attempts": "1", "reason": "unwell", "seen": ""}
        assert people["dave"].post(address, said).status_code == 302
        assert people["alice"].post(address, said).status_code == 409
        listed = text_of(people["alice"].get(f"/sets/{quiz.public_id}/extensions/"))
        assert "bob" in listed
        assert "Thu 24 December 2026, 18:00 CET" in listed
        bob = course.enrolments.get(user__username="bob")
        staff = people["alice"].get(f"/sets/{quiz.public_id}/rules/?learner={bob.pk}").content.decode()
        own = people["bob"].get(f"/sets/{quiz.public_id}/").content.decode()
        rules = re.findall(r"<ul class=\"rule-list\">(.*?)</ul>", staff, re.DOTALL)
        assert rules == re.findall(r"<ul class=\"rule-list\">(.*?)</ul>", own, re.DOTALL)
        assert "18:00 CET" in rules[0]
        assert "unwell" not in own
    row = quiz.extensions.get()
    people["alice"].post(f"/sets/{quiz.public_id}/extensions/", {"extension": str(row.pk)})
    people["alice"].post(f"/sets/{quiz.public_id}/extensions/", {"extension": str(row.pk)})
    assert not quiz.extensions.exists()


def test_many_extensions_are_on_several_pages_those_of_groups_first(
    quiz: ProblemSet, course: Course, people: People
) -> None:
    for place in range(60):
        quiz.extensions.create(learner=person(course, f"learner-{place:02}").user, attempts=1)
    group = Group.objects.create(course=course, name="Tuesday <3")
    quiz.extensions.create(group=group, attempts=1)
    address = where("set-extensions", quiz, course)
    first, second = (people["alice"].get(f"{address}?page={number}").content.decode() for number in (1, 2))
    assert "1 to 50 of 61" in first
    assert first.index("Group Tuesday &lt;3") < first.index('<th scope="row">learner-00')
    assert '<th scope="row">learner-59' not in first
    assert '<th scope="row">learner-59' in second
    # Whom to give one is chosen from all, on every page.
    assert "learner-59</option>" in first


def test_who_is_chosen_from_is_written_as_text(quiz: ProblemSet, course: Course, people: People) -> None:
    member = person(course, "mallory")
    member.name = "</option><b>M & Co"
    member.save()
    body = people["alice"].get(f"{where('set-rules', quiz, course)}?learner={member.pk}").content.decode()
    assert f'<option value="{member.pk}" selected>&lt;/option&gt;&lt;b&gt;M &amp; Co</option>' in body


def test_sets_are_moved_copied_and_taken_away(quiz: ProblemSet, draft: ProblemSet, people: People) -> None:
    answer = people["alice"].post(f"/sets/{draft.public_id}/do/", {"do": "up"})
    assert answer["Location"] == f"/courses/{quiz.course.public_id}/"
    form = {"course": str(quiz.course.public_id), "title": "Again"}
    answer = people["alice"].post(f"/sets/{quiz.public_id}/copy/", form)
    made = ProblemSet.objects.get(title="Again")
    assert answer["Location"] == f"/sets/{made.public_id}/edit/"
    assert made.copied_from == quiz
    people["alice"].post(f"/sets/{made.public_id}/do/", {"do": "retire"})
    assert people["alice"].get(f"/sets/{made.public_id}/").status_code == 404


def test_who_has_begun_is_said_where_items_are_changed(quiz: ProblemSet, people: People) -> None:
    with clock.at(NOW):
        people["bob"].post(f"/attempts/begin/{quiz.public_id}/")
        people["alice"].post(f"/sets/{quiz.public_id}/preview/")
    for address in ("", "items/"):
        said = page(people, f"/sets/{quiz.public_id}/{address}")
        assert "1 learner has begun." in said
        assert "Who has begun bob" in said


def test_instructions_are_typeset_and_harmless(quiz: ProblemSet, people: People) -> None:
    with clock.at(NOW):
        body = people["bob"].get(f"/sets/{quiz.public_id}/").content.decode()
    assert 'data-tex="\\ln"' in body
    assert "<script>alert" not in body


def test_signs_that_no_database_can_keep_are_answered(draft: ProblemSet, people: People) -> None:
    at = f"/sets/{draft.public_id}"
    alice = people["alice"]
    assert alice.post(f"{at}/items/", {"do": "add", "problem": "a\x00b"}).status_code == 302
    assert alice.get(f"{at}/items/?words=a%00b&skill=%00").status_code == 200
    course = str(draft.course.public_id)
    assert alice.post(f"{at}/copy/", {"course": course, "title": "a\x00b"}).status_code == 302
    assert ProblemSet.objects.filter(title="a b").exists()
    assert alice.post(f"{at}/edit/", {**QUIZ, "revision": "0", "title": "a\x00b"}).status_code == 422
    assert alice.post(f"{at}/pools/new/", {"name": "a\x00b", "choose": "1", "weight": "1"}).status_code == 422
    item = draft.items.get()
    said = item_form(item, **{"z-low": "\x00", "asked-kind": "list", "asked": ["\x00"], "version": "\x00"})
    assert alice.post(f"{at}/items/{item.pk}/", said).status_code == 422


def test_a_mode_that_was_chosen_but_not_taken_brings_its_defaults(course: Course, people: People) -> None:
    shown = {"do": "keep", "shown-mode": "practice", "title": "At once", "instructions": "", "opens_at": ""}
    for mode in ("quiz", "exam"):
        said = {**shown, "mode": mode, "title": mode, "due_at": "2026-12-01T12:00", "closes_at": "", "pass_mark": ""}
        assert people["alice"].post(f"/sets/new/{course.public_id}/", said).status_code == 302
    quiz, exam = (ProblemSet.objects.get(title=mode) for mode in ("quiz", "exam"))
    assert (quiz.mode, quiz.credits, quiz.feedback, quiz.retry) == ("quiz", ["1"], "at-once", "same")
    assert (exam.mode, exam.feedback) == ("exam", "released")


def test_fields_that_both_modes_have_keep_what_was_typed_and_its_faults(course: Course, people: People) -> None:
    said = {**QUIZ, "shown-mode": "quiz", "mode": "exam", "time_limit": "an hour"}
    answer = people["alice"].post(f"/sets/new/{course.public_id}/", said)
    assert answer.status_code == 422
    assert "Write the minutes as a whole number" in text_of(answer)
    # How an exam gives feedback is not how the quiz did.
    assert people["alice"].post(f"/sets/new/{course.public_id}/", {**said, "time_limit": "60"}).status_code == 302
    assert ProblemSet.objects.get().feedback == "released"


def test_with_scripts_the_fields_follow_the_mode(course: Course, people: People) -> None:
    body = people["alice"].get(f"/sets/new/{course.public_id}/").content.decode()
    box = re.search(r'<select[^>]*id="set-mode"[^>]*>', body)
    assert box
    for said in ('hx-trigger="change"', 'hx-target="#set-form"', f'hx-post="/sets/new/{course.public_id}/"'):
        assert said in box[0]
