"""Doing once what a program sends twice: its key is taken first, and what it was answered is kept for a day."""

import datetime as dt
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from django.db import transaction
from django.utils import timezone

from exercises.courses.rights import Right
from exercises.models import KeptAnswer, User
from exercises.refusals import Refused

KEPT_FOR = dt.timedelta(hours=24)
#: No request takes as long: whoever has not answered by then was killed, and has done nothing.
IN_FLIGHT_FOR = dt.timedelta(minutes=5)

Answer = TypeVar("Answer")
Kept = tuple[int, dict[str, str], Any]
#: The primary key of a course, and what somebody must be allowed there.
Asked = tuple[int, Right]


class KeyInUse(Refused):
    """The first request with this key is still being answered."""

    code = "key-in-use"


class KeyUsedOtherwise(Refused):
    """Another request was sent with this key."""

    code = "key-used-otherwise"


def take_key(*, owner: User, key: str, digest: str) -> KeptAnswer:
    """Take a key for a request, or find what it was answered: then the row has a status.

    ``digest`` is a SHA-256, in hex, of all that makes it the same request. Raises KeyInUse while the first one is being
    answered, KeyUsedOtherwise where it was another one.
    """
    for _ in range(2):
        row, is_new = KeptAnswer.objects.get_or_create(owner=owner, key=key, defaults={"request_digest": digest})
        if is_new:
            return row
        if not _is_over(row):
            return _same(row, digest)
        # Only the one that was looked at: it may be gone already, and another in its place.
        KeptAnswer.objects.filter(pk=row.pk, status=row.status).delete()
    raise KeyInUse("Another request has just taken this key. Send yours again in a moment.")


def doing_once(
    taken: KeptAnswer, do: Callable[[], Answer], kept: Callable[[Answer], Kept], asked: Collection[Asked]
) -> Answer:
    """Do something under a key that ``take_key`` gave, and keep how it is answered, in one transaction.

    ``asked`` is filled meanwhile: what it took to be told that answer, and takes to be told it again. Raises KeyInUse
    where it took so long that the key was given to another request: then nothing was done.
    """
    with transaction.atomic():
        answer = do()
        if not keep_answer(taken, *kept(answer), asked):
            raise KeyInUse("This took too long, so it was not done. Send it again.")
    return answer


def keep_answer(
    taken: KeptAnswer, status: int, headers: dict[str, str], body: Any, asked: Collection[Asked] = ()
) -> bool:
    """Keep an answer under a key, with what it took; False where the key is somebody else's by now."""
    open_still = KeptAnswer.objects.filter(pk=taken.pk, status=None)
    rights = [[course, right.value] for course, right in sorted(set(asked))]
    return bool(open_still.update(status=status, headers=headers, body=body, rights=rights))


def give_key_back(taken: KeptAnswer) -> None:
    """Nothing was done under this key: it may be taken again."""
    KeptAnswer.objects.filter(pk=taken.pk, status=None).delete()


def clear_kept_answers() -> int:
    """Delete the answers that are kept long enough; how many there were."""
    return KeptAnswer.objects.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()[0]


def _is_over(row: KeptAnswer) -> bool:
    age = timezone.now() - row.created_at
    return age > KEPT_FOR or (row.status is None and age > IN_FLIGHT_FOR)


def _same(row: KeptAnswer, digest: str) -> KeptAnswer:
    if row.request_digest != digest:
        raise KeyUsedOtherwise("Another request was sent with this Idempotency-Key. Use a new key for a new request.")
    if row.status is None:
        raise KeyInUse("The first request with this Idempotency-Key is still being answered. Ask again in a moment.")
    return row
