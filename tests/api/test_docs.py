"""What docs/api.md shows is what happens: its examples are run against a live server."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings
from pytest_django.live_server_helper import LiveServer

from exercises.actions import issue_token, make_client, sync_catalogue
from exercises.management.commands.demo_world import PEOPLE
from exercises.models import User
from exercises.scopes import SCOPES

PAGE = (Path(settings.BASE_DIR) / "docs" / "api.md").read_text()
EXAMPLES = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)


def steps(block: str) -> list[tuple[str, str]]:
    """The commands of an example, each with what it is said to print."""
    found: list[tuple[str, str]] = []
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, printed = re.sub(r"\\\n\s*", "", part).partition("\n")
        found.append((command, printed.strip()))
    return found


def pattern(said: str, base: str) -> str:
    """What is said to be printed, as an expression: `…` is anything."""
    return ".*".join(re.escape(part) for part in said.replace("$GYM", base).split("…"))


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("servers")
def test_every_example_does_what_it_says(live_server: LiveServer, alice: User) -> None:
    # As `make run` has them, so that whoever tries the page there sees the same.
    alice.set_password(next(person.password for person in PEOPLE if person.name == "alice"))
    alice.save()
    assert not sync_catalogue(["masked-token-loss"]).faults
    secret, client = make_client(user=alice, name="Campus", scopes=["roster.read"])
    known = {
        **os.environ, "GYM": live_server.url, "CLIENT_ID": client.client_id, "CLIENT_SECRET": secret,
        "TOKEN": issue_token(user=alice, scopes=list(SCOPES))[0], "NO_PROXY": "*",
    }  # fmt: skip
    done = [step for block in EXAMPLES for step in steps(block)]
    if not any("limit=1" in command for command, _ in done):
        pytest.fail("The page shows no list.")
    # A second course, so that the list of one row has a next page.
    extra = 'curl -s -X PUT "$GYM/api/v1/courses/ext:CS-102" -H "Authorization: Bearer $TOKEN"'
    extra += """ -H 'Content-Type: application/json' -d '{"title": "Another"}'"""
    for command, said in [(extra, "{…}"), *done]:
        printed = subprocess.run(
            ["sh", "-c", command], check=False, env=known, capture_output=True, text=True, timeout=30
        ).stdout
        if printed.startswith("{"):
            printed = json.dumps(json.loads(printed), ensure_ascii=False)
        assert re.fullmatch(pattern(said, live_server.url), printed, re.DOTALL), f"{command}\n{said}\n{printed}"


def test_the_page_names_every_scope_in_the_words_of_the_pages() -> None:
    rows = dict(re.findall(r"^\| `([a-z.]+)` \| (.+?) \|$", PAGE, re.MULTILINE))
    assert rows == dict(SCOPES)
