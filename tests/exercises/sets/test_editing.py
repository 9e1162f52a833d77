"""Making, editing, retiring, ordering and copying sets; who did it is written down."""

import datetime as dt
from fractions import Fraction
from typing import Any

import pytest

from exercises import clock
from exercises.actions.figures import shown_batch, sweep_figures, work, work_on_figures
from exercises.actions.sets import copying, editing, extensions, items, publishing
from exercises.actions.sets.refusals import SetChanged, SetRefused
from exercises.models import AuditEntry, Course, Enrolment, Evidence, Figures, Group, Problem, ProblemSet, Role, User
from exercises.set_rows import details_of
from tests.exercises.courses.sat import ALL, begun, handed_in, marked
from tests.exercises.courses.world import NOW, problem_set
from tests.exercises.sets.world import DAY, began, details, made

pytestmark = pytest.mark.usefixtures("servers")


def deeds(course: Course) -> list[str]:
    return list(AuditEntry.objects.filter(course=course).order_by("pk").values_list("deed", flat=True))


def test_a_set_is_kept_as_it_was_written(course: Course, alice: User) -> None:
    group = Group.objects.create(course=course, name="Monday")
    said = details(late=(Fraction(1), Fraction(4, 5)), pass_mark=Fraction(7, 10), hints=True, retry="new")
    kept = editing.create_set(actor=alice, course=course, details=said, groups=[group.pk])
    kept.refresh_from_db()
    assert details_of(kept) == said
    assert (kept.credits, kept.late, kept.pass_mark) == (["1", "1/2"], ["1", "4/5"], "7/10")
    assert (kept.published_at, list(kept.groups.all())) == (None, [group])
    entry = AuditEntry.objects.get(course=course)
    assert (entry.deed, entry.actor, entry.about) == ("make-set", alice, "Losses")
    assert entry.after["due_at"] == "Tue 2 December 2025, 12:00 CET"


def test_what_is_wrong_is_told_by_field_and_nothing_is_kept(course: Course, alice: User, elsewhere: Course) -> None:
    with pytest.raises(SetRefused) as refused:
        made(alice, course, title="", due_at=NOW - 2 * DAY, credits=(Fraction(1, 2), Fraction(1)))
    assert set(refused.value.faults) == {"title", "due_at", "credits"}
    foreign = Group.objects.create(course=elsewhere, name="Theirs")
    with pytest.raises(SetRefused) as refused:
        editing.create_set(actor=alice, course=course, details=details(), groups=[foreign.pk])
    assert set(refused.value.faults) == {"groups"}
    assert not ProblemSet.objects.exists()
    assert not AuditEntry.objects.exists()


def test_the_second_of_two_editors_writes_over_nothing(quiz: ProblemSet, alice: User, course: Course) -> None:
    seen = quiz.revision
    editing.edit_set(actor=alice, problem_set=quiz, revision=seen, details=details(title="Hers"))
    with pytest.raises(SetChanged):
        editing.edit_set(actor=alice, problem_set=quiz, revision=seen, details=details(title="His"))
    quiz.refresh_from_db()
    assert quiz.title == "Hers"
    entry = AuditEntry.objects.filter(course=course, deed="edit-set").get()
    assert (entry.before, entry.after) == ({"title": "Losses"}, {"title": "Hers"})
    # Putting items in and moving them is no change of what the form shows.
    assert quiz.revision == seen + 1


def test_other_times_hold_at_once_for_those_who_have_begun(quiz: ProblemSet, alice: User, bob: User) -> None:
    attempt = began(quiz, bob, NOW)
    editing.edit_set(actor=alice, problem_set=quiz, revision=0, details=details(time_limit=90))
    attempt.refresh_from_db()
    assert attempt.ends_at == NOW + dt.timedelta(minutes=90)
    editing.edit_set(
        actor=alice, problem_set=quiz, revision=1, details=details(time_limit=None, closes_at=NOW + 3 * DAY)
    )
    attempt.refresh_from_db()
    assert attempt.ends_at == NOW + 3 * DAY


def test_the_mode_stays_once_a_learner_has_begun(quiz: ProblemSet, alice: User, bob: User) -> None:
    began(quiz, alice, is_preview=True)
    editing.edit_set(actor=alice, problem_set=quiz, revision=0, details=details(mode="exam"))
    quiz.refresh_from_db()
    assert (quiz.mode, quiz.credits, quiz.feedback) == ("exam", [], "released")
    began(quiz, bob)
    with pytest.raises(SetRefused) as refused:
        editing.edit_set(actor=alice, problem_set=quiz, revision=1, details=details())
    assert set(refused.value.faults) == {"mode"}


def test_what_is_taken_away_or_archived_is_not_changed(quiz: ProblemSet, alice: User, course: Course) -> None:
    course.archived_at = NOW
    course.save()
    for deed in (
        lambda: editing.edit_set(actor=alice, problem_set=quiz, revision=0, details=details()),
        lambda: editing.retire_set(actor=alice, problem_set=quiz),
        lambda: editing.move_set(actor=alice, problem_set=quiz, by=1),
        lambda: made(alice, course),
        lambda: copying.copy_set(actor=alice, problem_set=quiz, into=course),
    ):
        with pytest.raises(SetRefused, match="archived"):
            deed()
    course.archived_at = None
    course.save()
    editing.retire_set(actor=alice, problem_set=quiz)
    with pytest.raises(SetRefused, match="taken away"):
        editing.edit_set(actor=alice, problem_set=quiz, revision=0, details=details())
    assert deeds(course)[-1] == "retire-set"


def test_sets_are_put_in_order(course: Course, alice: User) -> None:
    first, second, third = (made(alice, course, title=title) for title in ("One", "Two", "Three"))
    editing.move_set(actor=alice, problem_set=third, by=-1)
    editing.move_set(actor=alice, problem_set=first, by=5)
    editing.move_set(actor=alice, problem_set=third, by=-1)
    titles = course.problem_sets.order_by("position").values_list("title", flat=True)
    assert list(titles) == ["Three", "Two", "One"]
    assert deeds(course)[-1] == "order-sets"
    assert second.position == 1


def test_a_copy_brings_rules_items_and_pools_and_no_work(
    quiz: ProblemSet, course: Course, alice: User, bob: User
) -> None:
    pool = quiz.pools.create(name="Easy", choose=1)
    quiz.items.update(pool=pool)
    ProblemSet.objects.filter(pk=quiz.pk).update(published_at=NOW, released_at=NOW, revision=7)
    quiz.refresh_from_db()
    began(quiz, bob)
    copied = copying.copy_set(actor=alice, problem_set=quiz, into=course).problem_set
    copied.refresh_from_db()
    assert copied.title == "Losses (copy)"
    assert details_of(copied) == details(title="Losses (copy)")
    assert (copied.published_at, copied.released_at, copied.revision, copied.copied_from) == (None, None, 0, quiz)
    assert not copied.attempts.exists()
    assert [item.problem.slug for item in copied.items.all()] == [item.problem.slug for item in quiz.items.all()]
    assert {item.pool.name for item in copied.items.all() if item.pool} == {"Easy"}
    assert {item.pool_id for item in copied.items.all()}.isdisjoint({pool.pk})


def test_into_another_course_only_what_may_be_used_there_and_no_times(
    quiz: ProblemSet, course: Course, alice: User, problems: list[Problem]
) -> None:
    other = Course.objects.create(title="Next term", time_zone="Asia/Kathmandu")
    Enrolment.objects.create(course=other, user=alice, role=Role.INSTRUCTOR)
    dave = User.objects.create_user("dave", is_instructor=True)
    Problem.objects.filter(pk=problems[1].pk).update(owner=dave, built_in=False)
    copied = copying.copy_set(actor=alice, problem_set=quiz, into=other)
    assert copied.left_behind == [problems[1].title]
    assert [item.problem for item in copied.problem_set.items.all()] == [problems[0]]
    assert (copied.problem_set.opens_at, copied.problem_set.due_at, copied.problem_set.closes_at) == (None, None, None)
    assert (copied.problem_set.title, copied.problem_set.late) == ("Losses", [])
    assert deeds(other) == ["copy-set"]


def test_an_extension_holds_at_once_and_so_does_its_withdrawal(
    quiz: ProblemSet, course: Course, alice: User, bob: User
) -> None:
    attempt = began(quiz, bob, NOW)
    given = extensions.give_extension(
        actor=alice, problem_set=quiz, learner=bob, given=extensions.Given(time_limit=120, reason="unwell")
    )
    attempt.refresh_from_db()
    assert attempt.ends_at == NOW + dt.timedelta(minutes=120)
    extensions.withdraw_extension(actor=alice, extension=given)
    attempt.refresh_from_db()
    assert attempt.ends_at == NOW + dt.timedelta(minutes=60)
    entries = AuditEntry.objects.filter(course=course, deed__contains="exten").order_by("pk")
    assert [(entry.deed, entry.learner, entry.reason) for entry in entries] == [
        ("extend", bob, "unwell"),
        ("withdraw-extension", bob, "unwell"),
    ]
    assert entries[0].after == {"time_limit": "120 minutes", "reason": "unwell"}
    extensions.withdraw_extension(actor=alice, extension=given)
    assert entries.count() == 2


def test_a_group_has_an_extension_for_all_its_members(quiz: ProblemSet, course: Course, alice: User, bob: User) -> None:
    group = Group.objects.create(course=course, name="Monday")
    group.members.add(Enrolment.objects.get(user=bob))
    attempt = began(quiz, bob, NOW)
    later = NOW + 5 * DAY
    given = extensions.Given(due_at=later, time_limit=24 * 60 * 6, reason="strike")
    extensions.give_extension(actor=alice, problem_set=quiz, group=group, given=given)
    attempt.refresh_from_db()
    # Where only due is moved past the end, the end moves along.
    assert attempt.ends_at == later


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({}, "whom"),
        ({"attempts": 1, "reason": " "}, "reason"),
        ({"attempts": 11}, "attempts"),
        ({"time_limit": 0}, "time_limit"),
        ({"due_at": NOW - 3 * DAY}, "due_at"),
        ({"closes_at": NOW}, "closes_at"),
        ({"opens_at": NOW + 3 * DAY}, "due_at"),
    ],
)
def test_an_extension_that_does_not_fit_is_refused_at_its_field(
    quiz: ProblemSet, alice: User, bob: User, given: dict[str, object], field: str
) -> None:
    with pytest.raises(SetRefused) as refused:
        extensions.give_extension(
            actor=alice,
            problem_set=quiz,
            learner=bob,
            given=extensions.Given(**{"reason": "ill", **given}),  # type: ignore[arg-type]
        )
    assert field in refused.value.faults
    assert not quiz.extensions.exists()


def test_practice_has_nothing_to_extend_but_times(course: Course, alice: User, bob: User) -> None:
    practice = made(alice, course, mode="practice")
    for given in ({"attempts": 1}, {"time_limit": 10}):
        with pytest.raises(SetRefused):
            extensions.give_extension(
                actor=alice, problem_set=practice, learner=bob, given=extensions.Given(reason="ill", **given)
            )


def test_two_who_give_the_same_learner_an_extension_see_each_other(quiz: ProblemSet, alice: User, bob: User) -> None:
    extensions.give_extension(
        actor=alice, problem_set=quiz, learner=bob, given=extensions.Given(attempts=1, reason="ill")
    )
    with pytest.raises(SetChanged):
        extensions.give_extension(
            actor=alice, problem_set=quiz, learner=bob, given=extensions.Given(attempts=2, reason="ill")
        )
    assert quiz.extensions.get().attempts == 1


def test_only_groups_of_the_course_have_extensions(quiz: ProblemSet, alice: User, bob: User, elsewhere: Course) -> None:
    foreign = Group.objects.create(course=elsewhere, name="Theirs")
    given = extensions.Given(attempts=1, reason="ill")
    with pytest.raises(SetRefused):
        extensions.give_extension(actor=alice, problem_set=quiz, group=foreign, given=given)
    with pytest.raises(SetRefused):
        extensions.give_extension(actor=alice, problem_set=quiz, given=given)
    with pytest.raises(SetRefused):
        extensions.give_extension(actor=alice, problem_set=quiz, learner=bob, group=foreign, given=given)


def test_items_go_in_and_the_clock_is_that_of_the_deed(course: Course, alice: User, problems: list[Problem]) -> None:
    kept = made(alice, course)
    with clock.at(NOW):
        items.add_items(actor=alice, problem_set=kept, problems=problems)
    assert AuditEntry.objects.get(deed="add-items").at == NOW
    assert [item.position for item in kept.items.all()] == [0, 1, 2]


def test_what_is_shown_earlier_after_all_counts_for_skills(
    course: Course, alice: User, problems: list[Problem], monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:  # fmt: skip
    told: list[ProblemSet] = []
    monkeypatch.setattr(publishing, "keep_released", lambda *, problem_set: told.append(problem_set))
    exam = made(alice, course, mode="exam", feedback="released")
    for revision, feedback in enumerate(("released", "handed-in")):
        with django_capture_on_commit_callbacks(execute=True):
            said = details(mode="exam", feedback=feedback)
            editing.edit_set(actor=alice, problem_set=exam, revision=revision, details=said)
    assert told == [exam]


def test_a_release_is_told_to_a_worker_where_many_have_sat_it(
    course: Course, alice: User, bob: User, published: list[str], monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:  # fmt: skip
    told: list[ProblemSet] = []
    monkeypatch.setattr(publishing, "keep_released", lambda *, problem_set: told.append(problem_set))
    exam = made(alice, course, mode="exam", feedback="released")
    for number in range(publishing.MOST_AT_ONCE + 1):
        began(exam, bob, number=number + 1)
    with django_capture_on_commit_callbacks(execute=True):
        assert publishing.release_results(actor=alice, problem_set=exam).released_at
    assert (told, published) == ([], [work.TASK])
    row = Figures.objects.get(problem_set=exam, kind="shown")
    # The message is lost: the sweep finds it. A slice tells the next worker to go on, and the last one nobody.
    assert sweep_figures() == 1
    reached = iter([7, None])
    asked: list[int] = []
    monkeypatch.setattr(shown_batch, "keep_some_released", lambda **said: asked.append(said["after"]) or next(reached))
    assert work_on_figures(row.pk, seconds=-1)
    assert not work_on_figures(row.pk)
    assert (asked, published) == ([0, 7], [work.TASK] * 3)
    row.refresh_from_db()
    assert (row.wanted_at, row.computed_at is None, sweep_figures()) == (None, False, 0)
    assert told == []
    # Pressed again it is done again, from the start, and noted once.
    publishing.release_results(actor=alice, problem_set=exam)
    row.refresh_from_db()
    assert (row.wanted_at is None, row.work) == (False, None)
    assert deeds(course).count("release-results") == 1
    assert publishing.withhold_results(actor=alice, problem_set=exam).released_at is None
    assert deeds(course)[-1] == "withhold-results"
    with pytest.raises(SetRefused, match="not waited for"):
        publishing.release_results(actor=alice, problem_set=made(alice, course))


def test_a_release_that_was_cut_off_is_made_good_by_the_sweep(
    course: Course, alice: User, bob: User, problem: Problem, monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:  # fmt: skip
    exam = problem_set(course, "exam", problem)
    sat = handed_in(marked(begun(exam, bob), ALL))
    with django_capture_on_commit_callbacks(execute=False):
        publishing.release_results(actor=alice, problem_set=exam)
    # The process was killed right after the commit.
    assert not Evidence.objects.filter(variant__attempt_item__attempt=sat).exists()
    row = Figures.objects.get(problem_set=exam, kind="shown")
    assert sweep_figures() == 1
    assert not work_on_figures(row.pk)
    assert Evidence.objects.filter(variant__attempt_item__attempt=sat).exists()
    # Of a small class it is done at once.
    Evidence.objects.all().delete()
    with django_capture_on_commit_callbacks(execute=True):
        publishing.release_results(actor=alice, problem_set=exam)
    assert Evidence.objects.filter(variant__attempt_item__attempt=sat).exists()
    assert sweep_figures() == 0
