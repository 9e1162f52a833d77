"""How the pages of attempts are asked for."""

from typing import Any

from django.test import Client
from django.urls import reverse

from exercises.models import Attempt, AttemptItem
from tests.exercises.sitting.world import place, variant_id


def page(name: str, attempt: Attempt, position: int | None = None, **more: Any) -> str:
    """The address of one of an attempt's pages."""
    kwargs = {"attempt_id": attempt.public_id, **({"position": position} if position else {}), **more}
    return reverse(f"frontend:{name}", kwargs=kwargs)


def form(attempt: Attempt, position: int = 1, **fields: Any) -> dict[str, Any]:
    """The fields of a place's form as its page would send them; ``p="0.665"`` fills a box."""
    item: AttemptItem = place(attempt, position)
    known = ("learner", "form", "variant", "based_on", "go", "sure", "do", "aside", "after")
    sent = {
        "learner": attempt.learner_id,
        "form": "a page",
        "variant": variant_id(item),
        "based_on": item.saved_version,
        "after": variant_id(item),
    }
    sent |= {name: value for name, value in fields.items() if name in known}
    return sent | {f"answer-{name}": value for name, value in fields.items() if name not in known}


def post(client: Client, name: str, attempt: Attempt, position: int = 1, *, script: bool = False, **fields: Any) -> Any:
    """Post the form of a place; as the script of the page does, or as a plain button."""
    headers = {"HX-Request": "true", "Accept": "application/json"} if script else {}
    step = {"step": fields.pop("step")} if "step" in fields else {}
    return client.post(page(name, attempt, position, **step), form(attempt, position, **fields), headers=headers)
