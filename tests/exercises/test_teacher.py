"""Making a teacher of somebody who has signed up."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from exercises.models import User


def said(*arguments: str) -> str:
    out = StringIO()
    call_command("teacher", *arguments, stdout=out)
    return out.getvalue().strip()


def test_a_teacher_is_made_and_unmade(bob: User) -> None:
    assert said("bob") == "bob is a teacher now."
    assert said("bob") == "bob is a teacher already."
    bob.refresh_from_db()
    assert bob.is_instructor
    assert said("bob", "--remove") == "bob is a learner now."
    bob.refresh_from_db()
    assert not bob.is_instructor


@pytest.mark.usefixtures("bob")
def test_who_has_not_signed_up_cannot_teach() -> None:
    with pytest.raises(CommandError, match="Nobody has signed up as 'Bob'"):
        call_command("teacher", "Bob")
