"""Lines of the log: which request or task they belong to, for people and for machines."""

import json
import logging
from collections.abc import Iterator

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from server.headers import RequestIdMiddleware
from server.logs import Json, Lines, Origin

log = logging.getLogger("tests.of.logs")


@pytest.fixture
def lines() -> Iterator[list[logging.LogRecord]]:
    records: list[logging.LogRecord] = []

    class Keeping(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record)

    handler = Keeping()
    handler.addFilter(Origin())
    log.addHandler(handler)
    yield records
    log.removeHandler(handler)


def answer(request: HttpRequest) -> HttpResponse:
    log.warning("It is %s.", "so", extra={"submissions": ["a", "b"]})
    return HttpResponse()


def test_a_line_names_the_request_it_belongs_to(lines: list[logging.LogRecord]) -> None:
    asked = RequestFactory().get("/", headers={"X-Request-Id": "abc-1"})
    RequestIdMiddleware(answer)(asked)
    log.warning("Outside.")
    inside, outside = (Lines().format(record) for record in lines)
    assert inside.endswith("WARNING tests.of.logs [abc-1]: It is so.")
    assert outside.endswith("WARNING tests.of.logs: Outside.")


def test_a_request_that_fails_leaves_its_name_to_no_other(lines: list[logging.LogRecord]) -> None:
    def fail(request: HttpRequest) -> HttpResponse:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        RequestIdMiddleware(fail)(RequestFactory().get("/", headers={"X-Request-Id": "abc-2"}))
    log.warning("Afterwards.")
    assert "abc-2" not in Lines().format(lines[0])


def test_what_somebody_asks_for_begins_no_line_of_its_own(lines: list[logging.LogRecord]) -> None:
    log.warning("Not found: %s", "/a\nb\r\x1b[2Kc\x85d\u2028e/ü")
    assert Lines().format(lines[0]).endswith(r": Not found: /a\x0ab\x0d\x1b[2Kc\x85d e/ü")


def test_what_failed_stands_below_its_line(lines: list[logging.LogRecord]) -> None:
    try:
        raise ValueError("first")
    except ValueError:
        log.exception("It failed.")
    first, *below = Lines().format(lines[0]).splitlines()
    assert first.endswith("It failed.")
    assert below[-1] == "ValueError: first"


def test_for_machines_it_is_an_object_with_all_that_was_given(lines: list[logging.LogRecord]) -> None:
    RequestIdMiddleware(answer)(RequestFactory().get("/", headers={"X-Request-Id": "abc-3"}))
    told = json.loads(Json().format(lines[0]))
    assert told["message"] == "It is so."
    assert (told["request_id"], told["submissions"], told["level"]) == ("abc-3", ["a", "b"], "WARNING")


def test_an_error_is_one_line_for_machines(lines: list[logging.LogRecord]) -> None:
    try:
        raise ValueError("first\nsecond")
    except ValueError:
        log.exception("It failed: %s", "\n new line")
    line = Json().format(lines[0])
    assert "\n" not in line
    assert "ValueError: first" in json.loads(line)["error"]


def test_what_json_cannot_hold_is_told_in_words(lines: list[logging.LogRecord]) -> None:
    log.warning("Odd.", extra={"odd": {1, 2}, "nan": float("nan")})
    assert json.loads(Json().format(lines[0]))["odd"] == "{1, 2}"
