"""The Django application of the domain."""

from typing import Any

from django.apps import AppConfig
from django.apps import apps as current
from django.db import connections
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate

from exercises import clock


class ExercisesConfig(AppConfig):
    name = "exercises"

    def ready(self) -> None:
        post_migrate.connect(_keep_touched, sender=self)
        connection_created.connect(clock.compare)


def _keep_touched(*, using: str, apps: Any = current, **_: Any) -> None:
    # Here, since models can be imported only once the applications are ready.
    from exercises.models.touched import Touched, install_trigger  # noqa: PLC0415

    # As the tables are at this migration, which may be an older one; ``flush`` names none.
    for model in apps.get_app_config("exercises").get_models():
        if any(isinstance(field, Touched) for field in model._meta.local_fields):  # noqa: SLF001 - Django's open secret
            install_trigger(connections[using], model._meta.db_table)  # noqa: SLF001
