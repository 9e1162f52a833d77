"""An item that two people changed: what stands there now beside what was typed, in the words of its form."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from exercises.actions.sets.items import ItemDetails
from exercises.courses.item_details import weight_text
from frontend.sets.item_form import ItemForm, value_words
from frontend.typeset import with_minus

ASKED = {"all": "all of them", "final": "the final ones only"}
VARIANTS = "Variants for each learner"
UNCHANGED = "as the problem says"


class Difference(NamedTuple):
    """One thing that stands there otherwise than it was typed; words that may hold TeX."""

    label: str
    now: str
    typed: str


def differences(there: ItemForm, typed: ItemForm) -> list[Difference]:
    """What two forms say otherwise, in the order of the form; of what cannot be read, nothing."""
    now, said = _words(there), _words(typed)
    if VARIANTS not in said:  # in practice there are as many as one likes, and no box for them
        now.pop(VARIANTS, None)
    labels = [*now, *(label for label in said if label not in now)]
    pairs = [Difference(label, now.get(label, UNCHANGED), said.get(label, UNCHANGED)) for label in labels]
    return [pair for pair in pairs if pair.now != pair.typed]


def _words(form: ItemForm) -> dict[str, str]:
    """All that a form says, by its labels."""
    details = form.details()
    if details is None:
        return {}
    steps = {tick.value: tick.words for tick, _ in form.steps}
    return {
        "Weight": weight_text(details.weight),
        **({VARIANTS: str(details.variants)} if "variants" in form.typed else {}),
        "Pool": details.pool.name if details.pool else "none",
        "Version": f"version {details.base.number}, for good" if details.base else "the current one",
        "Steps that are asked": ASKED.get(form.asked_kind)
        or ", ".join(steps.get(name, name) for name in details.asked or ()),
        **_adapted(details),
    }


def _adapted(details: ItemDetails) -> dict[str, str]:
    """What is changed of the problem."""
    parameters: Mapping[str, Mapping[str, Any]] = details.adaptation.get("parameters", {})
    found = {f"What {name} is drawn from": _drawn(change) for name, change in parameters.items()}
    if digits := details.adaptation.get("digits"):
        found["Digits of the answers"] = str(digits)
    return found


def _drawn(change: Mapping[str, Any]) -> str:
    if "range" in change:
        return " to ".join(with_minus(str(end)) for end in change["range"])
    if "pick" in change:
        return ", ".join(value_words(value) for value in change["pick"])
    return f"{change['choose']} words"
