"""Whoever reads the log of requests can open nothing by it."""

import datetime as dt
import logging
import uuid
from typing import Any

import pytest
from gunicorn.config import Config

from server import web
from server.access_log import Quiet, without_tokens

TOKEN = "Zt9-" * 11


def test_gunicorn_writes_it_this_way() -> None:
    settings = Config()
    settings.set("logger_class", web.logger_class)
    assert settings.logger_class is Quiet


@pytest.mark.parametrize(
    "address",
    [
        f"/accounts/password/reset/key/1-{TOKEN}/", f"/accounts/confirm-email/MQ:1vP:{TOKEN}/", f"/lti/arrive/{TOKEN}/",
        f"/lti/login?login_hint={TOKEN}&lti_message_hint=x", f"/lti/register/{TOKEN}/?openid_configuration=https://lms",
    ],
)  # fmt: skip
def test_no_token_is_in_a_line(address: str) -> None:
    settings = Config()
    settings.set("accesslog", "-")
    log = Quiet(settings)
    path, _, query = address.partition("?")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "GET", "RAW_URI": address, "SERVER_PROTOCOL": "HTTP/1.1", "PATH_INFO": path,
        "QUERY_STRING": query, "HTTP_REFERER": f"https://gym.example{address}",
    }  # fmt: skip
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]
    log.access_log.handlers = [handler]

    class Answer:
        status, sent, headers = "200 OK", 5, [("Content-Type", "text/html")]

    log.access(Answer(), type("Asked", (), {"headers": []})(), environ, dt.timedelta(seconds=1))
    assert len(lines) == 1
    assert "Zt9" not in lines[0]
    assert f"GET {path.partition('Zt9')[0].rpartition('/')[0]}" in lines[0]


def test_what_opens_nothing_is_told() -> None:
    address = f"/courses/{uuid.uuid4()}/problems/loss-at-one-masked-token/"
    assert without_tokens(address) == address
