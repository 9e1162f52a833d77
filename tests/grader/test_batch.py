"""A batch is marked like its submissions one by one."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import AnswerError, ParameterError
from grader.marking import Task, mark, mark_batch
from grader.problem import Problem
from grader.sampling import draw
from grader.solution import solve
from tests.grader.tiny import C1, C2, C3, examples, masked_token, tiny, wrong

GARBAGE = st.one_of(
    st.text("0123456789.,-e/ ", max_size=8), st.sampled_from(["", "x", "1e999", "0", "-1", "undefined"])
)

EVERYTHING = tiny(
    {
        "p": {"is": "softmax(z)", "range": "(0, 1)", "mistakes": {"no-exp": wrong("z / sum(z)")}},
        "picked": {"is": "p[t]", "ask": None, "mistakes": {"largest": wrong("max(p)", credit="1/2")}},
        "loss": {"is": "-ln(picked)", "mistakes": {"log2": wrong("-log2(picked)"), "sign": wrong("ln(picked)")}},
        "best": {"is": "argmax(p)", "kind": "choice", "options": "words", "mistakes": {"least": wrong("argmin(p)")}},
        "above": {"is": "z > 0", "kind": "choices", "options": "words"},
        "n": {"is": "len(z)", "kind": "count", "optional": True},
        "mean": {"is": "where(n > 2, sum(z) / n, 0 / 0)", "undefined": True},
        "size": {"is": "[n, 768]", "kind": "shape"},
        "name": {"kind": "text", "accept": ["softmax"]},
    },
    {
        "n0": {"range": [2, 4]},
        "words": {"choose": "n0", "from": "nouns"},
        "z": {"range": [-3, 3], "step": 0.5, "size": "words"},
        "t": {"index": "words"},
    },
)
CLOSE = tiny(
    {
        "a": {"is": "sqrt(x) * 1000", "ask": None},
        "b": {"is": "sqrt(x) * 1000 + 0.2", "ask": None},
        "s": {"is": "a + b", "mistakes": {"minus": wrong("b - a")}},
        "u": {"is": "2 * s", "mistakes": {"half": wrong("s / 2")}},
    }
)


def one_by_one(problem: Problem, tasks: list[Task]) -> list[Any]:
    return [mark(problem, task.parameters, task.answers, locale=task.locale, only=task.only) for task in tasks]


def has_value(value: Any) -> bool:
    return value is not None and not (isinstance(value, list) and None in value)


def plausible(problem: Problem, parameters: dict[str, Any], step: str, source: random.Random) -> Any:
    """The key, a mistake's value, the key with the wrong sign, or a neighbour of one of them, as it would be typed."""
    solution = solve(problem, parameters)
    values = [solution.values, *(entry["steps"] for entry in solution.mistakes.values())]
    value = source.choice([found[step] for found in values if has_value(found.get(step))] or ["x"])
    factor, digits = source.choice([1, 1, 1, 1, -1, 10, 1.001, 1.01]), source.choice([2, 3, 4, 12])

    def typed(entry: Any) -> str:
        return entry if isinstance(entry, str) else f"{entry * factor:.{digits}g}"

    if problem.step(step).kind == "shape":
        return " x ".join(str(size) for size in value)
    return [typed(entry) for entry in value] if isinstance(value, list) else typed(value)


def random_task(problem: Problem, seed: int, garbage: list[str]) -> Task:
    source = random.Random(seed)
    parameters = draw(problem, source.randrange(12))
    answers = {}
    for step in problem.asked:
        kind = source.random()
        if kind < 0.6:
            answers[step.name] = plausible(problem, parameters, step.name, source)
        elif kind < 0.8:
            answers[step.name] = source.choice(garbage)
    only = source.choice([None, None, [step.name for step in problem.asked if source.random() < 0.6]])
    return Task(parameters, answers, source.choice(["en", "de"]), only)


@pytest.mark.parametrize("name", ["masked-token", "every-kind", "close"])
@given(
    st.lists(st.integers(0, 2**32), min_size=1, max_size=12), st.lists(GARBAGE, min_size=1, max_size=4), st.randoms()
)
@examples(20)
def test_a_batch_is_marked_like_its_answers_one_by_one(
    name: str, seeds: list[int], garbage: list[str], order: random.Random
) -> None:
    problem = {"masked-token": masked_token(), "every-kind": EVERYTHING, "close": CLOSE}[name]
    tasks = [random_task(problem, seed, garbage) for seed in seeds]
    alone = one_by_one(problem, tasks)
    assert mark_batch(problem, tasks) == alone
    places = list(range(len(tasks)))
    order.shuffle(places)
    assert mark_batch(problem, [tasks[k] for k in places]) == [alone[k] for k in places]


def test_a_large_batch_is_marked_like_its_answers_one_by_one() -> None:
    tasks = [random_task(masked_token(), seed, ["x", "0.5"]) for seed in range(150)]
    assert mark_batch(masked_token(), tasks) == one_by_one(masked_token(), tasks)


@pytest.mark.parametrize("typed", ["0.2", "0.9", "-0.5", "1.19", "1.3", "2828", "2832.9", "5700"])
def test_a_wide_mistake_is_found_in_a_batch_as_alone(typed: str) -> None:
    tasks = [Task({"x": x}, {"s": typed, "u": typed}) for x in (2, 3, 2)]
    alone = one_by_one(CLOSE, tasks)
    assert mark_batch(CLOSE, tasks) == alone
    if typed in ("0.9", "-0.5"):
        mark_alone = alone[0].mark_of("s")
        assert mark_alone is not None
        assert mark_alone.note == "s.minus"


def test_variants_of_different_sizes_go_into_one_batch() -> None:
    tasks = [Task(C3, {"p": "0.25"}), Task(C1, {"p": "0.25"}), Task(C2, {"loss": "3.09"}), Task(C3, {"loss": "1.39"})]
    assert mark_batch(masked_token(), tasks) == one_by_one(masked_token(), tasks)


def test_an_answer_is_marked_alike_whoever_stands_beside_it() -> None:
    task = Task(C1, {"p": "0.6667", "loss": "0.4055"})
    lone = mark(masked_token(), C1, task.answers)
    for other in ({}, {"p": "0.665"}, {"powers": ["1", "2", "3"], "total": "6"}, {"loss": "abc", "total": "1e300"}):
        assert mark_batch(masked_token(), [Task(C1, other), task, Task(C2, other)])[1] == lone


def test_an_empty_batch_has_no_verdicts() -> None:
    assert mark_batch(masked_token(), []) == []


def test_marking_again_changes_nothing() -> None:
    tasks = [random_task(EVERYTHING, seed, ["0.5"]) for seed in range(20)]
    assert mark_batch(EVERYTHING, tasks) == mark_batch(EVERYTHING, tasks)


@pytest.mark.parametrize(
    ("task", "error"),
    [(Task({"z": 1}, {}), ParameterError), (Task(C1, {"q": "1"}), AnswerError)],
    ids=["parameters", "answers"],
)
def test_a_task_that_is_none_stops_the_batch_with_the_reason(task: Task, error: type[Exception]) -> None:
    with pytest.raises(error):
        mark_batch(masked_token(), [Task(C1, {"p": "0.665"}), task])
