"""Where a server of our own runs: on this machine's loopback, or on a host that tests made."""

import pwd
from dataclasses import dataclass

from server.embedded.ports import LOOPBACK


@dataclass(frozen=True)
class Host:
    """An address, and the words before a command that run it there; ``network`` is who may come in, beside itself."""

    address: str = LOOPBACK
    inside: tuple[str, ...] = ()
    network: str = ""

    def command(self, command: list[str], *, user: str | None = None) -> list[str]:
        """A command that runs there, as ``user`` if given: who goes to another host must be root until then."""
        if not self.inside:
            return command
        if user is None:
            return [*self.inside, *command]
        record = pwd.getpwnam(user)
        as_user = ["setpriv", f"--reuid={record.pw_uid}", f"--regid={record.pw_gid}", "--clear-groups", "--"]
        return [*self.inside, *as_user, *command]


HERE = Host()
