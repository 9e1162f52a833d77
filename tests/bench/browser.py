"""A browser as far as the way of an answer goes: one kept-open connection, cookies, forms, htmx's headers."""

import html
import re
from http.client import HTTPConnection, HTTPResponse
from http.cookies import SimpleCookie
from urllib.parse import urlencode

from server.embedded.ports import LOOPBACK

_HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')


class UnexpectedAnswer(Exception):
    """The service answered something that the bench cannot go on from."""


class Browser:
    """Cookies that hold for every port of this machine, as in a real one; a connection a port."""

    def __init__(self) -> None:
        self._connections: dict[int, HTTPConnection] = {}
        self._cookies: dict[str, str] = {}

    def get(self, port: int, path: str, *, fragment: bool = False) -> str:
        """The text of a page. UnexpectedAnswer unless it is there."""
        response, text = self._ask("GET", port, path, None, fragment=fragment)
        return _wanted(response, text, path, 200)

    def post(self, port: int, path: str, form: dict[str, str | list[str]], *, fragment: bool = False) -> str:
        """What a form came to: a fragment's text, or for a whole page where it leads to. UnexpectedAnswer else."""
        response, text = self._ask("POST", port, path, form, fragment=fragment)
        if fragment:
            return _wanted(response, text, path, 200)
        _wanted(response, text, path, 302)
        return response.headers["Location"]

    def _ask(
        self, method: str, port: int, path: str, form: dict[str, str | list[str]] | None, *, fragment: bool
    ) -> tuple[HTTPResponse, str]:
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items())}
        if fragment:
            headers |= {"HX-Request": "true", "HX-Current-URL": f"http://{LOOPBACK}:{port}{path}"}
        body = None
        if form is not None:
            headers |= {
                "Content-Type": "application/x-www-form-urlencoded",
                "Origin": f"http://{LOOPBACK}:{port}",
                "X-CSRFToken": self._cookies.get("csrftoken", ""),
            }
            body = urlencode(form, doseq=True)
        connection = self._connections.setdefault(port, HTTPConnection(LOOPBACK, port, timeout=30))
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        text = response.read().decode()
        for line in response.headers.get_all("Set-Cookie") or ():
            self._cookies |= {name: cookie.value for name, cookie in SimpleCookie(line).items()}
        return response, text

    def close(self) -> None:
        """Hang up."""
        for connection in self._connections.values():
            connection.close()


def hidden_fields(page: str) -> dict[str, str]:
    """The hidden fields of a page's forms; the same name in two forms has the same value on our pages, or the first."""
    found: dict[str, str] = {}
    for name, value in _HIDDEN.findall(page):
        found.setdefault(name, html.unescape(value))
    return found


def _wanted(response: HTTPResponse, text: str, path: str, status: int) -> str:
    if response.status != status:
        raise UnexpectedAnswer(f"{path} answered {response.status}, not {status}:\n{text[:2000]}")
    return text
