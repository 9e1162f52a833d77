"""Problem files: what is read from them, and that every fault names its line and key."""

import random
import re
from fractions import Fraction
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import Fault, ProblemError
from grader.problem import json_schema, load
from tests.grader.tiny import MASKED_TOKEN, examples, masked_token, source, tiny, wrong

TEXT = MASKED_TOKEN.read_text(encoding="utf-8")


def faults(text: str) -> list[str]:
    with pytest.raises(ProblemError) as caught:
        load(text)
    assert caught.value.faults
    return [str(fault) for fault in caught.value.faults]


def line_of(text: str, piece: str) -> int:
    return text[: text.index(piece)].count("\n") + 1


def test_a_problem_holds_what_its_file_says() -> None:
    problem = masked_token()
    assert problem.title == "Loss at one masked token"
    assert problem.skills == ("softmax", "cross-entropy")
    assert [parameter.name for parameter in problem.parameters] == ["words", "z", "t"]
    assert [step.name for step in problem.steps] == ["powers", "total", "p", "loss"]
    assert [step.kind for step in problem.steps] == ["vector", "number", "number", "number"]
    assert problem.step("p").skill == "softmax"
    assert [mistake.note for mistake in problem.step("p").mistakes] == ["p.no-exp", "p.argmax", "p.not-normalised"]


def test_a_scaffold_step_weighs_nothing_and_another_one_weighs_one() -> None:
    weights = [step.weight for step in masked_token().steps]
    assert weights == [0, 0, 1, 2]
    assert masked_token().step("powers").optional


def test_credit_and_weight_are_exact_fractions() -> None:
    problem = tiny({"a": {"is": "2 * x", "weight": "1/3", "mistakes": {"half": wrong("x / 2", credit="2/7")}}})
    assert problem.step("a").weight == Fraction(1, 3)
    assert problem.step("a").mistakes[0].credit == Fraction(2, 7)
    assert masked_token().step("loss").mistakes[0].credit == Fraction(1, 4)
    assert masked_token().step("loss").mistakes[1].credit == 0


def test_four_digits_are_worked_with_and_three_asked_unless_the_file_says_otherwise() -> None:
    assert (masked_token().working, masked_token().step("p").digits) == (4, 3)
    problem = tiny({"a": "2 * x", "b": {"is": "3 * x", "digits": 5}}, digits={"working": 6, "answer": 2})
    assert (problem.working, problem.step("a").digits, problem.step("b").digits) == (6, 2, 5)


def test_equal_texts_are_one_problem_and_another_text_is_another() -> None:
    assert load(TEXT).digest == masked_token().digest
    assert load(TEXT + "\n").digest != masked_token().digest


def test_words_such_as_no_and_on_stay_words() -> None:
    problem = load(source({"a": "t"}, {"words": {"choose": 2, "from": ["no", "yes"]}, "t": {"index": "words"}}))
    assert problem.parameters[0].words == ("no", "yes")
    plain = load(TEXT.replace("from: nouns", "from: [on, off, no, yes, 2026-11-29]"))
    assert plain.parameters[0].words == ("on", "off", "no", "yes", "2026-11-29")


@pytest.mark.parametrize(
    ("old", "new", "key", "says"),
    [
        ("title: Loss", "titel: Loss", "titel", "not known"),
        ("summary: From three logits to the cross-entropy of the true word.\n", "", "summary", "required"),
        ("is: -ln(p)\n", "is: -log(p)\n", "steps.loss.is", "write ln, log2 or log10"),
        ("is: -ln(p)\n", "is: -ln(q)\n", "steps.loss.is", "q is not known here"),
        ("is: sum(powers)", "is: sum(loss)", "steps.total.is", "loss is not known here"),
        ("is: powers[t] / total", "is: powers[t / total", "steps.p.is", "brackets"),
        ("is: -ln(p)\n", "is: -ln(p))\n", "steps.loss.is", "brackets"),
        ("{is: max(powers) / total,", "{is: max(power) / total,", "steps.p.mistakes.argmax.is", "power is not known"),
        ("{is: max(powers) / total,", "{is: powers / total,", "steps.p.mistakes.argmax.is", "a number is needed"),
        ("credit: 1/4", "credit: most", "steps.loss.mistakes.log2.credit", "fraction"),
        ("credit: 1/4", "credit: -1", "steps.loss.mistakes.log2.credit", "fraction"),
        ("weight: 2", "weight: true", "steps.loss.weight", "fraction"),
        ("range: (0, 1)", "range: between 0 and 1", "steps.p.range", "pattern"),
        ("skill: softmax", "skill: arithmetic", "steps.p.skill", "not among the skills"),
        ("labels: words\n    optional", "labels: wordz\n    optional", "steps.powers.labels", "words"),
        ("from: nouns", "from: noons", "parameters.words.from", "no word list noons"),
        ("choose: 3, from: nouns", "choose: 3", "parameters.words", "choose and from belong together"),
        ("t:     {index: words}", "t:     {index: wordz}", "parameters.t.index", "no earlier parameter"),
        ("t:     {index: words}", "t:     {index: z, pick: [1]}", "parameters.t", "exactly one"),
        ("step: 0.5", "step: 0", "parameters.z.step", "greater than 0"),
        ("range: [-2, 4]", "range: [-2, y]", "parameters.z.range", "y is not known"),
        ("- max(z) > min(z)", "- max(z) > min(p)", "require.0", "p is not known"),
        ("- max(z) > min(z)", "- z > min(z)", "require.0", "a number is needed"),
        ("{{ words[t] }}**.", "{{ words[t] **.\n  {{ p }}", "statement", ""),
        ("{{ words[t] }}**.", "{{ p }}**.", "statement", "p is not known here"),
        ("ask: Add them up.", "ask: Add {{ powers }} up.", "steps.total.ask", "powers is not known here"),
        ("reveal: p}", "reveal: q}", "figure.reveal", "q is no step"),
        ("figure: {bars: softmax(z),", "figure: {bars: softmax(z), funnel: [1, 2],", "figure", "exactly one"),
        ("{holds: abs(sum", "{holds: abs(summ", "verify.0.holds", "no function summ"),
        ("  total:\n", "  z:\n", "steps.z", "z is a parameter already"),
        ("  total:\n", "  lambda:\n", "steps.lambda", "meaning of its own"),
        ("optional: true\n  p:", "optional: perhaps\n  p:", "steps.total.optional", "boolean"),
        ("  total:\n", "  to-tal:\n", "steps.to-tal", ""),
    ],
)  # fmt: skip
def test_a_fault_names_its_line_and_key(old: str, new: str, key: str, says: str) -> None:
    assert old in TEXT
    broken = TEXT.replace(old, new, 1)
    found = faults(broken)
    assert any(f", {key}" in fault and re.search(says, fault) for fault in found), found
    told = next(fault for fault in found if f", {key}" in fault)
    at = int(re.match(r"line (\d+),", told).group(1))  # type: ignore[union-attr]
    last = key.rsplit(".", maxsplit=1)[-1]
    assert at == 1 or last in broken.splitlines()[at - 1] or last.isdigit(), told


def test_every_fault_of_a_file_is_told_at_once() -> None:
    broken = TEXT.replace("is: -ln(p)\n", "is: -ln(q)\n").replace("is: sum(powers)", "is: summ(powers)")
    found = faults(broken)
    assert [fault.split(":")[0] for fault in found] == [
        f"line {line_of(broken, 'is: summ')}, steps.total.is", f"line {line_of(broken, 'is: -ln(q)')}, steps.loss.is",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 1, "mapping"), ("[]", 1, "mapping"), ("just words", 1, "mapping"), ("title: a\ntitle: b", 2, "twice"),
        ("title: a\nsteps: {a: 1, a: 2}", 2, "twice"), ("a: 1\nb: [", 2, "not YAML"), ("a: b: c", 1, "not YAML"),
        ("a: &x 1\nb: *x", 1, "aliases"), ("\na: *x", 2, "aliases"), ("? [1]\n: 2", 1, "a key must be a word"),
        ("a: !!python/name:os.system ''", 1, "tag"), ("a: !!binary aGk=", 1, "tag"), ("a: !mine b", 1, "tag"),
        ("a: !!timestamp soon", 1, "tag"), ("\na: !!bool perhaps", 2, "tag"), ("a: !!float ''", 1, "tag"),
        ("a: !!int '-'", 1, "tag"), ("a: !!set {b}", 1, "tag"), ("a: ! b", 1, "tag"), ("!!map {}", 1, "tag"),
        ("\na: 1" + ":59" * 400 + ".5", 2, "this value cannot be read"),
        ("a: 1\n--- \nb: 2", 2, "another document"), ("a: \x00", 1, "not YAML"), ("a: \ud800", 1, "not YAML"),
        ("a: " + "[" * 30 + "]" * 30, 1, "nested too deeply"), ("{" * 2000, 1, ""),
        ("a: [" + "1," * 6000 + "]", 1, "more than 5000 values"),
        ("a: '" + "x" * 70_000 + "'", 1, "64 kB are the most"),
    ],
)  # fmt: skip
def test_what_is_no_safe_yaml_is_refused_by_its_line(text: str, line: int, says: str) -> None:
    (fault,) = faults(text)
    assert fault.startswith(f"line {line}, ")
    assert says in fault


def test_the_tag_that_says_text_is_the_only_one() -> None:
    tagged = load(TEXT.replace("is: -ln(p)\n", "is: !!str -ln(p)\n", 1))
    assert [step.formula and step.formula.node for step in tagged.steps] == [
        step.formula and step.formula.node for step in masked_token().steps
    ]


def test_a_chain_of_aliases_is_refused_before_it_grows() -> None:
    chain = "a0: &a0 [x, x]\n" + "".join(f"a{k}: &a{k} [*a{k - 1}, *a{k - 1}]\n" for k in range(1, 25))
    assert "aliases are not allowed" in faults(chain)[0]


@pytest.mark.parametrize(
    "digits",
    [{"answer": 0}, {"answer": 1}, {"working": 0}, {"answer": -3}, {"answer": "3.5"}, {"working": 99}, {"of": 3}],
)
def test_digits_with_which_nothing_could_be_right_are_refused(digits: dict[str, Any]) -> None:
    assert "digits" in faults(source({"a": "2 * x"}, digits=digits))[0]


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ({}, "needs is"), ({"is": "x", "kind": "text"}, "accept"), ({"kind": "text"}, "accept"),
        ({"is": "x", "options": ["a", "b"]}, "only a choice has options"), ({"is": "x", "kind": "choice"}, "options"),
        ({"is": "[[x, x], [x, x]]"}, "not a matrix"), ({"is": "x", "kind": "vector"}, "a vector is needed"),
        ({"is": "[x, x]", "kind": "count"}, "a number is needed"), ({"is": "x", "kind": "essay"}, "number"),
        ({"is": "x", "mistakes": {"none": {"says": "?"}}}, "the wrong formula"),
        ({"is": "x", "mistakes": {"no": {"is": "2 * x"}}}, "says"),
        ({"is": "x", "mistakes": {"Upper Case": wrong("2 * x")}}, "mistakes"),
        ({"is": "x", "mistakes": {"also": wrong("2 * x", also={"a": "1"})}}, "no later step"),
        ({"is": "x", "mistakes": {"also": wrong("2 * x", also={"nosuch": "1"})}}, "no later step"),
        ({"is": "x", "range": "(1.2.3, 4)"}, "range"), ({"is": "x", "range": "(5, 1)"}, "range"),
        ({"is": "x", "digits": 0}, "digits"), ({"is": "x" * 401}, "at most 400"),
    ],
)  # fmt: skip
def test_a_step_that_does_not_hold_together_is_refused(step: dict[str, Any], says: str) -> None:
    entry = {"ask": "?", **step}
    assert says in " ".join(faults(source({}).replace('"steps": {}', f'"steps": {{"a": {yaml_flow(entry)}}}')))


def yaml_flow(data: Any) -> str:
    return yaml.safe_dump(data, default_flow_style=True, width=10_000).strip()


def test_a_problem_that_asks_nothing_is_refused() -> None:
    assert "no step is asked" in faults(source({"a": {"is": "x", "ask": None}}))[0]


def test_the_published_schema_takes_what_is_read_and_nothing_misspelt() -> None:
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    data = yaml.safe_load(TEXT)
    assert not list(validator.iter_errors(data))
    data["steps"]["p"]["mistake"] = {}
    del data["title"]
    assert {error.validator for error in validator.iter_errors(data)} == {"required", "additionalProperties"}


@examples(120)
@given(st.integers(0, 2**32), st.integers(1, 4))
def test_a_file_with_random_damage_is_a_problem_or_an_error_with_a_line(seed: int, cuts: int) -> None:
    damage, text = random.Random(seed), TEXT
    for _ in range(cuts):
        at = damage.randrange(len(text))
        end = at + damage.randrange(12)
        text = text[:at] + damage.choice(["", " ", ":", "{", "]", "&a ", "0", "-", "\n", "'", "é", "~"]) + text[end:]
    found: list[Fault] = []
    try:
        load(text)
    except ProblemError as error:
        found = error.faults
    assert all(1 <= fault.line <= text.count("\n") + 2 and fault.message for fault in found)
