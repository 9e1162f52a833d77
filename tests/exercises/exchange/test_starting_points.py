"""Questions of other systems as problems to go on from: what is kept, what is lost, and that each opens."""

from collections.abc import Sequence
from typing import Any

import pytest

from exercises.exchange.gift import GiftRefused, read_gift
from exercises.exchange.html_text import escaped, markdown_of
from exercises.exchange.incoming import incoming
from exercises.exchange.moodle.reading import read_moodle
from exercises.exchange.moodle.writing import moodle_package
from exercises.exchange.report import Entry
from exercises.exchange.starting import Start
from exercises.exchange.variants import Variants
from grader.marking import mark
from grader.problem import load
from grader.sampling import draw
from grader.solution import solve
from tests.exercises.exchange.opened import AT, SLUGS, built_in

SKILL = "softmax"


def only(found: Sequence[Start | Entry]) -> Start:
    assert len(found) == 1
    assert isinstance(found[0], Start), found[0]
    return found[0]


def outcomes(start: Start, step: str, *typed: Any) -> list[tuple[str, str]]:
    """Outcome and credit of answers to a step of the problem."""
    problem = load(start.source)
    parameters = draw(problem, 1)
    marks = [mark(problem, parameters, {step: answer}).mark_of(step) for answer in typed]
    return [(one.outcome, str(one.credit)) for one in marks if one is not None]


GIFT = [
    ("::Two:: 1 + 1? {#2}", ["2", "3"], [("right", "1"), ("wrong", "0")]),
    ("Half of 3? {#1.5:0.1}", ["1.5", "15"], [("right", "1"), ("mistake", "0")]),
    ("Between? {#1..5}", ["3", "8"], [("right", "1"), ("wrong", "0")]),
    ("Credits {#=2:0.1 =%50%4:0.1#Twice too much. ~}", ["2", "4"], [("right", "1"), ("mistake", "1/2")]),
    ("Who? {=Grant ~nobody#Really? ~%25%Buried \\= yes}", ["Grant", "nobody", "Buried = yes"],
     [("right", "1"), ("mistake", "0"), ("mistake", "1/4")]),
    ("Several {~%50%a ~%50%b ~%-100%c}", [["a", "b"], ["a"], ["c"]],
     [("right", "1"), ("wrong", "1/2"), ("wrong", "0")]),
    ("Two plus two is {=four =4 =%50%five#Nearly.}", ["FOUR", "4", "five"],
     [("right", "1"), ("right", "1"), ("mistake", "1/2")]),
    ("Sure? {T#It is true.}", ["True", "False"], [("right", "1"), ("mistake", "0")]),
    ("Not? {FALSE}", ["True", "False"], [("wrong", "0"), ("right", "1")]),
    ("[html]<p>The <b>loss</b> of \\(p = 0.5\\)</p> {#0.693}", ["0.693"], [("right", "1")]),
    ("[markdown]**Bold** {#1}", ["1"], [("right", "1")]),
    ("Braces \\{ \\} and \\~ \\# {=a\\}b}", ["a}b"], [("right", "1")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "typed", "wanted"), GIFT)
def test_gift_marks_as_its_author_meant(text: str, typed: list[Any], wanted: list[tuple[str, str]]) -> None:
    start = only(read_gift(text, SKILL))
    assert outcomes(start, "answer", *typed) == wanted
    assert start.lost


def test_a_file_of_gift_keeps_its_order_its_titles_and_what_it_cannot_say() -> None:
    text = """// a comment
$CATEGORY: $course$/top/x

::First::One {#1}

What is the second question called, which has no title of its own here? {#2}

Match {=a -> b =c -> d}

An essay {}

Only words.

Open {=a
"""
    found = read_gift(text, SKILL)
    assert [one.title for one in found] == [
        "First", "What is the second question called, which has no title of its", "Match",
        "An essay", "Question in line 12", "Question in line 14",
    ]  # fmt: skip
    assert [isinstance(one, Start) for one in found] == [True, True, False, False, False, False]
    said = [one.left for one in found[2:] if isinstance(one, Entry)]
    assert [words.partition(": ")[2] for words in said] == [
        "matching has no counterpart here.",
        "an essay is not marked here.",
        "it has no answers between { and }: a description asks for nothing.",
        "the brace of its answers is not closed.",
    ]
    with pytest.raises(GiftRefused):
        read_gift("nothing to answer", SKILL)


def quiz(kind: str, inner: str, text: str = "<p>What?</p>") -> bytes:
    said = f'<questiontext format="html"><text><![CDATA[{text}]]></text></questiontext>'
    return f'<quiz><question type="{kind}"><name><text>Q</text></name>{said}{inner}</question></quiz>'.encode()


def answer(fraction: Any, text: str, more: str = "", says: str = "") -> str:
    feedback = f"<feedback><text>{says}</text></feedback>" if says else ""
    return f'<answer fraction="{fraction}"><text>{text}</text>{more}{feedback}</answer>'


MOODLE = [
    ("numerical", answer(100, "0.5", "<tolerance>0.01</tolerance>") + answer(50, "1", says="Twice."),
     ["0.5", "1"], [("right", "1"), ("mistake", "1/2")], "tolerance is not kept"),
    ("numerical", answer(100, "0,5") + answer(0, "*") + "<units><unit/></units>", ["0.5"], [("right", "1")], "Units"),
    ("multichoice", answer(100, "yes") + answer(0, "no", says="Why not?") + "<single>true</single>",
     ["yes", "no"], [("right", "1"), ("mistake", "0")], "fixed question"),
    ("multichoice", answer(50, "a") + answer(50, "b") + answer(-50, "c") + "<single>false</single>",
     [["a", "b"], ["a", "c"]], [("right", "1"), ("wrong", "0")], "fixed question"),
    ("truefalse", answer(0, "true", says="No.") + answer(100, "false"), ["False", "True"],
     [("right", "1"), ("mistake", "0")], "fixed question"),
    ("shortanswer", answer(100, "mlm") + answer(100, "masked*") + answer(30, "nsp", says="Other."),
     ["MLM", "nsp"], [("right", "1"), ("mistake", "3/10")], "a star does not stand"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "inner", "typed", "wanted", "lost"), MOODLE)
def test_moodle_questions_mark_as_their_author_meant(
    kind: str, inner: str, typed: list[Any], wanted: list[tuple[str, str]], lost: str
) -> None:
    start = only(read_moodle(quiz(kind, inner), SKILL))
    assert outcomes(start, "answer", *typed) == wanted
    assert any(lost in line for line in start.lost)


def test_embedded_answers_become_steps_with_their_weights() -> None:
    text = (
        "<p>One {1:NUMERICAL:=1.5:0.1~%50%3:0.1#Double.} two {2:MULTICHOICE_V:=yes~no#Why?} three {:SA:=a\\}b} "
        "four {1:MULTIRESPONSE:%50%x~%50%y~%-50%z}</p>"
    )
    start = only(read_moodle(quiz("cloze", "", text), SKILL))
    problem = load(start.source)
    assert [(step.name, step.kind, int(step.weight)) for step in problem.asked] == [
        ("answer1", "number", 1), ("answer2", "choice", 2), ("answer3", "text", 1), ("answer4", "choices", 1),
    ]  # fmt: skip
    assert "One (1) two (2) three (3) four (4)" in start.source
    assert outcomes(start, "answer1", "1.5", "3") == [("right", "1"), ("mistake", "1/2")]
    assert outcomes(start, "answer2", "no") == [("mistake", "0")]
    assert outcomes(start, "answer3", "A}B") == [("right", "1")]
    assert outcomes(start, "answer4", ["x", "y"]) == [("right", "1")]


@pytest.mark.parametrize(
    ("kind", "inner", "why"),
    [
        ("essay", "", "“essay” have no counterpart"),
        ("stack", "", "“stack” have no counterpart"),
        ("calculated", "", "“calculated” have no counterpart"),
        ("numerical", answer(50, "1"), "no answer that is wholly right"),
        ("numerical", answer(100, "x"), "no answer that is wholly right"),
        ("multichoice", answer(100, "x"), "fewer than two options"),
        ("multichoice", answer(50, "x") + answer(0, "y"), "none of its options is wholly right"),
        ("cloze", "", "no embedded answer"),
        ("shortanswer", answer(100, "*"), "no answer that is wholly right"),
    ],
)
def test_what_is_no_starting_point_says_why_and_hides_no_other(kind: str, inner: str, why: str) -> None:
    content = quiz(kind, inner).replace(b"</quiz>", quiz("numerical", answer(100, "7"))[len("<quiz>") :])
    first, second = read_moodle(content, SKILL)
    assert isinstance(first, Entry)
    assert why in first.left
    assert isinstance(second, Start)


def test_html_keeps_what_our_texts_can_say_and_tells_of_the_rest() -> None:
    html = (
        "<p>A \\(a<b\\) and $$\\frac{1}{2}$$ <strong>bold</strong> 2*3 at 5&nbsp;$ <img src='x.png'>"
        "<script>bad()</script></p>"
        "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2|3</td></tr></table><ul><li>x</li><li>y</li></ul>"
    )
    found = markdown_of(html)
    assert found.words == (
        "A $a<b$ and $$\\frac{1}{2}$$ **bold** 2\\*3 at 5 \\$\n\n| a | b |\n|---|---|\n| 1 | 2\\|3 |\n\n* x\n* y"
    )
    assert [line.split(" is")[0] for line in found.lost] == ["An image", "A script"]
    assert escaped("# 5 * 3 in \\(x_1\\)") == "\\# 5 \\* 3 in $x_1$"


def test_slots_of_ours_are_no_slots_in_what_comes_from_elsewhere() -> None:
    start = only(read_gift("[markdown]What is {{ x }}? {=a}".replace("{{", "\\{\\{").replace("}}", "\\}\\}"), SKILL))
    assert "{{" not in start.source
    assert "{ { x } }" in load(start.source).statement.source


@pytest.mark.parametrize("slug", SLUGS)
def test_what_went_out_as_moodle_xml_comes_in_with_its_keys_and_mistakes(slug: str) -> None:
    package = moodle_package([built_in(slug)], Variants(1), name=slug, at=AT)
    found = incoming(package.content, "x.zip", SKILL)
    start = only(found.questions)
    there, here = load(start.source), load(built_in(slug).source)
    seed = int(start.title.rpartition(" ")[2].rstrip(")"))
    keys = solve(here, draw(here, seed)).values
    boxes = iter(there.asked)
    ours = solve(there, draw(there, 1)).values
    for step in here.asked:
        entries = keys[step.name] if step.kind == "vector" else [keys[step.name]]
        for key in entries:
            box = next(boxes)
            if isinstance(key, int | float):
                assert ours[box.name] == pytest.approx(key, rel=1e-8)
    assert next(boxes, None) is None
