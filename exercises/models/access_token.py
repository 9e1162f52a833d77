"""Keys with which programs come in by the REST door."""

import hashlib
import uuid

from django.conf import settings
from django.db import models


class AccessToken(models.Model):
    """One token of one user. Only its hash is stored: whoever reads this table cannot come in with it."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="access_tokens")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token, in hex.")
    label = models.CharField(max_length=80, blank=True)
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
