"""What somebody asks for about themselves: proven, and not too often."""

from collections.abc import Iterator

from redis import RedisError

from exercises.actions.privacy.erase import Erased, ErasureRefused, erase_person
from exercises.actions.privacy.export import export_of
from exercises.limits import MOST_PASSWORDS, PASSWORD_WINDOW, count, password_counter
from exercises.models import User
from exercises.refusals import TooMuchAtOnce

#: Exports that somebody may begin within an hour: each reads everything of theirs.
MOST_EXPORTS, HOUR = 5, 3600
NOT_YOURS = "That is not your password. Nothing was done."
WRONG_NAME = "Type your user name just as it stands above. Nothing was done."
LATER = "That cannot be checked just now. Try it again in a minute."


def export_myself(person: User) -> Iterator[bytes]:
    """``export_of`` for the person themself. Raises TooMuchAtOnce."""
    try:
        if count(f"export:{person.pk}", HOUR) > MOST_EXPORTS:
            raise TooMuchAtOnce("You have downloaded it several times within an hour. Wait until the next one.")
    except (RedisError, OSError):
        raise TooMuchAtOnce(LATER) from None
    return export_of(person)


def erase_myself(person: User, *, name: str, password: str) -> Erased:
    """Erase the one who asks for it. They type their name, so that it happens by no slip, and their password if they
    have one: a page that was left open is nobody's consent. Raises ErasureRefused and TooMuchAtOnce."""
    if name.strip() != person.username:
        raise ErasureRefused(WRONG_NAME)
    if person.has_usable_password():
        _refuse_guessing(person)
        if not person.check_password(password):
            raise ErasureRefused(NOT_YOURS)
    return erase_person(person=person, reason="They asked for it themselves.", by_themself=True)


def _refuse_guessing(person: User) -> None:
    """A password opens everything: where nothing can be counted, nothing is tried."""
    try:
        is_over = count(password_counter(person.username), PASSWORD_WINDOW) > MOST_PASSWORDS
    except (RedisError, OSError):
        raise TooMuchAtOnce(LATER) from None
    if is_over:
        raise TooMuchAtOnce("Many passwords were tried within a short time. Wait a few minutes.")
