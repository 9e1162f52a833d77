"""Keys with which programs come in by the REST door."""

import hashlib
import uuid

from django.conf import settings
from django.db import models

from exercises.models.plain_json import PlainJSONField
from exercises.scopes import PRACTICE


def of_a_learner() -> list[str]:
    """What a token is good for that says nothing of it."""
    return [PRACTICE]


class AccessToken(models.Model):
    """One token of one user. Only its hash is stored: whoever reads this table cannot come in with it."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="access_tokens")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token, in hex.")
    # The first characters of the token, by which its owner knows it again.
    head = models.CharField(max_length=12, blank=True)
    label = models.CharField(max_length=80, blank=True)
    scopes = PlainJSONField(default=of_a_learner, help_text="What it is good for: names from exercises.scopes.")
    # Good in this course alone, and for nothing outside of courses; null is wherever its owner may go.
    course = models.ForeignKey(
        "exercises.Course", null=True, blank=True, on_delete=models.CASCADE, related_name="access_tokens"
    )
    last_used_at = models.DateTimeField(null=True, blank=True, help_text="To the minute.")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.label or self.public_id}"

    @staticmethod
    def digest_of(token: str) -> str:
        """What is stored of a token."""
        return hashlib.sha256(token.encode()).hexdigest()
