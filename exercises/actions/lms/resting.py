"""Platforms whose services fail are left in peace for a while: one that is down costs one call, not one a score."""

import datetime as dt

from django.db.models import F, Q

from exercises import clock
from exercises.actions.due import after
from exercises.actions.lms.service_client import Unavailable
from exercises.models import Registration

#: Seconds until the next call after the first failure in a row, the second and so on.
RESTS = (5, 30, 120, 300, 600, 900)


def has_failed(registration: Registration, failure: Unavailable) -> None:
    """Leave a platform in peace, the longer the more often it failed in a row. Two queries."""
    now = clock.now()
    wait = after(RESTS, registration.failures + 1)
    rows = Registration.objects.filter(pk=registration.pk)
    rows.filter(failing_since=None).update(failing_since=now)
    rows.filter(failures__lt=10_000).update(
        failures=F("failures") + 1, failure=failure.message[:300],
        rests_until=now + dt.timedelta(seconds=max(wait, failure.wait)),
    )  # fmt: skip


def has_answered(registration: Registration) -> None:
    """It answers: nothing for it waits any longer. One query, none where it did before."""
    if registration.failures or registration.rests_until:
        Registration.objects.filter(pk=registration.pk).update(
            failing_since=None, failures=0, failure="", rests_until=None
        )


def is_awake(path: str) -> Q:
    """Which rows are of platforms that do not rest now; ``path`` leads from a row to its registration."""
    return Q(**{f"{path}rests_until": None}) | Q(**{f"{path}rests_until__lte": clock.now()})
