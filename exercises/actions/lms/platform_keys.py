"""The keys of platforms: read from their addresses when they are needed, and kept.

A key that is not among those that are kept is looked for once, at most once a minute for each registration: anybody can
send a launch with a made-up name of a key. A few of those who come meanwhile wait for that one reading, others are told
to come again: a platform that answers slowly holds up nobody else. When it fails, what was read last stays good.
"""

import datetime as dt
import threading
import time
from typing import Any

from django.db.models import Q

from exercises import clock, outgoing
from exercises.lti.key_sets import KeySet, KeySetRefused, read_key_set
from exercises.lti.refusals import AGAIN, SET_UP, LaunchRefused
from exercises.models import Registration

#: Between two readings that found nothing new.
PAUSE = dt.timedelta(minutes=1)
#: After so long they are read again, so that a key that was withdrawn opens nothing any more.
FRESH = dt.timedelta(hours=1)
SECONDS = 5.0
MOST_BYTES = 200_000
#: How long somebody waits for a reading that goes on already.
LONGEST_WAIT = 6.0
STEP = 0.05
#: Of the threads of one web process, so many at once wait like that, whichever platforms they wait for.
MOST_WAITING = 2
_waiting = threading.BoundedSemaphore(MOST_WAITING)


def key_of(registration: Registration, kid: str) -> dict[str, Any]:
    """The public key of a platform by its name. Raises LaunchRefused where it has none of that name, and
    while that is being looked up for several people already."""
    kept = _kept(registration)
    is_fresh = registration.keys_read_at is not None and registration.keys_read_at > clock.now() - FRESH
    if kid in kept and is_fresh:
        return kept[kid]
    if _may_read(registration):
        _read(registration, kid)
    elif kid not in kept:
        _wait(registration)
    kept = _kept(registration)
    if kid in kept:
        return kept[kid]
    if registration.keys_failure and not kept:
        raise LaunchRefused(
            "keys-unread",
            f"The keys of the platform could not be read from {registration.keys_url}: {registration.keys_failure}.",
            "Try it again in a minute. " + SET_UP,
        )
    raise LaunchRefused(
        "unknown-kid",
        f"The launch is signed by a key (“kid”) that is not in the key set of the platform, {registration.keys_url}.",
        "If the platform has changed its keys just now, try it again in a minute. " + SET_UP,
    )


def _kept(registration: Registration) -> KeySet:
    return registration.keys or {}


def _may_read(registration: Registration) -> bool:
    """Whether this caller is the one who reads now: one a minute. One query."""
    now = clock.now()
    due = Q(keys_tried_at=None) | Q(keys_tried_at__lte=now - PAUSE)
    rows = Registration.objects.filter(due, pk=registration.pk)
    return bool(rows.update(keys_tried_at=now, keys_failure=""))


def _read(registration: Registration, kid: str) -> None:
    """Read the key set and keep it. If it brought the key that was wanted, the next one may be looked for at once:
    keys change twice within a minute, and no stranger can put one into that set."""
    rows = Registration.objects.filter(pk=registration.pk)
    try:
        answer = outgoing.call(
            "GET", registration.keys_url, headers={"Accept": "application/json"}, seconds=SECONDS, most_bytes=MOST_BYTES
        )
        if answer.status != 200:
            raise KeySetRefused(f"it answered with the status {answer.status}")
        found = read_key_set(answer.text)
    except (outgoing.Unreachable, KeySetRefused) as refused:
        # In the middle of a sentence, wherever it is told.
        rows.update(keys_failure=refused.message.rstrip(".")[:300])
    else:
        waits = {} if kid not in found else {"keys_tried_at": None}
        rows.update(keys=found, keys_read_at=clock.now(), keys_failure="", **waits)
    _look(registration)


def _wait(registration: Registration) -> None:
    """Wait while somebody else reads the key set. Raises LaunchRefused where enough wait already."""
    _look(registration)
    if not _is_being_read(registration):
        return
    if not _waiting.acquire(blocking=False):
        raise LaunchRefused(
            "keys-busy", "The keys of the platform are being read just now.", "Wait a few seconds. " + AGAIN
        )
    try:
        ends = time.monotonic() + LONGEST_WAIT
        while _is_being_read(registration) and time.monotonic() < ends:
            time.sleep(STEP)
            _look(registration)
    finally:
        _waiting.release()


def _is_being_read(registration: Registration) -> bool:
    tried, read = registration.keys_tried_at, registration.keys_read_at
    if tried is None or registration.keys_failure or tried < clock.now() - dt.timedelta(seconds=LONGEST_WAIT):
        return False
    return read is None or read < tried


def _look(registration: Registration) -> None:
    registration.refresh_from_db(fields=["keys", "keys_read_at", "keys_tried_at", "keys_failure"])
