"""Several tabs of one author at the same moment, in threads with connections of their own."""

from collections import Counter

import pytest

from exercises.actions.authoring import AuthoringRefused, new_problem, problems, publish_draft, save_draft
from exercises.models import Problem, ProblemDraft, ProblemVersion, User
from tests.exercises.authoring.world import SMALL, written
from tests.exercises.test_at_once import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("servers", "published", "quick_gate")]


def _outcome(act: object) -> str:
    try:
        act()  # type: ignore[operator]
    except AuthoringRefused as refused:
        return refused.code
    return "done"


def test_of_ten_tabs_that_save_one_wins_and_nine_are_told(alice: User) -> None:
    problem = written(alice)
    said = at_once(
        10, lambda k: _outcome(lambda: save_draft(author=alice, problem=problem, source=f"text {k}", revision=2))
    )
    assert Counter(said) == {"done": 1, "stale-draft": 9}
    assert ProblemDraft.objects.get().revision == 3


def test_ten_clicks_of_publish_make_one_version(alice: User) -> None:
    problem = written(alice)

    def publish() -> None:
        publish_draft(author=alice, problem=problem, summary="", revision=2, source=SMALL)

    said = at_once(10, lambda _: _outcome(publish))
    assert said.count("done") >= 1
    assert ProblemVersion.objects.count() == 1
    assert Problem.objects.get().current == ProblemVersion.objects.get()


def test_problems_that_are_begun_at_once_are_counted_one_after_the_other(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(problems, "MOST_PROBLEMS", 2)
    said = at_once(10, lambda k: _outcome(lambda: new_problem(author=alice, title=f"Number {k}")))
    assert Counter(said) == {"done": 2, "authoring-refused": 8}
    assert Problem.objects.count() == 2


def test_ten_problems_of_one_title_have_ten_addresses(alice: User) -> None:
    at_once(10, lambda _: new_problem(author=alice, title="The same"))
    assert Problem.objects.count() == ProblemDraft.objects.count() == 10
