"""Cards as CSV and as text for Anki: nothing is lost on the way out and in again."""

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.catalogue.cards import CardFile, read_card, read_deck
from exercises.decks import anki_form, csv_form
from exercises.decks.anki_cards import sides_html
from exercises.decks.markdown import html_of, markdown_of
from tests.exercises.cards.world import DECK

SIGNS = "ab =+-@\t\n'\",;|\\{}[]$<>&#:`*_é漢😀\u00a0\u2028\ufeff\U000f0000"
texts = st.text(st.sampled_from(SIGNS) | st.characters(exclude_categories=["Cs", "Cc"]), max_size=60)
words = st.text(st.sampled_from("ab=+'@\"漢"), min_size=1, max_size=8)
options = st.dictionaries(
    st.sampled_from(["a", "b", "c", "d", "0", "no"]), st.sampled_from(["one", "=two", "$x<y$", '"', "'q"]), min_size=2
)


@st.composite
def contents(draw: st.DrawFn) -> dict[str, Any]:
    """Plain data of a card that can be read."""
    kind = draw(st.sampled_from(["self", "text", "cloze", "number", "choice", "choices"]))
    card: dict[str, Any] = {"kind": kind, "front": draw(texts) + "?", "back": draw(texts) + ".", "hint": draw(texts)}
    card["tags"] = draw(st.lists(words, max_size=3))
    card["skill"] = draw(st.sampled_from(["", "softmax"]))
    if kind in ("text", "cloze"):
        card["accept"] = draw(st.lists(words, min_size=1, max_size=3, unique=True))
    if kind == "cloze":
        card["front"] = f"{card['front'].replace('[[gap]]', '')}[[gap]]{draw(texts).replace('[[gap]]', '')}"
        card["front"] = card["front"] if card["front"].count("[[gap]]") == 1 else "[[gap]]"
    if kind == "number":
        card |= {
            "answer": draw(st.sampled_from(["-ln(2/3)", "0.405", "+3", "-0.5"])),
            "digits": draw(st.integers(2, 5)),
        }
        card["mistakes"] = {"other": {"is": "=".strip("=") + "77", "says": "=No"}}
    if kind in ("choice", "choices"):
        card["options"] = draw(options)
        card["answer"] = next(iter(card["options"]))
        card["shuffle"] = draw(st.booleans())
    return card


decks = st.lists(contents(), max_size=5)


def read_all(cards: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The cards as they are stored, with keys of their own."""
    return [read_card({"id": f"c{place}"} | card).content() for place, card in enumerate(cards)]


@given(decks)
def test_csv_loses_nothing(drawn: list[dict[str, Any]]) -> None:
    cards = read_all(drawn)
    text = csv_form.written(cards)
    rows, faults = csv_form.rows(text)
    assert not faults
    again = [read_card(row.content).content() for row in rows]
    assert again == cards
    assert [list(each) for each in again] == [list(each) for each in cards]
    assert csv_form.written(again) == text


@given(decks)
def test_anki_text_loses_nothing(drawn: list[dict[str, Any]]) -> None:
    cards = read_all(drawn)
    text = anki_form.written(cards, deck="A deck", slug="a-deck")
    rows, faults = anki_form.rows(text)
    assert not faults
    again = [read_card(row.content).content() for row in rows]
    assert again == cards
    assert anki_form.written(again, deck="A deck", slug="a-deck") == text


def test_every_kind_of_card_goes_out_and_in() -> None:
    cards = [card.content() for card in read_deck(DECK).cards]
    for rows, faults in (csv_form.rows(csv_form.written(cards)), anki_form.rows(_anki(cards))):
        assert not faults
        assert [read_card(row.content).content() for row in rows] == cards
        assert all(list(read_card(row.content).content()) == list(card) for row, card in zip(rows, cards, strict=True))


def _anki(cards: list[dict[str, Any]]) -> str:
    return anki_form.written(cards, deck="Small deck", slug="small")


@given(decks)
def test_no_cell_is_a_formula(drawn: list[dict[str, Any]]) -> None:
    text = csv_form.written(read_all(drawn))
    for row in csv.reader(io.StringIO(text, newline="")):
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row)


def test_a_guard_is_told_from_an_apostrophe() -> None:
    fronts = ["=1+1", "'=1+1", "''x", "'", "-ln p", "@you", "plain"]
    cards = read_all([{"kind": "self", "front": front, "back": "b"} for front in fronts])
    rows, _ = csv_form.rows(csv_form.written(cards))
    assert [row.content["front"] for row in rows] == fronts
    assert "'=1+1" in csv_form.written(cards[:1])


@given(texts | st.text(max_size=200))
def test_reading_never_fails(text: str) -> None:
    for rows, faults in (csv_form.rows(text), anki_form.rows(text)):
        assert all(row.line >= 1 for row in rows)
        assert all(fault.line >= 1 and fault.words for fault in faults)


# CSV by hand


def test_csv_by_hand_needs_little() -> None:
    for text in ("front,back\nQ,A\n", "\ufefffront;back\nQ;A\n", "front\tback\r\nQ\tA\r\n", "Back,Front\nA,Q\n"):
        rows, faults = csv_form.rows(text)
        assert not faults
        card = read_card(rows[0].content)
        assert (card.kind, card.front, card.back) == ("self", "Q", "A")
    assert csv_form.rows("front,back\nQ,A\n")[0] == csv_form.rows("front,back\nQ,A\n")[0]


def test_accepted_forms_by_hand() -> None:
    rows, _ = csv_form.rows('key,kind,front,accept\nx,text,Q,one | two\ny,text,Q,"[""a|b""]"\n')
    assert [row.content["accept"] for row in rows] == [["one", "two"], ["a|b"]]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "empty"),
        ("question,answer\nQ,A\n", 1, "no column 'question'"),
        ("back\nA\n", 1, "among them front"),
        ("front,front\nA,B\n", 1, "once"),
        ("front,back\nQ,A\nQ,A,B\n", 3, "3 cells"),
        ('front,back\n"Q\nq",A\n"x"y,A\n', 4, "not CSV"),
        ("key,kind,front,options\na,choice,Q,{\n", 2, "not JSON"),
        ("key,kind,front,options\na,choice,Q,NaN\n", 2, "no number"),
        (f"front,back\nQ,{'x' * 40_001}\n", 2, "at most"),
    ],
)
def test_what_is_wrong_with_csv_is_named_by_line(text: str, line: int, words: str) -> None:
    _, faults = csv_form.rows(text)
    assert faults[0].line == line
    assert words in faults[0].words


# Anki


def test_the_headers_are_those_that_anki_reads() -> None:
    text = _anki([card.content() for card in read_deck(DECK).cards])
    lines = text.split("\n")
    assert lines[:7] == [
        "#separator:tab", "#html:true", "#notetype:Basic", "#guid column:1", "#deck column:2", "#tags column:5",
        "#columns:guid\tdeck\tFront\tBack\ttags\tSource",
    ]  # fmt: skip
    rows = list(csv.reader(io.StringIO("\n".join(lines[7:])), delimiter="\t"))
    assert {len(row) for row in rows if row} == {6}
    assert rows[0][:2] == ["bert-gym:small:size", "Small deck"]
    assert rows[0][2] == r"What is \(|V|\)?"


def test_the_sides_of_each_kind_for_anki() -> None:
    cards = {card.id: card.content() for card in read_deck(DECK).cards}
    assert sides_html(cards["loss"])[0] == r"The loss is \(L = -\boxed{\,?\,} p\)."
    assert sides_html(cards["loss"])[1] == r"The loss is \(L = -\boxed{\ln} p\)."
    assert "<li>the logits</li>" in sides_html(cards["winner"])[0]
    assert sides_html(cards["winner"])[1] == "the probabilities"
    assert r"\(-\ln\left(\frac{2}{3}\right) = 0.4055\)<br><br>Logs turn" in sides_html(cards["two-thirds"])[1]
    assert "p = 0." in sides_html(cards["drawn-loss"])[0]
    assert "{{" not in sides_html(cards["drawn-loss"])[0]
    assert sides_html(cards["why"])[1] == "So that the model cannot trust what it sees."


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("a < b & $x<y$", r"a &lt; b &amp; \(x&lt;y\)"),
        ("$$a$$ **bold** and *slanted* and `x<y`", r"\[a\] <b>bold</b> and <i>slanted</i> and <code>x&lt;y</code>"),
        ("one\n\ntwo\nthree", "one<br><br>two<br>three"),
        (r"5 \* 6 costs \$7 and \_x", "5 * 6 costs $7 and _x"),
        ("|a|b|\n|---|---|\n|1|$x$|", r"<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>\(x\)</td></tr></table>"),
        ("2 * 3 * 4", "2 * 3 * 4"),
    ],
)
def test_markdown_as_html(markdown: str, html: str) -> None:
    assert html_of(markdown) == html


@pytest.mark.parametrize(
    ("text", "is_html", "markdown"),
    [
        (r"\( x < y \)", None, "$x < y$"),
        (r"a &lt; b<br>\[ p_y \] <b>so</b>", True, "a < b\n$$p_y$$ **so**"),
        ("<div>one</div><div>two</div>", None, "one\ntwo"),
        ("[$]x^2[/$] <anki-mathjax>y</anki-mathjax>", None, "$x^2$ $y$"),
        ("costs $5 and *nothing* a_b", False, r"costs \$5 and \*nothing\* a\_b"),
        ("a &amp; b", False, "a &amp; b"),
        ("a<ul><li>b</li><li>c</li></ul>d", True, "a\n\n- b\n- c\nd"),
    ],
)
def test_text_from_elsewhere_as_markdown(text: str, is_html: bool | None, markdown: str) -> None:
    assert markdown_of(text, is_html=is_html) == markdown


def foreign(text: str) -> CardFile:
    """The only card of a foreign text."""
    rows, faults = anki_form.rows(text)
    assert not faults
    (row,) = rows
    assert row.is_foreign
    return read_card(row.content)


def test_a_note_of_two_fields_rates_itself() -> None:
    card = foreign("What is softmax?\t\\(e^{z}/\\sum\\)<br>over all\n")
    assert (card.kind, card.front, card.back) == ("self", "What is softmax?", "$e^{z}/\\sum$\nover all")


def test_tags_guid_and_more_fields() -> None:
    head = "#separator:Semicolon\n#html:false\n#guid column:1\n#tags column:4\n#tags:bert\n#deck:Elsewhere\n"
    card = foreign(head + 'k;Q;"A\nB";c1 trap;C\n')
    assert (card.front, card.back, card.tags) == ("Q", "A\nB\n\nC", ["c1", "trap", "bert"])
    assert foreign(head + "k;Other;A;x;\n").id == card.id
    assert foreign(head + "l;Q;A;x;\n").id != card.id


def test_a_note_without_a_guid_is_known_by_its_front() -> None:
    assert foreign("Q\tA\n").id == foreign("Q\tB\n").id != foreign("P\tA\n").id


def test_comments_are_passed_over_but_not_quoted_ones() -> None:
    rows, faults = anki_form.rows('#separator:tab\nQ\tA\n# a remark\n"#hash"\tB\n')
    assert not faults
    assert [row.content["front"] for row in rows] == ["Q", "#hash"]
    assert [row.line for row in rows] == [2, 4]


@pytest.mark.parametrize(
    ("text", "front", "accept", "hint"),
    [
        ("{{c1::Bert}} masks\t", "[[gap]] masks", ["Bert"], ""),
        ("It is {{c2::15 %::a share}} of all", "It is [[gap]] of all", ["15 %"], "a share"),
        (r"\(L = -{{c1::\ln}} p\)", "$L = -[[gap]] p$", ["ln", r"\ln"], ""),
        (r"\(x = {{c1::\frac{a}{b}}}\)", "$x = [[gap]]$", [r"\frac{a}{b}"], ""),
        ("the {{c1::a_b}} name", "the [[gap]] name", ["a_b"], ""),
    ],
)
def test_one_deletion_makes_a_cloze_card(text: str, front: str, accept: list[str], hint: str) -> None:
    card = foreign(text + "\n")
    assert (card.kind, card.front, card.accept, card.hint) == ("cloze", front, accept, hint)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{{c1::a}} and {{c2::b}}\n", "several cloze deletions"),
        ("{{c1::a and\tmore\n", "does not end"),
        ("{{c1::}}\tmore\n", "needs some text"),
        ("only one field\n", "front and a back"),
        ('Q\t<img src="x.png">\n', "picture"),
        ("[sound:a.mp3]\tA\n", "sound"),
    ],
)
def test_what_cannot_be_a_card_is_named(text: str, words: str) -> None:
    _, faults = anki_form.rows("#separator:tab\n" + text)
    assert faults[0].line == 2
    assert words in faults[0].words


def test_a_source_comes_back_from_anki_even_escaped() -> None:
    content = read_card({"id": "x", "kind": "self", "front": 'a<b & "c"', "back": "d"}).content()
    text = json.dumps(content).replace("<", "\\u003c").replace("&", "\\u0026")
    for source in (text, text.replace('"', "&quot;")):
        rows, _ = anki_form.rows(f"#html:true\n#separator:pipe\nF|B|{source}\n")
        assert read_card(rows[0].content).content() == content
