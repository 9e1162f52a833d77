"""The form of an item: its fields follow from the problem, so they are written out by hand and not declared."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from exercises.actions.sets.items import ItemDetails
from exercises.courses.adaptation import Adaptation, Offers, number_text, offers_of, read_adaptation, typed_of
from exercises.courses.item_details import (
    MOST_VARIANTS,
    ItemError,
    final_steps,
    read_count,
    read_weight,
    weight_text,
)
from exercises.loading import loaded
from exercises.models import Pool, ProblemVersion, SetItem
from exercises.refusals import ProblemBroken
from exercises.set_rows import base_of
from frontend.typeset import with_minus
from grader.errors import ProblemError
from grader.graph import Problem

#: Longer values of a parameter are told by their beginning.
LONGEST_VALUE = 60
CURRENT = "current"


@dataclass(frozen=True)
class Box:
    """One text box: its name, label, what stands in it, and what is wrong with it."""

    name: str
    label: str
    value: str
    error: str
    help: str = ""


@dataclass(frozen=True)
class Tick:
    """One box to tick: the value that is sent, its words, and whether it is ticked."""

    value: str
    words: str
    ticked: bool


@dataclass(frozen=True)
class Ticks:
    """Boxes to tick that belong together."""

    name: str
    label: str
    ticks: list[Tick]
    error: str


@dataclass
class ItemForm:
    """What is typed about one item, by the names of the form; ``errors`` by the same names, "" for the whole.

    ``base`` is the version that the steps and what can be changed are those of.
    """

    item: SetItem
    versions: Sequence[ProblemVersion]
    pools: Sequence[Pool]
    typed: Mapping[str, Sequence[str]]
    errors: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, item: SetItem, versions: Sequence[ProblemVersion], pools: Sequence[Pool]) -> "ItemForm":
        """What stands there. ``item`` comes from ``set_contents.item_at``."""
        form = cls(item, versions, pools, {})
        base = base_of(item)
        form.typed = {
            "weight": [weight_text(item.weight)],
            "variants": [str(item.variants)],
            "version": [str(base.pk) if base else CURRENT],
            "pool": [str(item.pool_id or "")],
            "asked-kind": [form._kind_of_asked()],
            "asked": list(item.asked or form._names()),
            **typed_of(form.offers, item.adaptation),
        }
        return form

    @property
    def base(self) -> ProblemVersion | None:
        """The version that is chosen in the form, the current one where that is none."""
        said = self.text("version")
        chosen = next((version for version in self.versions if str(version.pk) == said), None)
        return chosen or (base_of(self.item) if not said else None) or self.item.problem.current

    @property
    def problem(self) -> Problem | None:
        """The problem that is asked; None where it can no longer be read."""
        try:
            return loaded(self.base) if self.base else None
        except ProblemBroken:
            return None

    @property
    def offers(self) -> Offers:
        """What may be changed of it."""
        try:
            return offers_of(self.base.source) if self.base else Offers()
        except ProblemError:
            return Offers()

    def text(self, name: str) -> str:
        """What stands in one box."""
        return (list(self.typed.get(name, ())) or [""])[-1]

    def details(self) -> ItemDetails | None:
        """What the form says, if everything in it can be read; else ``errors`` say what to mend."""
        weight, variants = self._read("weight", read_weight), 1
        if "variants" in self.typed:
            variants = self._read("variants", _variants) or 1
        base = next((version for version in self.versions if str(version.pk) == self.text("version")), None)
        if base is None and self.text("version") not in (CURRENT, ""):
            self.errors["version"] = "This version is not there any more: choose another."
        pool = next((pool for pool in self.pools if str(pool.pk) == self.text("pool")), None)
        if pool is None and self.text("pool"):
            self.errors["pool"] = "This pool is not there any more: choose another."
        adaptation = self._adaptation()
        self.errors |= adaptation.faults
        asked = self._asked()
        if self.errors or weight is None:
            return None
        return ItemDetails(
            weight=weight, variants=variants, asked=asked, base=base, pool=pool, adaptation=adaptation.kept
        )

    @property
    def asked_kind(self) -> str:
        """Which of the three ways to choose steps is chosen."""
        return self.text("asked-kind") or "all"

    @property
    def steps(self) -> list[tuple[Tick, str]]:
        """The steps that can be asked, each with a note."""
        problem = self.problem
        chosen = set(self.typed.get("asked", ()))
        final = set(final_steps(problem)) if problem else set()
        return [
            (
                Tick(step.name, step.ask.unfilled if step.ask else step.name, step.name in chosen),
                "final" if step.name in final else "weighs nothing" if not step.must_be_answered else "",
            )
            for step in (problem.asked if problem else ())
        ]

    @property
    def chosen_version(self) -> int | None:
        """The version that is fixed; None is the current one when somebody begins."""
        said = self.text("version")
        return next((version.pk for version in self.versions if str(version.pk) == said), None)

    @property
    def chosen_pool(self) -> int | None:
        """The pool it is in."""
        said = self.text("pool")
        return next((pool.pk for pool in self.pools if str(pool.pk) == said), None)

    @property
    def ranges(self) -> list[tuple[str, list[Box]]]:
        """For each parameter with a range the boxes of its ends."""
        found = []
        for offer in self.offers.ranges:
            low, high, step = (with_minus(number_text(end)) for end in (offer.low, offer.high, offer.step))
            words = f"{low} to {high} in steps of {step}"
            ends = [self._box(f"{offer.name}-{end}", {"low": "From", "high": "to"}[end]) for end in ("low", "high")]
            found.append((f"{offer.name}: {words}", ends))
        return found

    @property
    def picks(self) -> list[Ticks]:
        """For each parameter that is picked from a list the values to leave in."""
        found = []
        for offer in self.offers.picks:
            name = f"{offer.name}-pick"
            chosen = set(self.typed.get(name, ()))
            pairs = zip(offer.keys, offer.values, strict=True)
            ticks = [Tick(key, value_words(value), key in chosen) for key, value in pairs]
            found.append(Ticks(name, f"{offer.name}: one of these", ticks, self.errors.get(name, "")))
        return found

    @property
    def counts(self) -> list[Box]:
        """For each choice of words how many."""
        return [
            self._box(f"{offer.name}-count", f"{offer.name}: how many words", help=f"From 2 to {offer.count}.")
            for offer in self.offers.counts
        ]

    @property
    def digits(self) -> Box | None:
        """How many digits are asked for, where answers are rounded."""
        offers = self.offers
        if offers.digits is None:
            return None
        bounds = f"from {offers.least_digits} to {offers.most_digits}"
        words = f"Significant digits, {bounds}; the problem says {offers.digits}."
        return self._box("digits", "Digits of the answers", help=words)

    @property
    def weight(self) -> Box:
        """What it weighs."""
        return self._box("weight", "Weight", help="An exact decimal, such as 2 or 0.7. A pool's weight goes before it.")

    @property
    def variants(self) -> Box:
        """How many variants each learner is given."""
        return self._box("variants", "Variants for each learner", help="Each is scored by itself with this weight.")

    def _box(self, name: str, label: str, help: str = "") -> Box:  # noqa: A002 - the word for it
        return Box(name, label, self.text(name), self.errors.get(name, ""), help)

    def _read(self, name: str, reading: Any) -> Any:
        try:
            return reading(self.text(name))
        except ItemError as error:
            self.errors[name] = str(error)
            return None

    def _adaptation(self) -> Adaptation:
        return read_adaptation(self.offers, self.typed)

    def _asked(self) -> list[str] | None:
        problem = self.problem
        if problem is None or self.asked_kind == "all":
            return None
        if self.asked_kind == "final":
            return final_steps(problem)
        return list(self.typed.get("asked", ()))

    def _names(self) -> list[str]:
        problem = self.problem
        return [step.name for step in problem.asked] if problem else []

    def _kind_of_asked(self) -> str:
        problem = self.problem
        if self.item.asked is None or problem is None:
            return "all"
        return "final" if self.item.asked == final_steps(problem) else "list"


def _variants(text: str) -> int:
    return read_count(text, least=1, most=MOST_VARIANTS, what="the variants")


def value_words(value: Any) -> str:
    """One value that a parameter may be picked as, cut where it is long."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return with_minus(text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…")
