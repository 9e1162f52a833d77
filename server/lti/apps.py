"""The Django application of the door for learning management systems: views, templates and one script, no tables."""

from django.apps import AppConfig


class LtiConfig(AppConfig):
    name = "server.lti"
    label = "lti"
    verbose_name = "LTI"
