"""The editor: what is stored, what a page that is out of date is told, and that nothing typed is lost."""

import json

import pytest
from django.test import Client

from exercises.models import Problem, ProblemDraft, User
from tests.frontend.authoring.world import BROKEN, address, draft, form, text_of, with_version
from tests.frontend.world import part, words

pytestmark = pytest.mark.usefixtures("servers")


def changed(problem: Problem, old: str = "in nats", new: str = "in natural units") -> str:
    source = text_of(problem)
    assert old in source
    return source.replace(old, new)


def test_one_begins_with_a_problem_that_works(as_alice: Client) -> None:
    page = as_alice.post("/author/new/", {"title": "Loss & gain", "licence": "CC BY 4.0"}, follow=True)
    html = page.content.decode()
    assert "Loss &amp; gain" in part(html, "main") or "Loss & gain" in part(html, "main")
    assert part(html, "faults") == "The file can be read."
    assert "Seed 1" in part(html, "preview")
    assert "draft, not published yet" in words(html)
    assert Problem.objects.get().licence == "CC BY 4.0"


def test_a_title_is_asked_for(as_alice: Client) -> None:
    assert as_alice.post("/author/new/", {"title": " "}).status_code == 422
    assert not Problem.objects.exists()


def test_what_is_saved_stands_in_the_editor_to_the_letter(as_alice: Client, own: Problem) -> None:
    source = changed(own) + "\n# <b>a remark</b> & </textarea><script>alert(1)</script>\n"
    saved = as_alice.post(address("author-problem", own), form(own, source), follow=True)
    assert text_of(own).rstrip() == source.rstrip()
    html = saved.content.decode()
    assert "Saved as your draft" in words(html)
    assert "<script>alert" not in html
    assert "&lt;/textarea&gt;&lt;script&gt;alert(1)" in html


def test_a_draft_may_be_broken(as_alice: Client, own: Problem) -> None:
    page = as_alice.post(address("author-problem", own), form(own, BROKEN, "preview"), follow=True)
    html = page.content.decode()
    assert "to mend" in part(html, "faults")
    assert 'data-line="' in html
    assert "Once the file can be read" in part(html, "preview")
    assert page.status_code == 200


def test_a_script_saves_and_is_told_the_new_state(as_alice: Client, own: Problem) -> None:
    source = changed(own)
    sent = {"source": source, "revision": form(own, source)["revision"]}
    said = as_alice.post(address("author-save", own), sent).json()
    assert said["says"].startswith("Saved at")
    assert said["revision"] == ProblemDraft.objects.get(problem=own).revision > sent["revision"]
    assert text_of(own) == source


def test_a_stale_tab_overwrites_nothing_and_loses_nothing(as_alice: Client, own: Problem) -> None:
    stale = form(own, changed(own, new="in stale units"))
    as_alice.post(address("author-problem", own), form(own, changed(own, new="in fresh units")))
    told = as_alice.post(address("author-save", own), {"source": stale["source"], "revision": stale["revision"]})
    assert told.status_code == 409
    assert "changed" in told.json()["says"]
    page = as_alice.post(address("author-problem", own), stale)
    html = page.content.decode()
    assert page.status_code == 409
    assert "in fresh units" in text_of(own)
    assert "in stale units" in part(html, "source")
    assert "in fresh units" in words(html)
    # The page about both leads on: what it holds is stored now.
    revision = html.partition('name="revision" value="')[2].partition('"')[0]
    again = as_alice.post(address("author-problem", own), {**stale, "revision": revision})
    assert again.status_code == 302
    assert "in stale units" in text_of(own)


def test_a_double_click_is_no_stale_tab(as_alice: Client, own: Problem) -> None:
    sent = form(own, changed(own))
    assert [as_alice.post(address("author-problem", own), sent).status_code for _ in range(2)] == [302, 302]


def test_a_text_that_is_too_long_is_refused_and_comes_back(as_alice: Client, own: Problem) -> None:
    before = text_of(own)
    source = before + "# x" * 60_000
    page = as_alice.post(address("author-problem", own), form(own, source))
    assert page.status_code == 422
    assert text_of(own) == before
    assert "# x# x" in part(page.content.decode(), "source")
    sent = {"source": source, "revision": form(own, source)["revision"]}
    assert as_alice.post(address("author-save", own), sent).status_code == 422


def test_faults_are_told_by_line(as_alice: Client, own: Problem) -> None:
    source = changed(own, "is: -ln(p)", "is: -ln(q)")
    said = as_alice.post(address("author-faults", own), {"source": source.replace("\n", "\r\n")}).json()
    (fault, *_) = said["faults"]
    assert "q" in fault["message"]
    assert source.splitlines()[fault["line"] - 1].strip() == "is: -ln(q)"
    assert f'data-line="{fault["line"]}"' in said["html"]
    assert as_alice.post(address("author-faults", own), {"source": text_of(own)}).json()["faults"] == []


@pytest.mark.parametrize(
    ("line_of", "column", "expected"),
    [("  is: -ln(p)", 6, {"p", "ln"}), ("level: easy", 8, {"easy", "hard"}), ("skills: [neg-log]", 10, {"neg-log"})],
)
def test_completions_know_the_place(
    as_alice: Client, own: Problem, line_of: str, column: int, expected: set[str]
) -> None:
    source = text_of(own)
    line = next(number for number, text in enumerate(source.splitlines(), 1) if line_of.strip() in text)
    indent = len(source.splitlines()[line - 1]) - len(source.splitlines()[line - 1].lstrip())
    sent = {"source": source, "line": line, "column": indent + column}
    said = as_alice.post(address("author-completions", own), sent).json()["completions"]
    assert expected <= {each["label"] for each in said}
    assert all(set(each) == {"label", "kind", "says", "insert"} for each in said)


def test_a_place_that_is_none_has_no_completions(as_alice: Client, own: Problem) -> None:
    for line, column in (("", ""), ("x", "1"), ("-1", "1"), ("99999999", "1"), ("²", "1")):
        sent = {"source": "title: a", "line": line, "column": column}
        response = as_alice.post(address("author-completions", own), sent)
        assert json.loads(response.content) == {"completions": []}


def test_a_broken_row_hides_no_other(as_alice: Client, alice: User) -> None:
    draft(alice, "A broken one", BROKEN)
    with_version(alice, "A good one")
    page = words(as_alice.get("/author/").content.decode())
    assert "A good one" in page
    assert "A broken one" in page


def test_the_list_is_searched_by_title_and_skill(as_alice: Client, alice: User) -> None:
    draft(alice, "About logits")
    with_version(alice, "About loss")
    by_title = words(as_alice.get("/author/?text=logits").content.decode())
    assert "About logits" in by_title
    assert "About loss" not in by_title
    assert "About loss" in words(as_alice.get("/author/?text=neg-log").content.decode())
    nothing = words(as_alice.get("/author/?text=%3Cb%3Exyz").content.decode())
    assert "Nothing has “<b>xyz”" in nothing


def test_no_address_breaks_the_list(as_alice: Client, own: Problem) -> None:
    for query in ("?page=0", "?page=999", "?page=x", "?page=²", "?show=everything", "?text=" + "a" * 5000):
        assert as_alice.get(f"/author/{query}").status_code == 200
    for query in ("?from=x", "?from=-1", "?from=99999999999999", "?from=²"):
        assert as_alice.get(address("author-problem", own, query)).status_code == 200
