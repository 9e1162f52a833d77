"""Forms of the account library that take more than it does."""

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.totp.internal.auth import TOTP


class ActivateForm(ActivateTOTPForm):
    """The first code of an authenticator app, which is used up by that: it signs nobody in afterwards."""

    def clean_code(self) -> str:
        """The code. Raises ValidationError where it is wrong."""
        code: str = super().clean_code()
        TOTP(Authenticator(user=self.user))._mark_code_used(code)  # noqa: SLF001  # no other way leads to its marks
        return code
