"""Nothing is kept about people of which export and erasure do not know."""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db import models

from exercises.actions.privacy.export import FILES
from exercises.actions.privacy.kinds import LINKS, SCANNED, TEXTS, links_of
from exercises.models import User

OTHER_FILES = {"problems/", "decks/"}


def columns() -> Iterator[tuple[str, Any]]:
    """Every column of every table, by the name that the lists of kinds have for it."""
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.concrete_fields:
            yield f"{model._meta.label}.{field.name}", field


def links() -> set[str]:
    found = {name for name, field in columns() if field.is_relation and field.related_model is User}
    # Which rights of Django somebody has, and nothing else.
    return found - {"exercises.User_groups.user", "exercises.User_user_permissions.user"}


def texts() -> set[str]:
    kinds = (models.CharField, models.TextField, models.JSONField, models.BinaryField, models.FileField)
    return {name for name, field in columns() if isinstance(field, kinds)}


def test_every_link_to_a_person_is_known() -> None:
    assert sorted(links() - LINKS.keys()) == [], "say in exercises/actions/privacy/kinds.py what becomes of it"
    assert sorted(LINKS.keys() - links()) == []


def test_every_column_that_takes_any_text_is_known() -> None:
    assert sorted(texts() - TEXTS.keys()) == [], "say in exercises/actions/privacy/kinds.py what becomes of it"
    assert sorted(TEXTS.keys() - texts()) == []


def test_a_link_that_is_added_is_found() -> None:
    fewer = {name: link for name, link in LINKS.items() if name != "exercises.Attempt.learner"}
    assert links() - fewer.keys() == {"exercises.Attempt.learner"}


def test_what_points_at_somebody_is_in_a_file_of_their_export() -> None:
    assert {link.file for link in LINKS.values()} <= FILES.keys() | OTHER_FILES


def test_whatever_hangs_on_a_person_by_deletion_is_decided_on_its_own() -> None:
    cascading = {
        f"{label}.{path}"
        for label, path, _ in links_of("act", "course")
        if apps.get_model(label)._meta.get_field(path).remote_field.on_delete is models.CASCADE
    }
    # Erasing never deletes the account while one of these is there.
    assert cascading == {
        f"exercises.{name}"
        for name in (
            "Enrolment.user", "Attempt.learner", "Override.learner", "Extension.learner", "Event.learner", "Deck.owner",
            "Webhook.owner", "Job.made_by",
        )
    }  # fmt: skip


def test_each_link_that_has_no_index_is_walked_through_only_for_whoever_acted() -> None:
    def begins_an_index(label: str, path: str) -> bool:
        model = apps.get_model(label)
        field = model._meta.get_field(path)
        listed = [
            tuple(one.fields) for one in (*model._meta.indexes, *model._meta.constraints) if hasattr(one, "fields")
        ]
        return field.db_index or field.unique or any(fields[0].lstrip("-") == path for fields in listed if fields)

    assert {name for name in LINKS if not begins_an_index(*name.rsplit(".", 1))} == SCANNED
