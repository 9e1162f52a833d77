"""The data of the small world."""

from exercises.actions import draw_variant
from exercises.models import User, Variant

#: The first worked example: three logits to a loss, with the mistakes people make.
MASKED = """
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
steps:
  powers:
    ask: Exponentiate each logit.
    is: exp(z)
    labels: words
    optional: true
  total:
    ask: Add them up.
    is: sum(powers)
  p:
    ask: Probability of the true word
    is: powers[t] / total
    hint: Which part of the whole is its power?
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
C1 = {"words": ["mat", "car", "sky"], "z": [2.0, 1.0, 0.0], "t": 0}
ALL_RIGHT = {"powers": ["7.389", "2.718", "1.000"], "total": "11.107", "p": "0.665", "loss": "0.408"}


def c1(learner: User) -> Variant:
    """A variant of the first worked example for that learner."""
    variant = draw_variant(learner=learner, slug="masked")
    variant.parameters = C1
    variant.save()
    return variant
