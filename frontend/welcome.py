"""The figures of the welcome page: three candidates for one masked slot, and what the true one costs."""

from functools import cache
from math import exp, log

from exercises.figures import Drawing, draw

WORDS = ("mat", "car", "sky")
LOGITS = (2.0, 1.0, 0.0)
FORMULA = r"\mathcal{L} = -\ln p_y,\qquad p_y = \frac{e^{z_y}}{\sum_{v} e^{z_v}}"


@cache
def welcome_figures() -> tuple[Drawing, ...]:
    """The softmax of three logits as bars, and the loss of the true word on the curve."""
    powers = [exp(logit) for logit in LOGITS]
    chances = [power / sum(powers) for power in powers]
    return (
        draw("bars", {"labels": WORDS, "values": chances, "highlight": 0}),
        draw("loss-curve", {"p": chances[0], "loss": -log(chances[0]), "label": WORDS[0]}),
    )
