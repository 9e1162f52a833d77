"""Who signs in by a second step, and who should. One query each, two for whoever only teaches in a course."""

from allauth.mfa.models import Authenticator

from exercises.courses.rights import Right, roles_with
from exercises.models import Enrolment, User


def has_second_step(user: User) -> bool:
    """Whether a code is asked after the password of that account."""
    return Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).exists()


def should_have_second_step(user: User) -> bool:
    """Whether the account opens more than somebody's own work: of whoever runs the service, writes problems or reads
    the work of a class."""
    if user.is_staff or user.is_instructor:
        return True
    return Enrolment.objects.filter(user=user, dropped_at=None, role__in=roles_with(Right.READ_WORK)).exists()
