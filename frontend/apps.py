"""The Django app of the pages."""

from django.apps import AppConfig


class FrontendConfig(AppConfig):
    """Has no models: only views, templates and static files."""

    name = "frontend"
    verbose_name = "Pages"
