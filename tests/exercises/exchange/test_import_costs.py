"""What an import costs: it holds one author's row and the addresses that it takes, so it must be short."""

import io
import json
import zipfile
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from exercises.actions.exchange import ExchangeRefused, import_file, importing, known
from exercises.exchange.own import reading
from exercises.models import Problem, User
from tests.exercises.authoring.world import SMALL, written

pytestmark = pytest.mark.django_db


def many(count: int, *, origins: int = 0, name: str = "a") -> bytes:
    """A file of our own with so many problems of one title, each with so many originals of its own."""
    texts = {f"problems/{place}.yaml": f"{SMALL}# {name} {place}\n" for place in range(count)}
    before = {
        f"origins/{place}-{back}.yaml": f"{SMALL}# {name} {place} {back}\n"
        for place in range(count)
        for back in range(origins)
    }
    listed = [
        {
            "file": f"problems/{place}.yaml",
            "from": [{"file": f"origins/{place}-{back}.yaml"} for back in range(origins)],
        }
        for place in range(count)
    ]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("bert-gym.json", json.dumps({"format": "bert-gym", "version": 1, "problems": listed}))
        for path, text in (texts | before).items():
            file.writestr(path, text)
    return out.getvalue()


def queries(author: User, content: bytes) -> list[str]:
    with CaptureQueriesContext(connection) as seen:
        assert import_file(author=author, content=content).is_sound
    return [str(one["sql"]) for one in seen.captured_queries]


def test_problems_of_one_title_take_as_many_queries_each_however_many_came_before(alice: User) -> None:
    few, more, most = (len(queries(alice, many(count))) for count in (2, 12, 42))
    assert (more - few) / 10 == (most - more) / 30
    assert (more - few) / 10 <= 6


def test_what_the_author_has_is_read_once_however_many_came_along_with_originals(alice: User) -> None:
    written(alice)
    for content in (many(1, origins=1), many(6, origins=2)):
        drafts = [one for one in queries(alice, content) if one.startswith("SELECT") and '"source"' in one]
        assert len([one for one in drafts if "problemdraft" in one]) == 1


def test_texts_are_read_before_anything_is_held_each_once(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []

    def load(source: str, real: Any = reading.load) -> Any:
        # Inside the one that each test has.
        assert len(connection.savepoint_ids) == depth
        texts.append(source)
        return real(source)

    depth = len(connection.savepoint_ids)
    for module in (reading, importing, known):
        monkeypatch.setattr(module, "load", load, raising=False)
    assert import_file(author=alice, content=many(4, origins=1), is_preview=False).is_sound
    assert len(texts) == len(set(texts)) == 8
    made = Problem.objects.filter(owner=alice, retired=False)
    assert {(tuple(one.skills), one.summary) for one in made} == {(("neg-log",), "Divide by seven.")}


def test_an_import_that_takes_long_lets_go_and_keeps_nothing(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "SECONDS", 0.0)
    with pytest.raises(ExchangeRefused) as refused:
        import_file(author=alice, content=many(3), is_preview=False)
    assert refused.value.report is not None
    assert {"divide the file" in one.fault for one in refused.value.report.entries} == {True}
    assert not Problem.objects.exists()
