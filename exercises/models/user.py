"""Who learns, teaches or runs the service."""

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """Our own from the first migration on: a user model cannot be exchanged later."""
