"""Who learns, teaches or runs the service."""

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """Our own from the first migration on: a user model cannot be exchanged later."""

    is_instructor = models.BooleanField(
        default=False,
        help_text="May write problems and decks, and make courses. Whose work they read, their courses say.",
    )
