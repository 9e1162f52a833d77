"""Somebody who receives webhooks on loopback, and verifies them as its library does."""

import http.server
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.loopback import serving


class Receiver:
    """What came, and what to answer, after so many seconds: a status each, the last one for all that follow."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.came: list[tuple[dict[str, str], bytes]] = []
        self.statuses: list[int] = [200]
        self.seconds = 0.0

    def status(self) -> int:
        return self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver, as long as the block lasts."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.came.append(({name.lower(): value for name, value in self.headers.items()}, body))
            time.sleep(receiver.seconds)
            self.send_response(receiver.status())
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"ok")

        def log_message(self, *_: Any) -> None:
            """Not into the output of the tests."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver = Receiver(f"http://127.0.0.1:{server.server_address[1]}/hook")
    serving(server)
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
