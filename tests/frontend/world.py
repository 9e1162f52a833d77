"""The data of the small world, and how its pages are asked for and read."""

import re
from html import unescape
from typing import Any

from django.test import Client
from django.urls import reverse

from exercises.actions import draw_variant
from exercises.models import User, Variant
from tests.exercises.catalogued import catalogued
from tests.exercises.world import C1

#: The first worked example with everything a problem page can show.
SHOWN = """
title: Loss at one masked token
summary: From three logits to the loss of the true word.
skills: [softmax, cross-entropy]
parameters:
  words: {choose: 3, from: [mat, car, sky, dog, tree]}
  z: {range: [-2, 4], step: 0.5, size: words}
  t: {index: words}
require:
  - max(z) > min(z)
statement: |
  The model scores three candidates for the masked slot.

  {{ table(words, z) }}

  The true word is **{{ words[t] }}**.
figure: {bars: softmax(z), labels: words, highlight: t, reveal: p}
forecast: Will the loss be below or above $\\ln 3$?
steps:
  powers: {ask: Exponentiate each logit., is: exp(z), labels: words, optional: true}
  total: {ask: Add them up., is: sum(powers)}
  p:
    ask: Probability of the true word
    hint: Take one share.
    is: powers[t] / total
    skill: softmax
    range: (0, 1)
    mistakes:
      no-exp: {is: "z[t] / sum(z)", says: "Softmax normalises exponentials, not the raw logits."}
  loss:
    ask: Loss at this slot, in nats
    is: -ln(p)
    skill: cross-entropy
    weight: 2
    mistakes:
      log2: {is: -log2(p), says: "That is the loss in bits: this course uses natural logs.", credit: 1/4}
"""
CHOICES = """
title: What softmax does
summary: Which claims hold.
skills: [softmax]
parameters:
  n: {range: [2, 5]}
statement: |
  Softmax of {{ n }} logits.
steps:
  claims:
    ask: Tick what holds.
    is: [1, 0, 1]
    kind: choices
    options: {sums: They sum to one., order: The order changes., positive: They are positive.}
  best:
    ask: Which is largest?
    is: 0
    kind: choice
    options: [first, last]
verify:
  - {holds: n > 0, says: There is at least one.}
"""


def synced() -> None:
    """Two problems, from a catalogue that holds nothing else."""
    catalogued({"masked": SHOWN, "claims": CHOICES})


def drawn(learner: User, slug: str = "masked") -> Variant:
    """A variant of that learner; of `masked` the one of the first worked example."""
    variant = draw_variant(learner=learner, slug=slug)
    if slug == "masked":
        variant.parameters = C1
        variant.save()
    return variant


def address(name: str, variant: Variant, **more: str) -> str:
    """The address of one of a variant's pages."""
    return reverse(f"frontend:{name}", kwargs={"public_id": variant.public_id, **more})


def send(client: Client, variant: Variant, *, script: bool = True, **fields: Any) -> Any:
    """Post the answer form; `p="0.665"` fills a box, `check` names the button."""
    form = {"form": "a-form", "check": fields.pop("check", "*"), "learner": fields.pop("learner", variant.learner_id)}
    form |= {f"answer-{name}": typed for name, typed in fields.items()}
    return client.post(address("answers", variant), form, headers={"HX-Request": "true"} if script else {})


def words(html: str) -> str:
    """The visible words of a page or a fragment, formulas left out."""
    without = re.sub(r"<(math|script|style|title|svg)\b.*?</\1>", " ", html, flags=re.S)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", without))).strip()


def part(html: str, element_id: str) -> str:
    """The words of the element with that id (to its matching end tag)."""
    start = re.search(rf'<(\w+)[^>]*\bid="{re.escape(element_id)}"[^>]*>', html)
    assert start, f"There is no element #{element_id}."
    depth = 1
    for tag in re.finditer(rf"<(/?){start[1]}\b[^>]*>", html[start.end() :]):
        depth += -1 if tag[1] else 1
        if depth == 0:
            return words(html[start.end() : start.end() + tag.start()])
    raise AssertionError(f"#{element_id} never ends.")


def value_of(html: str, box_id: str) -> str:
    """What stands in a text box."""
    tag = re.search(rf'<input[^>]*\bid="{re.escape(box_id)}"[^>]*>', html, flags=re.S)
    assert tag, f"There is no box #{box_id}."
    found = re.search(r'\bvalue="([^"]*)"', tag[0])
    return unescape(found[1]) if found else ""
