"""How much anybody may type, send and draw: far above what a person does, so that nothing grows without a bound."""

import hashlib
import time

from django.core.cache import cache

from exercises.models import User

#: Of one typed text; what the grader itself can read is shorter still.
MOST_CHARACTERS = 500
#: Of one answer that is a list.
MOST_ENTRIES = 100
#: Characters of all answers that are sent together.
MOST_ALTOGETHER = 20_000
#: Answers on one variant.
MOST_ANSWERS = 200
#: Rows of any list on one page.
MOST_ROWS = 100
#: What costs a row or a drawing, per learner and minute, by whichever door.
MOST_WORK = 120
MINUTE = 60
#: Passwords that are tried for one name within so many seconds, by all doors but the page to sign in together, which
#: has as many of its own.
MOST_PASSWORDS, PASSWORD_WINDOW = 10, 300


def cut(typed: str | list[str]) -> str | list[str]:
    """As much of what stands in the boxes of a step as is taken: where it is only looked at, and nothing is refused."""
    if isinstance(typed, str):
        return typed[:MOST_CHARACTERS]
    return [entry[:MOST_CHARACTERS] for entry in typed[:MOST_ENTRIES]]


def count(name: str, window: int, *, now: float | None = None) -> int:
    """How often this was called for ``name`` within the current window of that many seconds, this time included.

    Every caller adds to one counter; nothing is read and written back. ``now`` is in seconds since 1970, the clock's
    if left out. Raises RedisError or OSError when nothing can be counted.
    """
    key = f"throttle:{name}:{int(time.time() if now is None else now) // window}"
    cache.add(key, 0, timeout=window * 2)
    try:
        return int(cache.incr(key))
    except ValueError:  # emptied since the line before, as by a restart: this one is the first again
        return 1


def is_over_work(learner: User) -> bool:
    """Count one piece of the learner's work; whether it is more than anybody does in a minute. Raises as ``count``."""
    return count(f"work:{learner.pk}", MINUTE) > MOST_WORK


def password_counter(name: str) -> str:
    """What tries of a password for a name are counted under, whether there is an account of that name or not."""
    return f"password-name:{hashlib.sha256(name.strip().lower().encode('utf-8', 'replace')).hexdigest()}"
