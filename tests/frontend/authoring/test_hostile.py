"""Files that mean harm: nothing of them runs, hangs, or takes another row along."""

import time

import pytest
from django.test import Client

from exercises.models import Problem, User
from tests.frontend.authoring.world import address, draft, text_of

pytestmark = pytest.mark.usefixtures("servers")
SCRIPT = "<script>alert(1)</script>"
PAGES = ("author-problem", "author-preview", "author-try", "author-publish", "author-versions", "author-sharing")


def hostile(own: Problem, old: str, new: str) -> str:
    source = text_of(own)
    assert old in source
    return source.replace(old, new)


MEAN = {
    "a script in the statement": ("The true word", f"{SCRIPT} <img src=x onerror=alert(1)> The true word"),
    "a script address": (
        "The true word",
        "[press](javascript:alert(1)) <a href='javascript:alert(1)'>x</a> The true word",
    ),
    "a link in a formula": ("$p = {{ p }}$", "$\\href{javascript:alert(1)}{p} = {{ p }}$"),
    "a style in a formula": ("$p = {{ p }}$", "$\\htmlStyle{position:fixed}{p} \\htmlData{a=b}{p} = {{ p }}$"),
    "an endless macro": ("$p = {{ p }}$", "$\\def\\a{\\a\\a}\\a = {{ p }}$"),
    "a macro bomb": ("$p = {{ p }}$", "$\\def\\a{xx}\\def\\b{\\a\\a\\a}\\def\\c{\\b\\b\\b}\\c\\c = {{ p }}$"),
    "a script in a message": ("says: This", f"says: '{SCRIPT}' # This"),
    "a script in a hint": ("hint: The loss", f"hint: {SCRIPT} The loss"),
    "a script in a question": ("ask: What", f"ask: {SCRIPT} What"),
    "a symbol": ("ask: What", f"symbol: '{SCRIPT}'\n    ask: What"),
}


@pytest.mark.parametrize("what", MEAN)
def test_nothing_of_an_authored_text_runs(what: str, as_alice: Client, own: Problem) -> None:
    source = hostile(own, *MEAN[what])
    as_alice.post(address("author-save", own), {"source": source, "revision": "1"})
    began = time.thread_time()
    for name in PAGES:
        html = as_alice.get(address(name, own)).content.decode()
        shown = html.partition('<textarea class="text-box source-box"')
        seen = shown[0] + shown[2].partition("</textarea>")[2]
        assert "<script>alert" not in seen
        assert "<img src=x" not in seen
        assert 'href="javascript' not in seen.lower()
        assert "position:fixed" not in seen.replace("&quot;", '"') or "tex-source" in seen
    assert time.thread_time() - began < 20


HEAD = "title: a\nsummary: b\nskills: [neg-log]\nstatement: a\n"
BROKEN_FILES = {
    "nothing": "",
    "signs": "\u202e\ufeff\u200b\u2028 ][",
    "a list": "- a\n- b\n",
    "a laugh": "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n",
    "a tag": "title: !!python/object/apply:os.system ['true']\n",
    "deep": "[" * 3000,
    "flow": "{" * 500 + "}" * 500,
    "long line": "title: " + "x" * 60_000,
    "many keys": "\n".join(f"key{number}: 1" for number in range(5500)),
    "endless power": f"{HEAD}steps:\n  a: {{ask: b, is: 9^9^9^9^9, skill: neg-log}}\n",
    "huge vector": f"{HEAD}parameters:\n  z: {{range: [0, 1], size: 99999999}}\n"
    "steps:\n  a: {ask: b, is: sum(z), skill: neg-log}\n",
    "never drawn": f"{HEAD}parameters:\n  z: {{range: [0, 1]}}\nrequire: [z > 5]\n"
    "steps:\n  a: {ask: b, is: z, skill: neg-log}\n",
}


@pytest.mark.parametrize("what", BROKEN_FILES)
def test_a_broken_file_breaks_no_page(what: str, as_alice: Client, alice: User) -> None:
    problem = draft(alice, "Broken", BROKEN_FILES[what]) if BROKEN_FILES[what] else draft(alice, "Broken")
    draft(alice, "Beside it")
    began = time.thread_time()
    for name in ("author-problem", "author-preview", "author-try", "author-publish", "author-guided"):
        assert as_alice.get(address(name, problem), follow=True).status_code == 200
    said = as_alice.post(address("author-faults", problem), {"source": BROKEN_FILES[what]}).json()
    seen = as_alice.get(address("author-problem", problem)).content.decode()
    # What can be read but never drawn says so at each seed.
    assert said["faults"] or seen.count("notice notice-error") >= 3 or not BROKEN_FILES[what]
    listed = as_alice.get("/author/").content.decode()
    assert "Beside it" in listed
    assert "Broken" in listed
    assert time.thread_time() - began < 20


def test_a_hostile_title_is_shown_as_it_is(as_alice: Client, alice: User) -> None:
    as_alice.post("/author/new/", {"title": SCRIPT})
    html = as_alice.get("/author/").content.decode()
    assert "<script>alert" not in html
    assert "&lt;script&gt;" in html


def test_texts_that_nobody_types_are_taken_all_the_same(as_alice: Client, own: Problem) -> None:
    for source in BROKEN_FILES.values():
        for name in ("author-preview", "author-try", "author-faults", "author-completions"):
            sent = {"source": source, "seed": "1", "line": "1", "column": "1"}
            assert as_alice.post(address(name, own), sent).status_code == 200


def test_a_text_that_is_too_large_comes_back_whole_with_how_much_is_too_much(as_alice: Client, own: Problem) -> None:
    kept, large = text_of(own), "title: x\n#" + "x" * 311_800 + " the end"
    refused = as_alice.post(address("author-problem", own), {"source": large, "revision": "1", "do": "save"})
    assert refused.status_code == 422
    assert "Your file is 312 kB; 64 kB are the most. Shorten it, then save again." in refused.content.decode()
    assert "x the end</textarea>" in refused.content.decode(), "nothing of it is cut off"
    by_script = as_alice.post(address("author-save", own), {"source": large, "revision": "1"})
    assert (by_script.status_code, by_script.json()["says"][:40]) == (422, "Your file is 312 kB; 64 kB are the most.")
    assert text_of(own) == kept
