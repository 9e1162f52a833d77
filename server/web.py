"""How gunicorn serves the pages; started with `gunicorn --config python:server.web server.wsgi:application`."""

import gc
import os
from pathlib import Path
from typing import Any

from django.urls import get_resolver

from server.access_log import Quiet
from server.settings import WEB_THREADS

bind = f"{os.environ.get('HOST') or '127.0.0.1'}:{os.environ.get('PORT') or '8000'}"
# Threads, not more processes: a request that waits for its verdict or for the database leaves the core to the others.
worker_class = "gthread"
workers = int(os.environ.get("WEB_WORKERS") or 1)
threads = WEB_THREADS
timeout = 30
graceful_timeout = 10
# Longer than a proxy keeps an idle connection to us (60 s by default, in nginx and others), so that it closes first;
# one that we closed just as it passed on somebody's answer would be a 502 to them. An idle one costs a socket and no
# thread, and is closed within seconds when the process is to stop.
keepalive = 75
max_requests = 10_000
max_requests_jitter = 1_000
# The heartbeat is a file: on a slow disk a healthy worker would be taken for dead.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108  (gunicorn makes a private file in it)
accesslog = "-" if os.environ.get("ACCESS_LOG") == "1" else None
logger_class = Quiet
control_socket_disable = True  # nothing here is steered at run time
forwarded_allow_ips = os.environ.get("FORWARDED_ALLOW_IPS") or "127.0.0.1"


def post_worker_init(_worker: Any) -> None:
    """What Django and numpy have loaded stays for good: the collector need not look through it ever again, which took
    some 100 ms now and then, in the middle of somebody's page. All pages are loaded first, for which otherwise the
    first visitor waits."""
    # Not by the name of a page of ours: the bench serves another one with this very file.
    _ = get_resolver().namespace_dict
    gc.collect()
    gc.freeze()
