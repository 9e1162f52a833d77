"""Systems that come in by the REST door by OAuth2 client credentials."""

from django.db import models
from oauth2_provider.models import AbstractApplication

from exercises.models.plain_json import PlainJSONField


class Client(AbstractApplication, models.Model):  # the second for the type checker, which cannot read the first
    """A system that acts as one user, such as the student information system of an institution.

    It gets short-lived tokens for its ``client_id`` and its secret, of which only a hash is stored. What it may ask for
    is here and not in its tokens: what is taken from it is taken at once.
    """

    scopes = PlainJSONField(default=list, help_text="What it is good for: names from exercises.scopes.")
    # Good in this course alone; null is wherever its user may go.
    course = models.ForeignKey(
        "exercises.Course", null=True, blank=True, on_delete=models.CASCADE, related_name="clients"
    )
    last_used_at = models.DateTimeField(null=True, blank=True, help_text="To the minute.")

    class Meta(AbstractApplication.Meta):
        ordering = ("-pk",)

    def __str__(self) -> str:
        return self.name or str(self.client_id)

    def is_usable(self, request: object) -> bool:
        """Whether it gets tokens: not of somebody who left. The library asks."""
        return self.user is not None and self.user.is_active
