"""Problem texts on a page: readable mathematics, and nothing an author writes can run or break out."""

import re
import time
from html.parser import HTMLParser

import pytest

from frontend import typeset as module
from frontend.typeset import formula, spoken, typeset, typeset_inline, with_minus

ALLOWED_SCHEMES = ("http://", "https://", "mailto:")


class Elements(HTMLParser):
    """Collects what a browser would build from a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.words = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.words += data


def test_a_formula_carries_mathml_and_its_source() -> None:
    html = typeset_inline(r"The probability $p = \frac{e^{2}}{11}$.")
    elements = Elements(html)
    assert {"math", "mfrac", "msup"} <= set(elements.tags)
    assert ("data-tex", r"p = \frac{e^{2}}{11}") in elements.attributes
    assert ("class", "tex") in elements.attributes


def test_a_formula_on_lines_of_its_own_is_set_as_a_block() -> None:
    elements = Elements(typeset("Then\n\n$$\nL = -\\ln p\n$$\n"))
    assert ("data-display", "block") in elements.attributes
    assert ("display", "block") in elements.attributes


def test_a_table_keeps_its_alignment_without_style_attributes() -> None:
    html = typeset("| word | logit |\n|:--|--:|\n| mat | -1.5 |\n")
    elements = Elements(html)
    assert ("class", "to-right") in elements.attributes
    assert "style" not in {name for name, _ in elements.attributes}
    assert "−1.5" in elements.words


def test_several_formulas_on_a_line_can_stand_below_each_other() -> None:
    html = typeset(r"$$W = \begin{bmatrix} 1 & 2 \\ \quad 3 & 4 \end{bmatrix},\qquad \mathbf{h} = {a \quad b}$$")
    elements = Elements(html)
    formulas = [value for name, value in elements.attributes if name == "data-tex"]
    assert [tex.partition("=")[0].strip() for tex in formulas] == [r"\displaystyle W", r"\displaystyle \mathbf{h}"]
    assert ("class", "tex-block tex-row") in elements.attributes


def test_headings_say_which_way_they_head() -> None:
    html = typeset("|  | mat | car |\n|---|--:|--:|\n| $z_w$ | 2.0 | 1.0 |\n")
    assert "<th></th>" not in html
    assert html.count('scope="col"') == 2
    assert (
        '<th scope="row"><span class="visually-hidden">z w</span><span aria-hidden="true"><span class="tex-kept">'
        in html
    )
    plain = typeset("| word | logit |\n|---|---|\n| mat | 2.0 |\n")
    assert plain.count('scope="col"') == 2
    assert 'scope="row"' not in plain


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("-1.5", "−1.5"),
        ("z = -2, -0.5", "z = −2, −0.5"),
        ("from -2 to 4", "from −2 to 4"),
        ("(-3)", "(−3)"),
        ("2026-11-29", "2026-11-29"),
        ("C-3PO", "C-3PO"),
        ("10-5", "10-5"),
        ("log-softmax", "log-softmax"),
        ("-.5", "−.5"),
    ],
)
def test_a_hyphen_before_a_number_is_printed_as_a_minus(typed: str, shown: str) -> None:
    assert with_minus(typed) == shown


def test_code_keeps_the_hyphen_that_was_typed() -> None:
    assert "<code>-3</code>" in typeset_inline("type `-3`")


HOSTILE = [
    r"$\href{javascript:alert(1)}{x}$",
    r"$\url{javascript:alert(1)}$",
    r"$\htmlClass{evil}{b}$",
    r"$\htmlStyle{position:fixed}{b}$",
    r"$\includegraphics{http://evil.example/x.png}$",
    r"$\text{</math><script>alert(1)</script>}$",
    r'$\text{" onmouseover="alert(1)}$',
    "$x</span><script>alert(1)</script>$",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "![x](http://evil.example/track.png)",
    "<http://evil.example/><a href='javascript:alert(1)'>",
    "| a |\n|-|\n| <script>alert(1)</script> |\n",
    "```html\n<script>alert(1)</script>\n```",
    r"$\color{red}{x}$",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("write", [typeset, typeset_inline])
def test_hostile_text_builds_no_element_and_no_attribute_that_acts(text: str, write: object) -> None:
    assert callable(write)
    elements = Elements(write(text))
    assert set(elements.tags) <= module.TAGS
    assert not {"script", "img", "svg", "iframe"} & set(elements.tags)
    for name, value in elements.attributes:
        assert not name.startswith("on")
        assert name not in ("style", "src", "srcdoc")
        if name == "href":
            assert value.startswith(ALLOWED_SCHEMES)


@pytest.mark.parametrize(
    "tex",
    [
        r"\href{javascript:alert(1)}{x}",
        r"\htmlClass{a}{b}",
        r"\def\x{\x\x}\x",
        r"\newcommand{\a}{\a\a}\a",
        r"\frac{",
        "}",
        "{" * 900,
        "x" * 2001,
        "",
    ],
)
def test_a_formula_that_cannot_be_set_is_shown_as_written_and_kept_from_scripts(tex: str) -> None:
    html = formula(tex)
    assert "data-tex" not in html
    assert html.startswith('<code class="tex-source">')


@pytest.mark.parametrize(
    "text",
    [
        "$",
        "$$",
        "$a",
        "a $b",
        "$ $",
        "It costs $5 and $6.",
        "$\\",
        "$$\n\\frac{1}{2}",
    ],
)
def test_unbalanced_dollar_signs_are_text(text: str) -> None:
    assert "<math" not in typeset_inline(text)


@pytest.mark.parametrize(
    "text",
    [
        "$" * 5000,
        "$" * 40_000,
        "[" * 5000,
        "*" * 5000 + "a" + "*_" * 5000,
        "> " * 3000 + "a",
        "- " * 3000 + "a",
        "$" + "{" * 900 + "}" * 900 + "$",
        r"$\def\x#1{#1#1#1#1}\x{\x{\x{\x{\x{\x{\x{\x{\x{\x{x}}}}}}}}}}$",
        "`" * 4999,
        "a" * 100_000,
        "<" * 10_000,
        "&" * 10_000,
    ],
)
def test_no_text_takes_long_or_grows_without_bound(text: str) -> None:
    started = time.process_time()
    html = typeset(text)
    assert time.process_time() - started < 1
    assert spoken(text) is not None
    assert time.process_time() - started < 2
    assert len(html) < 20 * len(text) + 1000


def test_a_text_set_before_is_not_set_again(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "A statement that no other test sets, with $z = 2$."
    first = typeset(text)

    def refuse(*_: object, **__: object) -> str:
        raise AssertionError("It was set a second time.")

    monkeypatch.setattr(module, "_clean", refuse)
    assert typeset(text) == first


def test_the_cache_is_bounded() -> None:
    for function in (typeset, typeset_inline, formula):
        size = function.cache_info().maxsize
        assert size is not None
        assert size <= 4096


@pytest.mark.parametrize(("closing", "after"), [(".", ""), (",", " and so on"), (").", " Then")])
def test_what_closes_a_phrase_stays_on_the_line_of_the_formula_before_it(closing: str, after: str) -> None:
    html = typeset_inline(f"the vector $x_1${closing}{after}")
    assert re.search(rf'<span class="tex-kept"><span class="tex".*</span>{re.escape(closing)}</span>', html)
    assert Elements(html).words.endswith(closing + after)


def test_a_long_formula_may_still_break_within_itself() -> None:
    assert "tex-kept" not in typeset_inline("$" + "+".join(["x"] * 40) + "$.")
