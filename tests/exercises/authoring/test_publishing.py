"""The gate: exactly the text that passes a thousand seeds goes out, and those who have begun keep what they have."""

import datetime as dt

import pytest
from billiard.exceptions import SoftTimeLimitExceeded

from exercises import clock, tasks
from exercises.actions.authoring import (
    AuthoringRefused,
    NotPublished,
    StaleDraft,
    ask_check,
    check_draft,
    publish_draft,
    quick_check,
    save_draft,
)
from exercises.actions.authoring import checks as checking
from exercises.actions.draw import fresh_variant
from exercises.models import Problem, ProblemDraft, ProblemVersion, User
from exercises.queries.authoring import editor_of
from exercises.refusals import TooMuchAtOnce
from grader.problem import load
from grader.sampling import draw
from grader.verdict import GRADER_VERSION
from tests.exercises.authoring.world import BROKEN, IDLE, RARELY, SMALL, current_of, published, written


def _publish(author: User, problem: Problem, summary: str = "Something else.") -> ProblemVersion:
    draft = ProblemDraft.objects.get(problem=problem)
    return publish_draft(author=author, problem=problem, summary=summary, revision=draft.revision).version


def _again(problem: Problem) -> Problem:
    return Problem.objects.select_related("current").get(pk=problem.pk)


def test_a_draft_that_passes_becomes_the_version_that_learners_meet(alice: User, bob: User) -> None:
    problem = written(alice)
    version = _publish(alice, problem, "")
    assert (version.number, version.source, version.author) == (1, SMALL, alice)
    assert version.report["passed"]
    assert version.report["seeds"] == 1000
    now = _again(problem)
    assert (now.current, now.title, now.summary, now.skills) == (version, "A seventh", "Divide by seven.", ["neg-log"])
    assert not ProblemDraft.objects.exists()
    assert fresh_variant(learner=bob, version=version).parameters["x"] >= 8


def test_one_seed_in_a_thousand_that_fails_keeps_it_in_and_is_named(alice: User) -> None:
    problem = written(alice, RARELY)
    with pytest.raises(NotPublished, match=r"It is not 77\.") as refused:
        _publish(alice, problem)
    assert draw(load(RARELY), refused.value.seed or 0)["x"] == 77
    assert not ProblemVersion.objects.exists()
    # What was found is kept with the draft, so that it can be looked at.
    assert ProblemDraft.objects.get().report["faults"][0]["seed"] == refused.value.seed


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (IDLE, "never active"),
        (BROKEN, "no problem yet"),
        (SMALL.replace("[neg-log]", "[neg-log, magic]"), "no skill magic"),
        (SMALL.replace("title: A seventh", f"title: {'x' * 201}"), "200 characters"),
        (SMALL.replace("[8, 90]", "[90, 8]"), "range of x is empty|no variant can be drawn|cannot be drawn"),
        (SMALL.replace("steps:", "digits: {working: 4, answer: 0}\nsteps:"), "no problem yet"),
    ],
)
def test_what_does_not_hold_together_stays_in(alice: User, source: str, says: str) -> None:
    problem = written(alice, source)
    with pytest.raises(NotPublished, match=says):
        _publish(alice, problem)
    assert _again(problem).current is None
    assert ProblemDraft.objects.get().source == source


def test_faults_of_the_text_come_with_their_lines(alice: User) -> None:
    problem = written(alice, SMALL.replace("[neg-log]", "[neg-log, magic]"))
    with pytest.raises(NotPublished) as refused:
        _publish(alice, problem)
    assert [(fault.line, fault.key) for fault in refused.value.source_faults] == [(4, "skills.1")]


def test_variants_in_flight_keep_their_version(alice: User, bob: User) -> None:
    problem = published(alice)
    variant = fresh_variant(learner=bob, version=current_of(problem))
    variant.save()
    save_draft(author=alice, problem=problem, source=SMALL.replace("[8, 90]", "[10, 90]"), revision=0)
    version = _publish(alice, problem)
    variant.refresh_from_db()
    assert variant.version.number == 1
    assert current_of(problem) == version
    assert (version.number, version.summary) == (2, "Something else.")


def test_a_later_version_says_what_is_different(alice: User) -> None:
    problem = published(alice)
    save_draft(author=alice, problem=problem, source=SMALL + "# more\n", revision=0)
    for summary in ("", "  ", "x" * 501):
        with pytest.raises(AuthoringRefused) as refused:
            _publish(alice, _again(problem), summary)
        assert list(refused.value.faults) == ["summary"]


def test_an_unchanged_text_makes_no_version(alice: User) -> None:
    problem = published(alice)
    with pytest.raises(AuthoringRefused, match="nothing to publish"):
        publish_draft(author=alice, problem=problem, summary="Again.", revision=0)
    first = current_of(problem)
    save_draft(author=alice, problem=problem, source=SMALL + "# more\n", revision=0)
    _publish(alice, problem)
    save_draft(author=alice, problem=problem, source=SMALL, revision=0)
    # The text of the first version again is that version again.
    assert _publish(alice, _again(problem), "Back.") == first
    assert problem.versions.count() == 2
    assert current_of(problem) == first


def test_a_second_click_publishes_nothing_twice(alice: User) -> None:
    problem = written(alice)
    first = publish_draft(author=alice, problem=problem, summary="", revision=2, source=SMALL)
    second = publish_draft(author=alice, problem=_again(problem), summary="", revision=2, source=SMALL)
    assert (first.version, first.is_new, second.is_new) == (second.version, True, False)


def test_a_stale_page_publishes_nothing(alice: User) -> None:
    problem = written(alice)
    with pytest.raises(StaleDraft):
        publish_draft(author=alice, problem=problem, summary="", revision=1)
    assert not ProblemVersion.objects.exists()


def test_only_its_author_publishes(alice: User, charlie: User) -> None:
    problem = written(alice)
    with pytest.raises(AuthoringRefused, match="Only its author"):
        publish_draft(author=charlie, problem=problem, summary="", revision=2)
    assert not ProblemVersion.objects.exists()


def test_a_text_that_was_changed_while_it_was_checked_does_not_go_out(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = written(alice)
    honest = checking.full_report

    def slowly(*args: object, **options: object) -> object:
        save_draft(author=alice, problem=problem, source=IDLE, revision=2)
        return honest(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(checking, "full_report", slowly)
    with pytest.raises(StaleDraft):
        publish_draft(author=alice, problem=problem, summary="", revision=2)
    assert not ProblemVersion.objects.exists()
    draft = ProblemDraft.objects.get()
    assert (draft.source, draft.report) == (IDLE, {})


def test_a_report_of_another_text_or_grader_opens_no_gate(alice: User) -> None:
    problem = written(alice, IDLE)
    good = {"state": "done", "passed": True, "seeds": 1000, "grader": GRADER_VERSION}
    digest = editor_of(problem).digest
    for report, checked in ((good, "0" * 64), (good | {"seeds": 50}, digest), (good | {"grader": "0"}, digest)):
        ProblemDraft.objects.update(report=report, checked_digest=checked)
        with pytest.raises(NotPublished, match="never active"):
            _publish(alice, problem)
    assert not ProblemVersion.objects.exists()


# In the background


def test_a_check_in_the_background_is_kept_with_the_text_it_was_of(
    alice: User, published: list[str], django_capture_on_commit_callbacks: object
) -> None:
    problem = written(alice)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        draft = ask_check(author=alice, problem=problem, revision=2)
    assert published == ["exercises.tasks.check_draft"]
    assert editor_of(problem).check == "waiting"
    assert check_draft(draft=draft.pk, digest=draft.checked_digest)
    assert editor_of(problem).check == "passed"
    # Delivered twice, it has nothing more to do.
    assert not check_draft(draft=draft.pk, digest=draft.checked_digest)
    save_draft(author=alice, problem=problem, source=IDLE, revision=2)
    assert editor_of(problem).check == "other-text"


def test_the_worker_keeps_what_it_found(alice: User, published: list[str]) -> None:
    problem = written(alice, IDLE)
    draft = ask_check(author=alice, problem=problem, revision=2)
    assert tasks.check_draft.name == checking.TASK
    assert tasks.check_draft(draft=draft.pk, digest=draft.checked_digest)
    assert editor_of(problem).check == "failed"


def test_a_check_that_a_worker_had_to_stop_has_failed(
    alice: User, published: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(*_args: object, **_options: object) -> None:
        raise SoftTimeLimitExceeded

    problem = written(alice)
    draft = ask_check(author=alice, problem=problem, revision=2)
    monkeypatch.setattr(checking, "full_report", endless)
    assert check_draft(draft=draft.pk, digest=draft.checked_digest)
    assert editor_of(problem).check == "failed"
    assert "not done in time" in editor_of(problem).report["faults"][0]["message"]


def test_a_check_that_was_lost_may_be_asked_for_again(alice: User, published: list[str]) -> None:
    problem = written(alice)
    with clock.at(dt.datetime(2026, 11, 30, 9, 0, tzinfo=dt.UTC)):
        ask_check(author=alice, problem=problem, revision=2)
        assert editor_of(problem).check == "waiting"
    with clock.at(dt.datetime(2026, 11, 30, 9, 3, tzinfo=dt.UTC)):
        assert editor_of(problem).check == "none"


def test_a_check_that_comes_too_late_says_nothing_of_the_newer_text(alice: User, published: list[str]) -> None:
    problem = written(alice)
    draft = ask_check(author=alice, problem=problem, revision=2)
    save_draft(author=alice, problem=problem, source=IDLE, revision=2)
    assert not check_draft(draft=draft.pk, digest=draft.checked_digest)
    assert editor_of(problem).check == "other-text"
    assert not check_draft(draft=draft.pk + 1, digest=draft.checked_digest)


def test_a_failed_check_shows_why(alice: User, published: list[str]) -> None:
    problem = written(alice, BROKEN)
    draft = ask_check(author=alice, problem=problem, revision=2)
    assert check_draft(draft=draft.pk, digest=draft.checked_digest)
    editor = editor_of(problem)
    assert editor.check == "failed"
    assert "line 11" in editor.report["faults"][0]["message"]


def test_only_one_check_runs_at_a_time(alice: User, published: list[str]) -> None:
    problem = written(alice)
    draft = ask_check(author=alice, problem=problem, revision=2)
    checking.cache.add(checking.TURN, "1", timeout=5)
    assert not check_draft(draft=draft.pk, digest=draft.checked_digest)
    assert published == ["exercises.tasks.check_draft"]
    checking.cache.delete(checking.TURN)
    assert check_draft(draft=draft.pk, digest=draft.checked_digest)


def test_a_quick_check_keeps_nothing(alice: User) -> None:
    assert quick_check(author=alice, source=SMALL)["seeds"] == 50
    assert quick_check(author=alice, source=IDLE)["faults"][0]["message"].startswith("s.eighth is never active")
    with pytest.raises(AuthoringRefused) as refused:
        quick_check(author=alice, source=BROKEN)
    assert refused.value.source_faults[0].line == 11


def test_nobody_keeps_the_workers_busy_with_checks(alice: User) -> None:
    for _ in range(checking.MOST_CHECKS):
        checking.count_check(alice)
    with pytest.raises(TooMuchAtOnce):
        quick_check(author=alice, source=SMALL)


def test_what_takes_too_long_for_a_page_is_checked_in_the_background(
    alice: User, monkeypatch: pytest.MonkeyPatch, published: list[str]
) -> None:
    problem = written(alice)
    monkeypatch.setattr(checking, "PAGE_LONGEST", 0.0)
    for _ in range(2):
        with pytest.raises(NotPublished, match="in the background"):
            publish_draft(author=alice, problem=_again(problem), summary="", revision=2)
    # Pressed again it is neither checked nor asked for again.
    assert published == [checking.TASK]
    draft = ProblemDraft.objects.get()
    assert draft.report["state"] == "waiting"
    assert checking.check_draft(draft=draft.pk, digest=draft.checked_digest)
    assert publish_draft(author=alice, problem=_again(problem), summary="", revision=2).is_new
