"""Calls to other systems: to public addresses only, bounded in time and size, and never led on to somewhere else."""

import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import (
    ConnectTimeoutError,
    HTTPError,
    NewConnectionError,
    ProtocolError,
    ReadTimeoutError,
    SSLError,
)

SECONDS = 10.0
MOST_BYTES = 1_000_000
LONGEST_URL = 2000
_CHUNK = 16_384
_WAYS = {"https": 443, "http": 80}
# What the library counts as global, in some of its versions, and leads inside all the same: site-local addresses, those
# of a translator of one's own, and IPv4 addresses written as IPv6 ones in the two ways that nobody uses any more.
_INSIDE = tuple(map(ipaddress.IPv6Network, ("fec0::/10", "64:ff9b:1::/48", "::/96", "::ffff:0:0:0/96")))


class Unreachable(Exception):
    """There was no answer that could be read; ``message`` says why, in words for whoever gave the address."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class AddressRefused(Unreachable):
    """The address is none that this service calls."""


@dataclass(frozen=True)
class Answer:
    """What came back. Header names are in lower case; ``took`` is in seconds."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    took: float = 0.0

    @property
    def text(self) -> str:
        """The body as text, with a sign for whatever is none."""
        return self.body.decode("utf-8", "replace")


def call(
    method: str,
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
    seconds: float = SECONDS,
    most_bytes: int = MOST_BYTES,
) -> Answer:
    """Call an address once: no second try, no redirect followed. Raises Unreachable, with AddressRefused for one that
    is not called at all.

    The name is looked up once, and the connection goes to the very address that was looked at, under the certificate
    of the name: a name that says something else the next moment (DNS rebinding) leads nowhere.
    """
    began = time.monotonic()
    scheme, host, port, target = _parts(url)
    connection = _connection(scheme, host, port, _address(host, port), seconds)
    try:
        with _ended_after(seconds, connection):
            connection.request(
                method, target, body=body, headers={"Host": _host_header(scheme, host, port), **(headers or {})},
                preload_content=False, decode_content=False,
            )  # fmt: skip
            response = connection.getresponse()
            read = _read(response, most_bytes)
        if time.monotonic() - began >= seconds:  # an answer without a length, cut off there, would look whole
            raise TimeoutError
    except (HTTPError, HTTPException, OSError, ValueError) as error:
        is_late = time.monotonic() - began >= seconds
        raise Unreachable(f"{host} did not answer: {'it took too long' if is_late else _said(error)}") from error
    finally:
        connection.close()
    told = {name.lower(): value for name, value in response.headers.items()}
    return Answer(response.status, told, read, time.monotonic() - began)


def refuse_address(url: str) -> None:
    """Raises AddressRefused where ``call`` would: to be asked when an address is typed, before it is kept."""
    _, host, port, _ = _parts(url)
    _address(host, port)


def _parts(url: str) -> tuple[str, str, int, str]:
    """Scheme, host, port and what to ask for. Raises AddressRefused."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise AddressRefused("This is no address of a web server.") from None
    if len(url) > LONGEST_URL or not url.isascii() or any(sign <= " " for sign in url):
        raise AddressRefused("This is no address of a web server, or far too long.")
    if parts.scheme != "https" and not (parts.scheme == "http" and settings.ALLOW_PRIVATE_ADDRESSES):
        raise AddressRefused("Only addresses that begin with https:// are called.")
    if not parts.hostname:
        raise AddressRefused("This address names no server.")
    if parts.username is not None or parts.password is not None:
        raise AddressRefused("An address with a name or password in it is not called.")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return parts.scheme, parts.hostname, port or _WAYS[parts.scheme], target


def _address(host: str, port: int) -> str:
    """The address that a name stands for, if every one of them is public. Raises Unreachable or AddressRefused."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Unreachable(f"There is no server by the name of {host}: check how it is written.") from error
    addresses = [str(entry[4][0]) for entry in found]
    if not settings.ALLOW_PRIVATE_ADDRESSES and not all(map(_is_public, addresses)):
        raise AddressRefused(f"{host} stands for an address inside a private network, which is not called.")
    return addresses[0]


def _is_public(address: str) -> bool:
    """Whether anybody may call it: not loopback, private, link-local (metadata services), multicast or reserved."""
    found = ipaddress.ip_address(address.partition("%")[0])
    inner = getattr(found, "ipv4_mapped", None) or getattr(found, "sixtofour", None)
    teredo = getattr(found, "teredo", None)
    # NAT64 leads to whatever IPv4 address its last 32 bits say.
    if found.version == 6 and found in ipaddress.ip_network("64:ff9b::/96"):
        inner = ipaddress.ip_address(int(found) & 0xFFFFFFFF)
    if any(found in network for network in _INSIDE):
        return False
    within = [inner] if inner else list(teredo or ())
    return found.is_global and not found.is_multicast and all(one.is_global for one in within)


def _connection(scheme: str, host: str, port: int, address: str, seconds: float) -> HTTPConnection:
    if scheme == "https":
        context = ssl.create_default_context()
        return HTTPSConnection(address, port, timeout=seconds, ssl_context=context, server_hostname=host)
    return HTTPConnection(address, port, timeout=seconds)


@contextmanager
def _ended_after(seconds: float, connection: HTTPConnection) -> Iterator[None]:
    """End the connection when its time is up: a server that sends a byte now and then would hold it for ever."""

    def end() -> None:
        with suppress(OSError, AttributeError):
            connection.sock.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _read(response: Any, most: int) -> bytes:
    """The whole body. Raises ValueError once it is too large."""
    read = bytearray()
    while chunk := response.read1(_CHUNK):
        read += chunk
        if len(read) > most:
            raise ValueError(f"it sent more than {most:,} bytes")
    return bytes(read)


def _host_header(scheme: str, host: str, port: int) -> str:
    name = f"[{host}]" if ":" in host else host
    return name if port == _WAYS[scheme] else f"{name}:{port}"


def _said(error: Exception) -> str:
    """Why, in few words, without what belongs to our own side."""
    if isinstance(error, ConnectionRefusedError | NewConnectionError):  # the latter counts as a time-out there
        return "nothing listens there"
    if isinstance(error, ConnectTimeoutError | ReadTimeoutError | TimeoutError):
        return "it took too long"
    if isinstance(error, ssl.SSLError | SSLError):
        return "its certificate cannot be trusted"
    if isinstance(error, ProtocolError | HTTPException | ConnectionError):
        return "it broke off or sent no proper answer"
    return str(error)[:200] or type(error).__name__
