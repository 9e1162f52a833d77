"""Saving: nothing older and no blank replaces what is newer, and nothing that is typed is lost."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from exercises import clock
from exercises.actions.sitting import save as saving
from exercises.actions.sitting.begin import begin_attempt
from exercises.actions.sitting.hand_in import hand_in
from exercises.actions.sitting.refusals import AttemptOver, PageOutOfDate
from exercises.actions.sitting.save import leave_aside, save_answers, take_up
from exercises.models import Attempt, AttemptItem, Course, ProblemSet, SavedAnswer, User
from exercises.queries.attempt import late_drafts, offered, places_with_asides
from exercises.refusals import AnswersRefused
from tests.exercises.sitting.world import NOW, place, save, variant_id

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers")]
SECOND = dt.timedelta(seconds=1)


@pytest.fixture
def item(exam: ProblemSet, bob: User) -> AttemptItem:
    """The first place of Bob's exam, which ends in half an hour."""
    with clock.at(NOW):
        attempt = begin_attempt(learner=bob, problem_set=exam)
    Attempt.objects.update(ends_at=NOW + dt.timedelta(minutes=30))
    return place(attempt)


@pytest.fixture(autouse=True)
def _now() -> Any:
    with clock.at(NOW):
        yield


def stands(item: AttemptItem) -> dict[str, Any]:
    return dict(AttemptItem.objects.get(pk=item.pk).saved.get("answers", {}))


def rows(item: AttemptItem) -> list[tuple[int | None, str, dict[str, Any]]]:
    return list(item.saves.values_list("version", "aside", "answers"))


def test_versions_count_up_and_stay(item: AttemptItem) -> None:
    assert save(item, 0, p="0.6").version == 1
    assert save(item, 1, p="0.66").version == 2
    assert rows(item) == [(1, "", {"p": "0.6"}), (2, "", {"p": "0.66"})]
    assert stands(item) == {"p": "0.66"}


def test_what_stands_there_already_makes_no_version(item: AttemptItem) -> None:
    save(item, 0, p="0.6")
    for based_on in (1, 0, -1):
        again = save(item, based_on, p="0.6")
        assert (again.kind, again.version) == ("unchanged", 1)
    assert len(rows(item)) == 1
    assert save(place(item.attempt, 2), 0, masked="").kind == "unchanged"


@pytest.mark.parametrize("based_on", [-1, 0, 1, 7])
def test_a_stale_save_is_set_aside(item: AttemptItem, based_on: int) -> None:
    save(item, 0, p="0.6")
    save(item, 1, p="0.66")
    stale = save(item, based_on, p="0.5", page="another tab")
    assert (stale.kind, stale.version, stale.answers) == ("aside", 2, {"p": "0.66"})
    assert stands(item) == {"p": "0.66"}
    assert rows(item)[-1] == (None, "stale", {"p": "0.5"})
    assert [row.answers for row in offered(place(item.attempt))] == [{"p": "0.5"}]


def test_another_decimal_sign_is_a_change_unless_the_page_is_old(item: AttemptItem) -> None:
    def typed(based_on: int, locale: str, page: str) -> str:
        return save_answers(
            attempt_item=item, variant_id=variant_id(item), answers={"p": "1,5"}, based_on=based_on, locale=locale,
            page=page,
        ).kind  # fmt: skip

    assert [typed(0, "en", "a"), typed(1, "de", "a"), typed(1, "en", "b"), typed(2, "de", "b")] == [
        "saved", "saved", "unchanged", "unchanged",
    ]  # fmt: skip
    kept = AttemptItem.objects.get(pk=item.pk)
    assert (kept.saved["locale"], kept.saved_version) == ("de", 2)


def test_a_stale_blank_is_set_aside_and_not_offered(item: AttemptItem) -> None:
    save(item, 0, p="0.6")
    assert save(item, 0, p="", loss="").kind == "aside"
    assert stands(item) == {"p": "0.6"}
    assert rows(item)[-1][1] == "blank"
    assert offered(place(item.attempt)) == []


def test_a_blank_from_the_page_that_showed_the_present_version_is_meant(item: AttemptItem) -> None:
    save(item, 0, p="0.6")
    assert save(item, 1, p="").kind == "saved"
    assert stands(item) == {"p": ""}


def test_a_page_may_go_on_over_its_own_saves_although_a_reply_was_lost(item: AttemptItem) -> None:
    save(item, 0, p="0.6", page="mine")  # the reply of this was lost
    assert save(item, 0, p="0.66", page="mine").kind == "saved"
    assert save(item, 0, p="0.665", page="mine").version == 3
    # Somebody else saved in between: now it is stale.
    assert save(item, 3, p="0.7", page="other").version == 4
    assert save(item, 0, p="0.6651", page="mine").kind == "aside"
    assert save(item, 3, p="0.6652", page="mine").kind == "aside"
    assert stands(item) == {"p": "0.7"}


def test_what_was_set_aside_can_be_taken_up(item: AttemptItem) -> None:
    save(item, 0, p="0.6", loss="0.4")
    aside = save(item, 0, p="0.5").aside
    assert aside is not None
    assert take_up(attempt_item=item, aside=aside).version == 2
    assert stands(item) == {"p": "0.5", "loss": "0.4"}
    assert offered(place(item.attempt)) == []
    # The page that was open still shows version 1.
    assert save(item, 1, p="0.61").kind == "aside"


def test_what_was_set_aside_can_be_left(item: AttemptItem) -> None:
    save(item, 0, p="0.6")
    aside = save(item, 0, p="0.5").aside
    assert aside is not None
    leave_aside(attempt_item=item, aside=aside)
    assert offered(place(item.attempt)) == []
    assert stands(item) == {"p": "0.6"}
    assert SavedAnswer.objects.filter(pk=aside).exists()


@pytest.mark.parametrize("deal", [leave_aside, take_up])
def test_only_what_was_dealt_with_is_offered_no_more(item: AttemptItem, deal: Callable[..., object]) -> None:
    save(item, 0, p="0.6")
    older, newer = (save(item, 0, p=typed).aside for typed in ("0.5", "0.4"))
    deal(attempt_item=item, aside=newer)
    assert [row.pk for row in offered(place(item.attempt))] == [older]
    assert places_with_asides(item.attempt) == [1]
    leave_aside(attempt_item=item, aside=older or 0)
    assert offered(place(item.attempt)) == []
    assert places_with_asides(item.attempt) == []
    assert save(item, 0, p="0.5").kind == "aside"
    assert len(offered(place(item.attempt))) == 1


def test_what_a_closed_page_sends_again_is_not_set_aside(item: AttemptItem) -> None:
    save(item, 0, page="closed", p="0.6")
    again = save(item, 0, page="closed", p="0.6")
    assert (again.kind, again.version, again.answers) == ("unchanged", 1, {"p": "0.6"})
    assert offered(place(item.attempt)) == []


def test_the_same_thing_is_set_aside_once(item: AttemptItem) -> None:
    save(item, 0, p="0.6")
    assert len({save(item, 0, p="0.5").aside for _ in range(5)}) == 1


def test_a_page_of_another_variant_saves_nothing(item: AttemptItem) -> None:
    with pytest.raises(PageOutOfDate, match="out of date"):
        save_answers(
            attempt_item=item, variant_id="8f14e45f-0000-4000-8000-000000000000", answers={"p": "1"}, based_on=0
        )
    assert not item.saves.exists()


@pytest.mark.parametrize("answers", [{"nonsense": "1"}, {"p": "9" * 501}, {"p": 5}])
def test_what_is_no_answer_is_refused(item: AttemptItem, answers: dict[str, Any]) -> None:
    with pytest.raises(AnswersRefused):
        save(item, 0, **answers)
    assert not item.saves.exists()


@pytest.mark.parametrize(
    ("after", "is_taken"), [(-SECOND, True), (0 * SECOND, True), (5 * SECOND, True), (6 * SECOND, False)]
)
def test_the_grace_is_for_what_was_sent_in_time(item: AttemptItem, after: dt.timedelta, is_taken: bool) -> None:
    ends_at = NOW + dt.timedelta(minutes=30)
    with clock.at(ends_at + after):
        if is_taken:
            assert save(item, 0, p="0.6").kind == "saved"
            return
        with pytest.raises(AttemptOver, match="Time was up on Mon 1 December 2025, 12:30 CET") as refused:
            save(item, 0, p="0.6")
    assert refused.value.is_kept
    assert stands(item) == {}
    assert [(row.aside, row.answers) for row in late_drafts(item.attempt).values()] == [("late", {"p": "0.6"})]


def test_an_extension_given_meanwhile_is_taken_at_its_word(item: AttemptItem) -> None:
    Attempt.objects.update(ends_at=NOW + dt.timedelta(hours=2))
    with clock.at(NOW + dt.timedelta(hours=1)):
        assert save(item, 0, p="0.6").kind == "saved"


def test_after_handing_in_nothing_is_written_and_what_was_typed_is_kept(item: AttemptItem) -> None:
    save(item, 0, p="0.6")
    receipt = hand_in(attempt=item.attempt).receipt
    for typed in ("0.7", "0.6", ""):
        with pytest.raises(AttemptOver, match="was handed in on Mon 1 December 2025, 12:00 CET"):
            save(item, 1, p=typed)
    assert stands(item) == {"p": "0.6"}
    assert hand_in(attempt=place(item.attempt).attempt).receipt == receipt
    # What says something else than what was handed in is kept, and once.
    assert [row.answers for row in item.saves.filter(aside="late")] == [{"p": "0.7"}]


def test_rows_are_bounded(item: AttemptItem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saving, "MOST_SAVES", 3)
    monkeypatch.setattr(saving, "MOST_ASIDE", 2)
    for version in range(6):
        save(item, version, p=f"0.{version}")
    assert [version for version, aside, _ in rows(item) if not aside] == [1, 2, 6]
    assert stands(item) == {"p": "0.5"}
    for typed in range(5):
        save(item, 0, p=f"9.{typed}")
    assert [answers for _, aside, answers in rows(item) if aside] == [{"p": "9.0"}, {"p": "9.4"}]


def test_the_public_id_of_the_variant_is_kept_with_the_answers(item: AttemptItem) -> None:
    save(item, 0, p="0.6")
    assert AttemptItem.objects.get(pk=item.pk).saved["variant"] == variant_id(item)


def test_a_course_that_was_put_away_takes_nothing_more(item: AttemptItem) -> None:
    save(item, 0, p="0.6")
    Course.objects.update(archived_at=NOW)
    with pytest.raises(AttemptOver, match="put away"):
        save(item, 1, p="0.7")
    assert stands(item) == {"p": "0.6"}
