"""Texts that mean harm, or are only far too large, are answered soon and harm nobody."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from exercises.actions.authoring import AuthoringRefused, quick_check, save_draft
from exercises.models import User
from exercises.queries.authoring import completions, difference, faults, outline, preview, tried
from grader.errors import ProblemError
from grader.problem import load
from grader.rewriting import rewritten
from tests.exercises.authoring.world import SMALL, written
from tests.grader.tiny import source

#: Seconds that a shared machine with a great deal to do may take for what takes a tenth of it.
SOON = 3.0

REFUSED = {
    "aliases": "a: &a [x, x]\n" + "".join(f"b{k}: &b{k} [*a, *a]\n" for k in range(15)),
    "ten megabytes": "[" * 10_000_000,
    "deep": "[" * 60_000,
    "deep blocks": "\n".join(" " * k + "a:" for k in range(340)),
    "many values": "- a\n" * 15_000,
    "many keys": "".join(f"k{k}: 1\n" for k in range(7_000)),
    "merge keys": "a: {b: 1}\n<<: {c: 1}\n",
    "a tag": "title: !!python/object/apply:os.system [ls]\n",
    "a long formula": SMALL.replace("x / 7", "x + " * 300 + "1"),
    "a deep formula": SMALL.replace("x / 7", "abs(" * 70 + "x" + ")" * 70),
    "an attribute": SMALL.replace("x / 7", "x.__class__"),
    "a call": SMALL.replace("x / 7", '__import__("os")'),
    "a template": SMALL.replace("{{ x }}", "{{ x.__class__ }}"),
    "a text too long": SMALL.replace("{{ x }}", "{{ x }}" * 900),
    "no digits": SMALL.replace("steps:", "digits: {answer: 0}\nsteps:"),
    "negative credit": SMALL.replace("{is: x / 8,", "{is: x / 8, credit: -0.1,"),
    "a word for credit": SMALL.replace("{is: x / 8,", '{is: x / 8, credit: "5 %",'),
    "nul": "title: \x00",
    "half a character": "title: \ud800",
    "nothing": "",
    "a number": "7",
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_at_once_wherever_it_is_given(name: str) -> None:
    text = REFUSED[name]
    asks: list[Callable[[], Any]] = [
        lambda: faults(text),
        lambda: preview(text, range(6)).faults,
        lambda: tried(text, seed=1, answers={}).faults,
    ]
    for ask in asks:
        began = time.thread_time()
        assert ask()
        assert time.thread_time() - began < SOON
    for free in (lambda: outline(text), lambda: completions(text, 1, 3), lambda: difference(text, SMALL)):
        began = time.thread_time()
        free()
        assert time.thread_time() - began < SOON
    with pytest.raises(ProblemError):
        load(text)


@pytest.mark.parametrize("name", REFUSED)
def test_a_form_never_changes_it(name: str) -> None:
    with pytest.raises(ProblemError):
        rewritten(load(REFUSED[name]).title, {("title",): "x"})


SLOW = {
    "matrices": source(
        {f"s{k}": "+".join(["sum(matvec(W,v))"] * 20) for k in range(12)},
        {"W": {"range": [0.1, 9], "step": 0.1, "size": [60, 60]}, "v": {"range": [1, 9], "size": 60}},
    ),
    "mistakes": source(
        {
            f"s{k}": {"is": f"x+{k}.37", "mistakes": {f"m{j}": {"is": f"x*{j}.7", "says": "w"} for j in range(2, 40)}}
            for k in range(20)
        }
    ),
    "no draw fits": source({"s": "x + 0.5"}, require=["x > 10"]),
}


@pytest.mark.parametrize("name", SLOW)
def test_what_is_far_too_large_comes_to_an_end(alice: User, name: str) -> None:
    began = time.thread_time()
    report = quick_check(author=alice, source=SLOW[name])
    assert time.thread_time() - began < 20
    assert not report["passed"]
    json.dumps(report, allow_nan=False)
    began = time.thread_time()
    preview(SLOW[name], range(6))
    assert time.thread_time() - began < 10


@pytest.mark.parametrize("name", ["ten megabytes", "nul", "half a character"])
def test_what_no_table_can_hold_is_not_stored(alice: User, name: str) -> None:
    problem = written(alice)
    with pytest.raises(AuthoringRefused):
        save_draft(author=alice, problem=problem, source=REFUSED[name], revision=2)


def test_hostile_markdown_stays_text() -> None:
    """Whatever is drawn into a statement is Markdown that the page sanitises; nothing here makes it anything else."""
    text = SMALL.replace("What is", r"<script>alert(1)</script> $\href{javascript:alert(1)}{x}$ [a](javascript:b)")
    assert faults(text) == []
    assert "<script>" in preview(text, [1]).panes[0].statement
