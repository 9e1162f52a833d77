"""The Django application of the domain."""

from django.apps import AppConfig


class ExercisesConfig(AppConfig):
    name = "exercises"
