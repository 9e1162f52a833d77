"""The services of the forging platform: tokens, columns, scores, results and rosters, with the oddities of real ones.

Times it compares by its own books: a score that is not newer than the last one is refused, as Moodle does in whole
seconds, or the consumer of Open edX by the microsecond.
"""

import datetime as dt
import json
import threading
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt

from exercises.actions.lms.tool_keys import signing_key
from exercises.lti import services
from exercises.models import Context, Membership, PlatformUser, Registration, ToolKey, User
from tests.lti.platform import LEARNER, FakePlatform, send

ALL = (services.LINE_ITEM, services.LINE_ITEM_READ, services.SCORE, services.RESULT_READ, services.MEMBERS_READ)
NEEDED = {
    "POST /items": {services.LINE_ITEM},
    "GET /items": {services.LINE_ITEM, services.LINE_ITEM_READ},
    "POST scores": {services.SCORE},
    "GET results": {services.RESULT_READ},
    "GET /members": {services.MEMBERS_READ},
}


@dataclass
class Fails:
    """What an address answers instead, so many times; ``status`` 0 is a broken status line."""

    status: int
    times: int = 1_000_000
    body: bytes = b"[]"
    headers: Mapping[str, str] = field(default_factory=dict)


class Services:
    """The services of one platform. ``posted`` are the scores that it took, ``fails`` what it answers instead."""

    def __init__(self, platform: FakePlatform, *, kind: str = "moodle") -> None:
        self.platform, self.kind = platform, kind
        self.granted = set(ALL)
        self.tokens: dict[str, set[str]] = {}
        self.token_scopes: list[str] = []
        self.assertions: list[dict[str, Any]] = []
        self.columns: dict[str, dict[str, Any]] = {}
        self.posted: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self.refused: list[dict[str, Any]] = []
        self.last: dict[tuple[str, str], dt.datetime] = {}
        self.results: dict[tuple[str, str], dict[str, Any]] = {}
        self.by_hand: dict[tuple[str, str], float] = {}
        self.members: list[Any] = []
        self.page = 50
        self.link = '<{}>; rel="next"'
        self.fails: dict[str, Fails] = {}
        # Somebody whom it answers with a broken status line, as Moodle does for a user id that is no number.
        self.chokes_on = ""
        self.called: Counter[str] = Counter()
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        self._lock = threading.Lock()
        platform.pages["/token"] = self._token
        platform.pages["/items"] = self._items
        platform.pages["/members"] = self._members
        self.add_column("1")

    def url(self, path: str) -> str:
        """An address of ours."""
        return f"{self.platform.url}{path}"

    def add_column(self, name: str, **more: Any) -> str:
        """A column that is there already; its address has a query, as those of Moodle have."""
        url = self.url(f"/items/{name}/lineitem?type_id=1")
        self.columns[name] = {"id": url, "label": name, "scoreMaximum": 100, **more}
        for what in ("lineitem", "lineitem/scores", "lineitem/results"):
            self.platform.pages[f"/items/{name}/{what}"] = self._column
        return url

    # ------------------------------------------------------------------------------------------------------------------

    def _token(self, handler: BaseHTTPRequestHandler) -> None:
        form = {name: values[0] for name, values in parse_qs(_body(handler).decode()).items()}
        if self._failed(handler, "token"):
            return
        self.called["token"] += 1
        assertion = form["client_assertion"]
        kid = jwt.get_unverified_header(assertion)["kid"]
        key = jwt.PyJWK(ToolKeys.by_kid[kid]).key
        claims = jwt.decode(assertion, key, algorithms=["RS256"], audience=self.url("/token"))
        self.assertions.append(claims)
        scopes = set(form["scope"].split())
        if not scopes <= self.granted:
            _json(handler, {"error": "invalid_scope"}, status=400)
            return
        self.token_scopes.append(form["scope"])
        token = f"token-{claims['iss']}-{len(self.tokens)}"
        self.tokens[token] = scopes
        _json(handler, {"access_token": token, "token_type": "Bearer", "expires_in": 3600, "scope": form["scope"]})

    def _may(self, handler: BaseHTTPRequestHandler, what: str) -> bool:
        self.called[what] += 1
        self.asked.append((what, handler.path, dict(handler.headers)))
        if self._failed(handler, what):
            return False
        token = handler.headers.get("Authorization", "").removeprefix("Bearer ")
        if token not in self.tokens:
            _json(handler, {"error": "no such token"}, status=401)
            return False
        if not self.tokens[token] & NEEDED[what]:
            _json(handler, [], status=403)
            return False
        return True

    def _failed(self, handler: BaseHTTPRequestHandler, what: str) -> bool:
        failing = self.fails.get(what) or self.fails.get("everything")
        if failing is None or failing.times <= 0:
            return False
        failing.times -= 1
        if failing.status == 0:
            _break_off(handler)
            return True
        handler.send_response(failing.status)
        for name, value in failing.headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(failing.body)))
        handler.end_headers()
        handler.wfile.write(failing.body)
        return True

    def _items(self, handler: BaseHTTPRequestHandler) -> None:
        body, what = _body(handler), f"{handler.command} /items"
        if not self._may(handler, what):
            return
        if handler.command == "GET":
            self._page(handler, list(self.columns.values()))
            return
        said = json.loads(body)
        name = str(len(self.columns) + 1)
        self.add_column(name, **said)
        _json(handler, self.columns[name], status=201)

    def _column(self, handler: BaseHTTPRequestHandler) -> None:
        body = _body(handler)
        path = handler.path.split("?")[0]
        name, last = path.split("/")[2], path.rpartition("/")[2]
        what = {"lineitem": "GET /items", "scores": "POST scores", "results": "GET results"}[last]
        if not self._may(handler, what):
            return
        if name not in self.columns:
            _json(handler, [], status=404)
        elif last == "scores":
            self._score(handler, name, json.loads(body))
        elif last == "results":
            user = parse_qs(urlsplit(handler.path).query).get("user_id", [""])[0]
            found = [one for (column, who), one in self.results.items() if column == name and user in ("", who)]
            _json(handler, found)
        else:
            _json(handler, self.columns[name])

    def _score(self, handler: BaseHTTPRequestHandler, name: str, said: dict[str, Any]) -> None:
        if said["userId"] == self.chokes_on:
            _break_off(handler)
            return
        with self._lock:
            key = name, said["userId"]
            at = dt.datetime.fromisoformat(said["timestamp"])
            before = self.last.get(key)
            if self.kind == "moodle":
                is_older = before is not None and at.replace(microsecond=0) <= before.replace(microsecond=0)
            else:
                is_older = before is not None and at <= before
            if is_older:
                self.refused.append(said)
                text = {"timestamp": ["Score timestamp must be later than the last one."]}
                _json(handler, [] if self.kind == "moodle" else text, status=409 if self.kind == "moodle" else 400)
                return
            self.last[key] = at
            self.posted[name].append(said)
            self._show(key, said)
        if self.kind == "moodle":
            send(handler, b"", status=200)
        else:
            _json(handler, said, status=201)

    def _show(self, key: tuple[str, str], said: dict[str, Any]) -> None:
        column = self.columns[key[0]]
        if key in self.by_hand:
            self.results[key] = _result(column, key[1], self.by_hand[key], column["scoreMaximum"])
        elif said["gradingProgress"] != "FullyGraded" or "scoreGiven" not in said:
            self.results.pop(key, None)
        elif self.kind == "moodle":
            given = round(said["scoreGiven"] / said["scoreMaximum"] * column["scoreMaximum"], 5)
            self.results[key] = _result(column, key[1], given, column["scoreMaximum"])
        else:
            self.results[key] = _result(column, key[1], said["scoreGiven"], said["scoreMaximum"])

    def _members(self, handler: BaseHTTPRequestHandler) -> None:
        if self._may(handler, "GET /members"):
            self._page(handler, self.members, wrap="members")

    def _page(self, handler: BaseHTTPRequestHandler, rows: list[Any], wrap: str = "") -> None:
        asked = parse_qs(urlsplit(handler.path).query)
        start = int(asked.get("from", ["0"])[0])
        some = rows[start : start + self.page]
        headers = {}
        if start + self.page < len(rows):
            path, _, query = handler.path.partition("?")
            rest = "&".join(part for part in query.split("&") if part and not part.startswith("from="))
            more = "&".join(part for part in (rest, f"from={start + self.page}") if part)
            headers["Link"] = self.link.format(self.url(f"{path}?{more}"))
        _json(handler, {wrap: some} if wrap else some, headers=headers)


class ToolKeys:
    """The public halves of our keys, which a real platform would read from our key set."""

    by_kid: dict[str, dict[str, str]] = {}

    @classmethod
    def learn(cls) -> None:
        """Read them."""
        cls.by_kid = {key.kid: key.public_key for key in ToolKey.objects.all()}


def connected(context: Context, services_: Services) -> Context:
    """Let a context have these services."""
    signing_key()
    ToolKeys.learn()
    context.lineitems_url, context.memberships_url = services_.url("/items?type_id=1"), services_.url("/members")
    context.scopes = list(ALL)
    context.save()
    return context


def member(context: Context, user: User, sub: str, *, role: str = "learner") -> PlatformUser:
    """Somebody who was launched before, with an account that is there already."""
    registration: Registration = context.deployment.registration
    person, _ = PlatformUser.objects.get_or_create(
        registration=registration, sub=sub, defaults={"user": user, "name": user.get_username()}
    )
    Membership.objects.get_or_create(context=context, platform_user=person, defaults={"roles": [LEARNER], "role": role})
    return person


def _result(column: Mapping[str, Any], user: str, score: float, maximum: float) -> dict[str, Any]:
    return {"id": f"{column['id']}/r", "userId": user, "resultScore": score, "resultMaximum": maximum}


def _break_off(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.0 0 Coding error detected\r\n\r\n")
    handler.close_connection = True


def _body(handler: BaseHTTPRequestHandler) -> bytes:
    return handler.rfile.read(int(handler.headers.get("Content-Length") or 0))


def _json(
    handler: BaseHTTPRequestHandler, said: object, *, status: int = 200, headers: Mapping[str, str] | None = None
) -> None:
    body = json.dumps(said).encode()
    handler.send_response(status)
    handler.send_header("Content-Type", "application/json")
    for name, value in (headers or {}).items():
        # As Moodle does: UTF-8 where Latin-1 belongs.
        handler.send_header(name, value.encode().decode("latin-1"))
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)
