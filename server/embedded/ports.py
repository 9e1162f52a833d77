"""Loopback ports."""

import errno
import socket

LOOPBACK = "127.0.0.1"


def free_port() -> int:
    """A port nobody listens on at this moment; take it soon, others may ask too."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


def is_taken(port: int) -> bool:
    """Whether a server could not listen on this loopback port now. PermissionError for a port below 1024."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as web servers do: a closed one may linger
        try:
            probe.bind((LOOPBACK, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return True
            raise
        return False
