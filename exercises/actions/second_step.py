"""The second step of signing in: the account library asks for it on pages, and this wherever else a password opens an
account. Its secrets are kept sealed."""

import logging

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.models import Authenticator
from django.db import transaction

from exercises.actions.audit import noted
from exercises.models import Course, User
from exercises.queries.second_step import has_second_step
from exercises.refusals import Refused, TooMuchAtOnce, UnknownUser
from exercises.sealed import seal, unseal

log = logging.getLogger(__name__)

WRONG = "This code is wrong, too old, or was used already."


class CodeWanted(Refused):
    """The password is right, and the account is opened by a code as well; ``field`` names where it is to be."""

    code = "code-wanted"

    def __init__(self, message: str, field: str) -> None:
        super().__init__(message)
        self.field = field


class CodeRefused(CodeWanted):
    """A code that is wrong, too old or was used already."""

    code = "wrong-code"


class Adapter(DefaultMFAAdapter):
    """What the library keeps and shows, in the ways of the house."""

    error_messages = {**DefaultMFAAdapter.error_messages, "incorrect_code": WRONG}

    def encrypt(self, text: str) -> str:
        """What is kept of a secret."""
        return seal(text).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """The secret of what is kept. Raises SealBroken."""
        return unseal(encrypted_text.encode())

    def get_totp_label(self, user: User) -> str:
        """What the app calls the account: a user name is always there, and no address leaves with a picture of it."""
        return user.get_username()


def check_code(*, user: User, code: str, field: str = "code") -> None:
    """Take the code of somebody whose password was right; nothing is asked where there is no second step. It counts
    once, and wrong ones are counted together with those of the pages. Inside a request. Raises CodeWanted, CodeRefused,
    and TooMuchAtOnce for one try too many; RedisError where nothing can be counted."""
    if not has_second_step(user):
        return
    if not code.strip():
        raise CodeWanted("This account is opened by a code of its authenticator app as well.", field)
    form = AuthenticateForm(data={"code": code}, user=user)
    if form.is_valid():
        form.authenticator.record_usage()
    elif form.has_error("code", "too_many_login_attempts"):
        raise TooMuchAtOnce("Many codes were tried within a short time. Wait five minutes.")
    else:
        raise CodeRefused(WRONG, field)


def remove_second_step(*, name: str, reason: str) -> bool:
    """Let somebody who lost their authenticator app and their recovery codes in by the password alone; whether there
    was anything to remove. It stands in the audit trail of their courses. Raises UnknownUser."""
    with transaction.atomic():
        user = User.objects.select_for_update().filter(username=name).first()
        if user is None:
            raise UnknownUser(f"Nobody here has the name {name!r}. User names are told apart by upper and lower case.")
        count, _ = Authenticator.objects.filter(user=user).delete()
        if not count:
            return False
        courses = Course.objects.filter(enrolments__user=user, enrolments__dropped_at=None)
        for course in courses.order_by("pk").distinct():
            noted(
                course=course, actor=None, deed="second-step-removed", about=user.username, learner=user, reason=reason
            )
    log.warning("The second step of an account was taken away by hand (user %s).", user.pk)
    return True
