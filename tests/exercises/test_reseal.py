"""A new SECRET_KEY, and what was sealed by the one before."""

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from allauth.mfa.utils import decrypt
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db.models import BinaryField
from django.test import override_settings
from django.utils import timezone
from pytest_django import Settings

from exercises.actions.reseal import SEALED
from exercises.models import Course, ToolKey, User, Webhook
from exercises.sealed import seal, unseal

pytestmark = pytest.mark.django_db
FIRST, SECOND = "first" * 10, "second" * 10


@pytest.fixture(autouse=True)
def given(settings: Settings) -> None:
    """The key stands in the environment, as in a service."""
    settings.SECRET_KEY_GIVEN = True


@pytest.fixture
def hook(course: Course, alice: User) -> Webhook:
    with override_settings(SECRET_KEY=FIRST):
        ToolKey.objects.create(kid="k", private_key=seal("pem"), public_key={}, signs_from=timezone.now())
        TOTP.activate(alice, "app")
        RecoveryCodes.activate(alice)
        return Webhook.objects.create(
            course=course, owner=alice, url="https://a.example/", secret=seal("new"), secret_before=seal("old")
        )


def test_after_it_the_key_of_before_may_go(hook: Webhook) -> None:
    with override_settings(SECRET_KEY=FIRST):
        recovery = RecoveryCodes.activate(hook.owner).generate_codes()
    with override_settings(SECRET_KEY=SECOND, SECRET_KEY_FALLBACKS=[FIRST]):
        call_command("reseal")
    hook.refresh_from_db()
    with override_settings(SECRET_KEY=SECOND, SECRET_KEY_FALLBACKS=[]):
        assert [unseal(hook.secret), unseal(hook.secret_before or b"")] == ["new", "old"]
        assert unseal(ToolKey.objects.get().private_key) == "pem"
        assert decrypt(Authenticator.objects.get(type="totp").data["secret"]) == "app"
        assert RecoveryCodes.activate(hook.owner).generate_codes() == recovery


def test_without_the_key_of_before_nothing_is_changed(hook: Webhook) -> None:
    before = bytes(hook.secret)
    with (
        override_settings(SECRET_KEY=SECOND, SECRET_KEY_FALLBACKS=[]),
        pytest.raises(CommandError, match=r"Nothing was changed\. .*SECRET_KEY_FALLBACKS"),
    ):
        call_command("reseal")
    hook.refresh_from_db()
    assert bytes(hook.secret) == before


def test_by_a_key_that_nobody_keeps_nothing_is_sealed(hook: Webhook, settings: Settings) -> None:
    before = bytes(hook.secret)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY_GIVEN = SECOND, [FIRST], False
    with pytest.raises(CommandError, match="SECRET_KEY is not set"):
        call_command("reseal")
    hook.refresh_from_db()
    assert bytes(hook.secret) == before


def test_no_sealed_column_is_forgotten() -> None:
    columns = {
        (model, field.name)
        for model in apps.get_app_config("exercises").get_models()
        for field in model._meta.get_fields()
        if isinstance(field, BinaryField)
    }
    # A second step keeps its secrets in plain data, which the test above goes through.
    assert columns == {(model, name) for model, names in SEALED for name in names}
