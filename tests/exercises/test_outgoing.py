"""Calls to other systems: where they may go, how long they may take, and what may come back."""

import socket
import socketserver
import time
from collections.abc import Iterator
from typing import Any

import pytest

from exercises import outgoing
from exercises.outgoing import AddressRefused, Unreachable, call, refuse_address
from tests.loopback import serving


class Script(socketserver.BaseRequestHandler):
    """Answers with what the server was told to, piece by piece."""

    def handle(self) -> None:
        server: Any = self.server
        server.asked.append(self.request.recv(65536).decode())
        for piece in server.pieces:
            try:
                self.request.sendall(piece)
            except OSError:
                return
            time.sleep(server.pause)


@pytest.fixture
def other() -> Iterator[Any]:
    """A server on loopback; ``pieces`` is what it sends."""
    server: Any = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Script)
    server.daemon_threads = True
    server.asked, server.pieces, server.pause = [], [], 0
    serving(server)
    server.url = f"http://127.0.0.1:{server.server_address[1]}/hook?x=1"
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def at_home(settings: Any) -> None:
    settings.ALLOW_PRIVATE_ADDRESSES = True


@pytest.mark.usefixtures("at_home")
def test_an_answer_comes_back_with_status_headers_and_body(other: Any) -> None:
    other.pieces = [b"HTTP/1.1 202 Accepted\r\nX-Thing: yes\r\nContent-Length: 5\r\n\r\nhello"]
    answer = call("POST", other.url, headers={"X-Mine": "1"}, body=b"{}")
    assert (answer.status, answer.text, answer.headers["x-thing"]) == (202, "hello", "yes")
    assert other.asked[0].startswith("POST /hook?x=1 HTTP/1.1\r\n")
    assert f"Host: 127.0.0.1:{other.server_address[1]}\r\n" in other.asked[0]


@pytest.mark.usefixtures("at_home")
def test_a_redirect_is_told_and_not_followed(other: Any) -> None:
    other.pieces = [b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"]
    assert call("GET", other.url).status == 302
    assert len(other.asked) == 1


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        ([b""], "broke off"),
        ([b"HTTP/1.0 0 Coding error detected\r\n\r\n"], "no proper answer"),
        ([b"SSH-2.0-OpenSSH\r\n\r\n"], "no proper answer"),
        ([b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort"], "broke off"),
        ([b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 2_000], "more than 1,000 bytes"),
    ],
)
def test_what_is_no_answer_is_told_in_words(other: Any, pieces: list[bytes], said: str) -> None:
    other.pieces = pieces
    with pytest.raises(Unreachable, match=said):
        call("GET", other.url, most_bytes=1_000)


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize("start", [b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\n\r\n"])
def test_a_server_that_drips_is_left(other: Any, start: bytes) -> None:
    other.pieces, other.pause = [start, *[b"x"] * 100], 0.05
    with pytest.raises(Unreachable, match="took too long"):
        call("GET", other.url, seconds=0.5)


@pytest.mark.usefixtures("at_home")
def test_nobody_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(Unreachable, match="nothing listens"):
        call("GET", f"http://127.0.0.1:{port}/")


PRIVATE = [
    "127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
    "::1", "fe80::1", "fc00::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::",
    "255.255.255.255", "198.18.0.1", "192.0.2.1", "fec0::1", "64:ff9b:1::a00:1", "::127.0.0.1", "::ffff:0:10.0.0.1",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_a_name_that_leads_inside_is_refused(monkeypatch: pytest.MonkeyPatch, settings: Any, address: str) -> None:
    settings.ALLOW_PRIVATE_ADDRESSES = False
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, 443)) for one in ("93.184.216.34", address)]
    monkeypatch.setattr(outgoing.socket, "getaddrinfo", lambda *_, **__: found)
    with pytest.raises(AddressRefused, match="private network"):
        refuse_address("https://hooks.example/")


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1"])
def test_a_public_address_may_be_called(monkeypatch: pytest.MonkeyPatch, settings: Any, address: str) -> None:
    settings.ALLOW_PRIVATE_ADDRESSES = False
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443))]
    monkeypatch.setattr(outgoing.socket, "getaddrinfo", lambda *_, **__: found)
    refuse_address("https://hooks.example/")


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example/", "ftp://hooks.example/", "https://", "https:///x", "//hooks.example", "hooks.example",
        "https://name:word@hooks.example/", "https://hooks.example:99999/", "https://hooks.example/\r\nX: y",
        "https://hooks.example/ x", "https://[::1/", "https://hooks.example/" + "x" * 3000, "file:///etc/passwd",
    ],
)  # fmt: skip
def test_what_is_no_address_to_call_is_refused(settings: Any, url: str) -> None:
    settings.ALLOW_PRIVATE_ADDRESSES = False
    with pytest.raises(AddressRefused):
        refuse_address(url)


@pytest.mark.usefixtures("at_home")
def test_the_call_goes_to_the_address_that_was_looked_at(other: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that says something else the second time is not asked a second time."""
    other.pieces = [b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"]
    asked: list[str] = []
    real = socket.getaddrinfo

    def once(host: str, *rest: Any, **named: Any) -> Any:
        asked.append(host)
        return real("127.0.0.1" if host == "rebinding.example" else host, *rest, **named)

    monkeypatch.setattr(outgoing.socket, "getaddrinfo", once)
    port = other.server_address[1]
    assert call("GET", f"http://rebinding.example:{port}/").status == 200
    assert asked.count("rebinding.example") == 1
    assert f"Host: rebinding.example:{port}" in other.asked[0]


def test_a_name_that_nobody_knows_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(outgoing.socket, "getaddrinfo", unknown)
    with pytest.raises(Unreachable, match=r"no server by the name of hooks\.example: check how it is written"):
        refuse_address("https://hooks.example/")
