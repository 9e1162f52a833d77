"""The guided form: what it shows and sends back unchanged is the same file, and what it changes is changed there."""

from fractions import Fraction
from typing import Any

import pytest

from exercises import catalogue
from grader.adapting import AdaptError
from grader.errors import ProblemError
from grader.guided import edited, guided
from grader.problem import load

SOURCE = catalogue.source("masked-token-loss")


def _as_texts(value: Any) -> Any:
    """What a form sends: every number as text, lines ended as text areas end them."""
    if isinstance(value, dict):
        return {key: _as_texts(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_texts(item) for item in value]
    return value if isinstance(value, bool) else str(value).replace("\n", "\r\n")


@pytest.mark.parametrize("slug", catalogue.slugs())
@pytest.mark.parametrize("is_text", [False, True])
def test_opened_and_saved_a_file_is_the_same_byte_for_byte(slug: str, is_text: bool) -> None:
    source = catalogue.source(slug)
    form = guided(source)
    parameters = {
        # What is picked are values, not formulas: a form sends them as what they are.
        name: entry if not is_text or "pick" in entry else _as_texts(entry)
        for name, entry in form.parameters.items()
    }
    saved = edited(
        source,
        title=form.title,
        summary=form.summary + " ",
        statement=_as_texts(form.statement) if is_text else form.statement,
        working=form.working,
        digits=form.answer,
        parameters=parameters,
        mistakes=_as_texts(form.mistakes) if is_text else form.mistakes,
    )
    assert saved == source


def test_one_change_changes_one_line() -> None:
    changed = edited(SOURCE, parameters={"z": {"range": ["-1", "5"], "step": "0.5"}})
    assert changed == SOURCE.replace(
        "{range: [-2, 4], step: 0.1, size: words}", "{range: [-1, 5], step: 0.5, size: words}"
    )
    changed = edited(SOURCE, mistakes={"loss": {"log2": {"credit": "1/2"}}})
    assert changed == SOURCE.replace("credit: 1/4", "credit: 1/2", 1)


def test_a_mistake_is_added_changed_and_taken_out() -> None:
    changes = {
        "loss": {
            "twice": {
                "is": "-2 * ln(p)",
                "says": "The loss was doubled: it counts once.",
                "credit": "1/2",
                "seldom": False,
            },
            "log10": None,
            "log2": {"says": "Bits:\r\nuse ln."},
        }
    }
    step = load(edited(SOURCE, mistakes=changes)).step("loss")
    by_tag = {mistake.tag: mistake for mistake in step.mistakes}
    assert "log10" not in by_tag
    assert by_tag["log2"].says.source == "Bits:\nuse ln."
    assert by_tag["twice"].credit == Fraction(1, 2)
    assert list(by_tag)[-1] == "twice"


def test_a_step_without_mistakes_gets_its_first_one() -> None:
    bare = edited(SOURCE, mistakes={"total": {"raw": None}})
    assert load(bare).step("total").mistakes == ()
    again = edited(bare, mistakes={"total": {"raw": {"is": "sum(z)", "says": "Exponentiate first."}}})
    assert [mistake.note for mistake in load(again).step("total").mistakes] == ["total.raw"]


def test_texts_and_digits_are_changed_in_their_places() -> None:
    statement = "A model scores three words.\r\n\r\n{{ table(words, z) }}\r\nIt was **{{ words[t] }}**: 10 % off.\r\n"
    problem = load(edited(SOURCE, title="Mine: #1", statement=statement, working=5, digits=4))
    assert problem.title == "Mine: #1"
    assert problem.statement.source == statement.replace("\r\n", "\n")
    assert (problem.working, problem.step("loss").digits) == (5, 4)


def test_a_key_is_taken_out_with_none() -> None:
    assert edited(SOURCE, parameters={"z": {"step": None}}) == SOURCE.replace(", step: 0.1", "")


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"parameters": {"nobody": {"step": 1}}}, "nobody"),
        ({"parameters": {"z": {"symbol": "y"}}}, "z"),
        ({"mistakes": {"nobody": {}}}, "nobody"),
        ({"mistakes": {"loss": {"log2": {"also": {}}}}}, "loss.mistakes.log2"),
        ({"digits": 5}, ""),
        ({"digits": 1}, ""),
        ({"digits": 0}, ""),
        ({"working": 2}, ""),
    ],
)
def test_what_a_form_cannot_change_is_refused_by_name(changes: dict[str, Any], where: str) -> None:
    with pytest.raises(AdaptError) as refused:
        edited(SOURCE, **changes)
    assert refused.value.where == where


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"mistakes": {"loss": {"bad": {"is": "lnn(p)", "says": "x"}}}}, "steps.loss.mistakes.bad.is"),
        ({"mistakes": {"loss": {"bad": {"is": "ln(p)"}}}}, "steps.loss.mistakes.bad.says"),
        ({"mistakes": {"loss": {"BAD TAG": {"is": "ln(p)", "says": "x"}}}}, "steps.loss.mistakes.BAD TAG.[key]"),
        ({"mistakes": {"loss": {"log2": {"credit": "-1/4"}}}}, "steps.loss.mistakes.log2.credit"),
        ({"parameters": {"z": {"step": "0"}}}, "parameters.z.step"),
        ({"parameters": {"z": {"step": "nan"}}}, "parameters.z.step"),
        ({"parameters": {"z": {"range": ["a b", 3]}}}, "parameters.z.range.0"),
        ({"parameters": {"words": {"from": "nobody"}}}, "parameters.words.from"),
        ({"title": ""}, "title"),
        ({"statement": "{{ nobody }}"}, "statement"),
    ],
)
def test_what_is_no_problem_any_more_is_refused_with_line_and_key(changes: dict[str, Any], key: str) -> None:
    with pytest.raises(ProblemError) as refused:
        edited(SOURCE, **changes)
    assert refused.value.faults[0].key == key
    assert refused.value.faults[0].line > 1 or key == "title"


def test_the_form_shows_what_stands_in_the_file() -> None:
    form = guided(SOURCE)
    assert form.parameters["z"] == {"range": [-2, 4], "step": 0.1, "size": "words"}
    assert form.mistakes["loss"]["log2"]["is"] == "-log2(p)"
    assert [step.name for step in form.steps] == ["powers", "total", "p", "loss"]
    assert (form.working, form.answer) == (4, 3)
