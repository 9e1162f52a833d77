"""Servers on loopback that play somebody else."""

import socketserver
import threading

#: Seconds until one notices that it should end. Its own half a second was waited for by every test that had one.
NOTICED = 0.01


def serving(server: socketserver.BaseServer) -> None:
    """Let it serve beside the test until its `shutdown`."""
    threading.Thread(target=server.serve_forever, args=(NOTICED,), daemon=True).start()
