"""Making somebody a teacher."""

from exercises.models import User
from exercises.refusals import UnknownUser


def set_instructor(*, name: str, is_instructor: bool) -> bool:
    """Let the user of that name see what teachers see, or no longer; whether anything changed. Raises UnknownUser."""
    user = User.objects.filter(username=name).first()
    if user is None:
        raise UnknownUser(f"Nobody has signed up as {name!r}. User names are told apart by upper and lower case.")
    if user.is_instructor == is_instructor:
        return False
    user.is_instructor = is_instructor
    user.save(update_fields=["is_instructor"])
    return True
