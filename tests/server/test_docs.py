"""What the docs say exists, and what exists is in the docs."""

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

from exercises.catalogue import slugs, source
from grader.problem import load

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
TEXTS = {page.relative_to(ROOT).as_posix(): page.read_text() for page in PAGES}
EVERYTHING = "\n".join(TEXTS.values())
GIVEN_BY_OTHERS = {"HOME", "LANG", "PATH"}

READ = re.compile(
    r"""(?:flag|words|one_of|amount|secret|environ\.get|environ)[(\[]\s*["']([A-Z_]+)["']|required="([A-Z_]+)\""""
)


def variables_read() -> set[str]:
    sources = [*ROOT.glob("server/*.py"), ROOT / "tests/browsers.py", ROOT / "tests/lti/openedx/conftest.py"]
    sources += [
        ROOT / "tests/load/test_hosts.py",
        ROOT / "tests/load/test_pooled.py",
        ROOT / "tests/server/test_upgrade.py",
    ]
    found = READ.findall("\n".join(source.read_text() for source in sources))
    named = {first or second for first, second in found}
    return (
        # A secret is read from the file that NAME_FILE names as well: the page says so once.
        {name for name in named if not name.endswith("_FILE")}
        - GIVEN_BY_OTHERS
        - {"DJANGO_SETTINGS_MODULE", "DJANGO_ALLOW_ASYNC_UNSAFE"}
    )


def test_every_setting_is_written_down_and_none_besides() -> None:
    written = set(re.findall(r"^\| `([A-Z_]+)` \|", TEXTS["docs/settings.md"], re.MULTILINE))
    assert written == variables_read()


def test_every_command_is_written_down_and_none_besides() -> None:
    exist = {path.stem for path in ROOT.glob("*/management/commands/*.py")} - {"__init__"}
    named = set(re.findall(r"manage\.py ([a-z_]+)", EVERYTHING))
    assert exist - named == set()
    assert named - set(get_commands()) == set()


def test_every_make_target_that_is_named_exists() -> None:
    exist = set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z-]+)(?=[`.,:;)\s]|$)", "\n".join(re.findall(r"`[^`\n]+`", EVERYTHING))))
    assert {"run", "test", "check", "help"} <= exist
    assert named - exist == set()


@pytest.mark.parametrize("page", sorted(TEXTS))
def test_every_file_that_is_named_is_there(page: str) -> None:
    named = re.findall(r"`((?:docs|exercises|frontend|grader|server|tests|\.ci)/[\w./-]*)`", TEXTS[page])
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", sorted(TEXTS))
def test_every_link_leads_somewhere(page: str) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", TEXTS[page])
    folder = (ROOT / page).parent
    assert [link for link in links if not (folder / link).exists()] == []


def test_every_problem_is_written_down_with_its_title_and_none_besides() -> None:
    written = re.findall(r"^\| `([a-z0-9-]+)` \| ([^|]+) \|", TEXTS["docs/problems.md"], re.MULTILINE)
    assert dict(written) == {slug: load(source(slug)).title for slug in slugs()}
    assert len(written) == len(slugs())


def test_every_dependency_has_its_reason() -> None:
    lines = (ROOT / "pyproject.toml").read_text().splitlines()
    needed = [
        line for line in lines if re.match(r'\s*(installer = \[|node = \[|)\s*"[\w.-]+(\[\w+\])?([<>=~!;].*)?"', line)
    ]
    asked = [line for line in needed if re.search(r'"[A-Za-z][\w.-]*(\[\w+\])?[<>=]', line) or "types-" in line]
    assert len(asked) > 30
    assert [line for line in asked if not re.search(r"#\s*\S+", line)] == []


@pytest.mark.parametrize("lock", sorted(path.name for path in ROOT.glob("requirements*.txt")))
def test_a_lock_holds_hashes_and_no_addresses(lock: str) -> None:
    text = (ROOT / lock).read_text()
    pinned = re.findall(r"^[\w.-]+==\S+", text, re.MULTILINE)
    assert pinned
    assert len(re.findall(r"^ {4}--hash=sha256:", text, re.MULTILINE)) >= len(pinned)
    assert not re.search(r"://|--(extra-)?index|--find-links", text)


def test_the_npm_lock_holds_hashes_and_no_addresses() -> None:
    text = (ROOT / "package-lock.json").read_text()
    assert '"integrity": "sha512-' in text
    assert "resolved" not in text
