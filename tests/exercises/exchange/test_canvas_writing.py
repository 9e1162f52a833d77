"""The Canvas package: its parts find one another, groups pick one, keys lie within their bounds."""

import re
from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.exchange.canvas.items import number_text
from exercises.exchange.canvas.writing import canvas_package
from exercises.exchange.variants import CannotExport, Variants
from grader.marking import mark
from grader.problem import load
from grader.sampling import draw
from grader.solution import solve
from tests.exercises.exchange.opened import AT, SLUGS, built_in, files_of

Q = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"
P = "{http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1}"


def quiz_of(files: dict[str, bytes]) -> ET.Element:
    """The assessment, found as Canvas finds it: by the manifest. What is named is there, and nothing else."""
    manifest = ET.fromstring(files["imsmanifest.xml"])
    resources = list(manifest.iter(f"{P}resource"))
    named = {file.get("href") for one in resources for file in one.iter(f"{P}file")}
    assert named | {"imsmanifest.xml", "report.txt"} == set(files)
    ids = [one.get("identifier") for one in resources]
    assert len(set(ids)) == len(ids)
    assert {one.get("identifierref") for one in manifest.iter(f"{P}dependency")} <= set(ids)
    [quiz] = [one for one in resources if one.get("type") == "imsqti_xmlv1p2"]
    file = quiz.find(f"{P}file")
    assert file is not None
    return ET.fromstring(files[file.get("href") or ""])


def fields_of(item: ET.Element) -> dict[str, str]:
    return {
        field.findtext(f"{Q}fieldlabel") or "": field.findtext(f"{Q}fieldentry") or ""
        for field in item.iter(f"{Q}qtimetadatafield")
    }


def right_of(item: ET.Element) -> ET.Element:
    """The condition that earns everything."""
    [found] = [
        condition
        for condition in item.iter(f"{Q}respcondition")
        if (var := condition.find(f"{Q}setvar")) is not None and var.text == "100"
    ]
    return found


@pytest.mark.parametrize("slug", SLUGS)
def test_every_built_in_problem_is_a_quiz_of_groups_whose_keys_are_right(slug: str) -> None:
    files = files_of(canvas_package([built_in(slug)], Variants(3), name=slug, at=AT))
    quiz = quiz_of(files)
    problem = load(built_in(slug).source)
    counted = [step for step in problem.asked if step.weight and not step.optional]
    root = quiz.find(f"{Q}assessment/{Q}section")
    assert root is not None
    groups = root.findall(f"{Q}section")
    assert 1 <= len(groups) <= len(counted)
    for group in groups:
        assert group.findtext(f"{Q}selection_ordering/{Q}selection/{Q}selection_number") == "1"
        for item in group.findall(f"{Q}item"):
            check_item(item, slug, group, files)
    idents = [one.get("ident") for one in quiz.iter() if one.tag in (f"{Q}item", f"{Q}section")]
    assert len(set(idents)) == len(idents)


def check_item(item: ET.Element, slug: str, group: ET.Element, files: dict[str, bytes]) -> None:
    graph = load(built_in(slug).source)
    seed = int(re.search(r"seed (\d+)", item.get("title") or "")[1])  # type: ignore[index]
    step = graph.step((group.get("title") or "").rsplit(": ", 1)[1])
    kind = fields_of(item)["question_type"]
    text = item.findtext(f"{Q}presentation/{Q}material/{Q}mattext") or ""
    for image in re.findall(r"\$IMS-CC-FILEBASE\$/([^\"]+)", text):
        assert image in files
    shown = {one.get("linkrefid") for one in item.iter(f"{Q}displayfeedback")}
    assert shown == {one.get("ident") for one in item.iter(f"{Q}itemfeedback")}
    key = solve(graph, draw(graph, seed)).values[step.name]
    right = right_of(item)
    if kind == "numerical_question":
        low, high = (float(right.findtext(f".//{Q}{tag}") or "nan") for tag in ("vargte", "varlte"))
        keys = key if isinstance(key, list) else [key]
        exact = float(right.findtext(f".//{Q}varequal") or "nan")
        assert any(abs(one - exact) <= 1e-9 * abs(one) for one in keys)
        assert low <= exact <= high
        assert (low == high) == (step.kind == "count" or exact == 0)
    elif kind == "short_answer_question":
        forms = [one.text for one in right.iter(f"{Q}varequal")]
        words = key if isinstance(key, str) else " x ".join(map(str, key))
        assert words in forms
    else:
        options = [one.get("ident") for one in item.iter(f"{Q}response_label")]
        chosen = [one.text for one in right.findall(f"{Q}conditionvar/{Q}varequal")] or [
            one.text for one in right.findall(f"{Q}conditionvar/{Q}and/{Q}varequal")
        ]
        assert set(chosen) <= set(options)
        assert len(chosen) == (len(key) if isinstance(key, list) else 1)


@pytest.mark.parametrize("slug", ["perplexity", "nsp-loss", "mask-split"])
def test_the_bounds_are_those_that_we_mark_by(slug: str) -> None:
    problem = load(built_in(slug).source)
    quiz = quiz_of(files_of(canvas_package([built_in(slug)], Variants(3), name=slug, at=AT)))
    for group in quiz.iter(f"{Q}section"):
        for item in group.findall(f"{Q}item"):
            if fields_of(item)["question_type"] != "numerical_question":
                continue
            seed = int(re.search(r"seed (\d+)", item.get("title") or "")[1])  # type: ignore[index]
            step = (group.get("title") or "").rsplit(": ", 1)[1]
            low, high = (float(right_of(item).findtext(f".//{Q}{tag}") or "nan") for tag in ("vargte", "varlte"))
            inside, outside = low + 0.01 * (high - low), low - 0.02 * (high - low)
            for typed, is_right in ((inside, True), (outside, False)):
                ours = mark(problem, draw(problem, seed), {step: repr(typed)}).mark_of(step)
                assert ours is not None
                assert (ours.outcome == "right") == is_right


def test_points_follow_the_weights_of_steps_and_of_items() -> None:
    alone = quiz_of(files_of(canvas_package([built_in("nsp-loss")], Variants(1), name="x", at=AT)))
    points = [one.text for one in alone.iter(f"{Q}points_per_item")]
    assert points == ["1", "2"]
    weighed = built_in("nsp-loss", weight=Fraction(6))
    in_set = quiz_of(files_of(canvas_package([weighed], Variants(1), name="x", at=AT)))
    assert [one.text for one in in_set.iter(f"{Q}points_per_item")] == ["2", "4"]


def test_of_a_vector_each_variant_asks_for_another_entry() -> None:
    quiz = quiz_of(files_of(canvas_package([built_in("softmax-distribution")], Variants(6), name="x", at=AT)))
    texts = [one.text or "" for one in quiz.iter(f"{Q}mattext")]
    asked = {found[1] for text in texts if (found := re.search(r"numbers give (the entry for [^.]*|entry \d)", text))}
    assert len(asked) > 2


def test_a_problem_that_cannot_be_read_hides_no_other() -> None:
    package = canvas_package([built_in("neg-log", asked=("x",)), built_in("nsp-loss")], Variants(1), name="x", at=AT)
    assert [bool(entry.fault) for entry in package.report.entries] == [True, False]
    with pytest.raises(CannotExport):
        canvas_package([built_in("neg-log", asked=("x",))], Variants(1), name="x", at=AT)


@given(st.floats(-1e12, 1e12, allow_nan=False).filter(lambda x: x == 0 or abs(x) > 1e-7))
def test_numbers_are_plain_decimals(value: float) -> None:
    text = number_text(value)
    assert re.fullmatch(r"-?\d+(\.\d+)?", text)
    assert float(text) == pytest.approx(value, rel=1e-9, abs=1e-16)
