"""An authenticator app: codes by RFC 6238, worked out here from the secret alone."""

import base64
import hashlib
import hmac
import struct
import time
from types import SimpleNamespace

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP

from exercises.models import User

#: RFC 6238 uses it: "12345678901234567890".
SECRET = base64.b32encode(b"12345678901234567890").decode()
#: In the middle of a time step.
AT = 1_800_000_015
STEP = 30


def code_at(moment: float, secret: str = SECRET) -> str:
    """What the app shows at a moment, in seconds since 1970."""
    digest = hmac.new(base64.b32decode(secret), struct.pack(">Q", int(moment) // STEP), hashlib.sha1).digest()
    start = digest[-1] & 15
    return f"{(int.from_bytes(digest[start : start + 4], 'big') & 0x7FFFFFFF) % 10**6:06}"


def code_now(secret: str = SECRET) -> str:
    """What the app shows now, by the clock on the wall."""
    return code_at(time.time(), secret)


def clock_stands(monkeypatch: pytest.MonkeyPatch, moment: float = AT) -> None:
    """Let the account library see this moment when it looks at codes."""
    monkeypatch.setattr("allauth.mfa.totp.internal.auth.time", SimpleNamespace(time=lambda: float(moment)))


def given_second_step(user: User) -> list[str]:
    """Let somebody have an app with SECRET; their recovery codes."""
    TOTP.activate(user, SECRET)
    return list(RecoveryCodes.activate(user).generate_codes())
