"""What is kept no longer than the settings say goes at that moment, and not before."""

import datetime as dt
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models.signals import post_delete

from exercises import clock
from exercises.actions.privacy import keep_no_longer
from exercises.models import AuditEntry, Course, Enrolment, Job, Role, SavedAnswer, User, Variant
from exercises.queries.personal import idle_accounts
from exercises.tasks import forget_what_is_over
from tests.exercises.courses.world import NOW
from tests.exercises.privacy.world import Bobs
from tests.exercises.world import c1

DAY, SECOND = dt.timedelta(days=1), dt.timedelta(seconds=1)
YEAR = dt.timedelta(days=365.25)
pytestmark = pytest.mark.usefixtures("servers")


@pytest.fixture(autouse=True)
def _nothing_is_over(settings: Any) -> None:
    settings.KEEP_AUDIT_DAYS = settings.KEEP_DRAFTS_DAYS = settings.KEEP_REPORTS_DAYS = settings.ERASE_IDLE_YEARS = 0


@pytest.mark.usefixtures("bobs")
def test_unless_it_is_said_everything_is_kept() -> None:
    with clock.at(NOW + 4000 * DAY):
        assert forget_what_is_over() == 0


def test_the_audit_trail_goes_entry_by_entry(course: Course, settings: Any) -> None:
    settings.KEEP_AUDIT_DAYS = 30
    for age in (30 * DAY + SECOND, 30 * DAY, DAY):
        AuditEntry.objects.create(course=course, deed="role", about=str(age), at=NOW - age)
    with clock.at(NOW):
        assert keep_no_longer() == 1
    assert set(AuditEntry.objects.values_list("at", flat=True)) == {NOW - 30 * DAY, NOW - DAY}


def test_jobs_go_once_they_are_done_for_long(course: Course, alice: User, settings: Any) -> None:
    settings.KEEP_REPORTS_DAYS = 30
    for finished in (None, NOW - 30 * DAY - SECOND, NOW - 30 * DAY):
        Job.objects.create(
            course=course, made_by=alice, kind="roster", text="", created_at=NOW - 99 * DAY, finished_at=finished
        )
    with clock.at(NOW):
        assert keep_no_longer() == 1
    assert set(Job.objects.values_list("finished_at", flat=True)) == {None, NOW - 30 * DAY}


def test_what_only_stood_in_boxes_goes_and_what_was_sent_stays(bobs: Bobs, bob: User, settings: Any) -> None:
    settings.KEEP_DRAFTS_DAYS = 10
    Variant.objects.filter(pk=bobs.practice.pk).update(created_at=NOW)
    with clock.at(NOW + 10 * DAY):
        assert keep_no_longer() == 0
    with clock.at(NOW + 10 * DAY + SECOND):
        assert keep_no_longer() == 2
        assert keep_no_longer() == 0
    assert not SavedAnswer.objects.exists()
    bobs.practice.refresh_from_db()
    assert bobs.practice.draft == {}
    assert bob.submissions.filter(answers={}).count() == 0


# Accounts that nobody uses


def old(name: str, age: dt.timedelta, **fields: Any) -> User:
    return User.objects.create_user(name, date_joined=NOW - age, **fields)


@pytest.mark.django_db
def test_an_account_is_idle_when_nothing_was_done_with_it_for_so_long() -> None:
    old("too-young", 2 * YEAR - SECOND)
    old("old", 2 * YEAR + SECOND)
    old("came-back", 9 * YEAR, last_login=NOW - DAY)
    old("was-there-long-ago", 9 * YEAR, last_login=NOW - 3 * YEAR)
    old("closed", 9 * YEAR, is_active=False)
    old("root", 9 * YEAR, is_superuser=True)
    with clock.at(NOW):
        assert [user.username for user in idle_accounts(2)] == ["old", "was-there-long-ago"]


@pytest.mark.usefixtures("problem")
def test_who_answers_without_signing_in_is_not_idle(bobs: Bobs, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(date_joined=NOW - 9 * YEAR, last_login=None)
    with clock.at(NOW + DAY):
        assert bob not in idle_accounts(1)
    with clock.at(NOW + 2 * YEAR):
        assert bob in idle_accounts(1)


@pytest.mark.usefixtures("published", "problem")
def test_idle_accounts_are_erased_only_where_that_is_set(settings: Any) -> None:
    c1(old("old", 3 * YEAR))
    Variant.objects.update(created_at=NOW - 3 * YEAR)
    with clock.at(NOW):
        assert keep_no_longer() == 0
        settings.ERASE_IDLE_YEARS = 2
        assert keep_no_longer() == 1
    assert not User.objects.filter(username="old").exists()


@pytest.mark.usefixtures("published", "db")
def test_one_who_cannot_be_erased_keeps_nobody_else(settings: Any, caplog: pytest.LogCaptureFixture) -> None:
    settings.ERASE_IDLE_YEARS = 2
    first = old("teaches-alone", 3 * YEAR)
    Enrolment.objects.create(course=Course.objects.create(title="Alone"), user=first, role=Role.INSTRUCTOR)
    old("old", 3 * YEAR)
    with clock.at(NOW):
        assert keep_no_longer() == 1
    assert list(User.objects.values_list("username", flat=True)) == ["teaches-alone"]
    assert "Nobody else teaches “Alone”" in caplog.text
    assert "teaches-alone" not in caplog.text


@pytest.mark.usefixtures("published", "db")
def test_who_comes_back_while_others_are_erased_stays_and_who_is_gone_keeps_nobody(settings: Any) -> None:
    settings.ERASE_IDLE_YEARS = 2
    old("first", 5 * YEAR)
    back, gone = old("back", 4 * YEAR), old("gone", 3 * YEAR)
    old("last", 2.5 * YEAR)

    def meanwhile(instance: User, **_: Any) -> None:
        if instance.username == "first":
            User.objects.filter(pk=back.pk).update(last_login=NOW)
            User.objects.filter(pk=gone.pk).delete()

    post_delete.connect(meanwhile, sender=User)
    try:
        with clock.at(NOW):
            assert keep_no_longer() == 2
    finally:
        post_delete.disconnect(meanwhile, sender=User)
    assert list(User.objects.values_list("username", flat=True)) == ["back"]


@pytest.mark.django_db
def test_the_command_lists_them_and_erases_nobody() -> None:
    old("old", 3 * YEAR)
    out = StringIO()
    with clock.at(NOW):
        call_command("person", "idle", "--years", "2", stdout=out)
    assert out.getvalue().splitlines()[0].startswith("old: made 20")
    assert "1 accounts were not used for 2 years." in out.getvalue()
    assert User.objects.filter(username="old").exists()
    with pytest.raises(CommandError, match="how many years"):
        call_command("person", "idle", "--years", "0")
