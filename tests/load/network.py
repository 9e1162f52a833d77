"""Several hosts on one machine: network namespaces with addresses of their own, behind one bridge.

Each can be cut off and joined again. It takes root and `ip`; `why_not` says what is missing.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from server.embedded.host import Host

#: A network that nothing outside knows of: the bridge is .1, hosts follow.
PREFIX = "10.77.0"


def why_not() -> str:
    """Why no hosts can be made here; empty if they can."""
    if os.geteuid() != 0:
        return "network namespaces take root"
    if not shutil.which("ip") or not shutil.which("setpriv"):
        return "install iproute2 and util-linux"
    tried = subprocess.run(["ip", "netns", "add", "gym-try"], capture_output=True, text=True, check=False)
    _ip("netns", "del", "gym-try", check=False)
    return tried.stderr.strip()


def addresses(count: int) -> list[str]:
    """Those of so many hosts, in the order in which they are named."""
    return [f"{PREFIX}.{number}" for number in range(2, 2 + count)]


@dataclass(frozen=True)
class Network:
    """Hosts by name."""

    hosts: dict[str, Host]

    def cut(self, name: str) -> None:
        """Take the cable out: what is on its way is lost, and nothing is told to either side."""
        _ip("link", "set", _cable(name), "down")

    def join(self, name: str) -> None:
        """Put it in again."""
        _ip("link", "set", _cable(name), "up")


@contextmanager
def network(*names: str) -> Iterator[Network]:
    """Hosts of these names until the end of the block. What they run must have ended by then."""
    made: dict[str, Host] = {}
    try:
        _ip("link", "add", _BRIDGE, "type", "bridge")
        _ip("addr", "add", f"{PREFIX}.1/24", "dev", _BRIDGE)
        _ip("link", "set", _BRIDGE, "up")
        for name, address in zip(names, addresses(len(names)), strict=True):
            made[name] = _host(name, address)
        yield Network(made)
    finally:
        for name in names:
            _ip("netns", "del", _space(name), check=False)
            _ip("link", "del", _cable(name), check=False)
        _ip("link", "del", _BRIDGE, check=False)


def _host(name: str, address: str) -> Host:
    space, cable = _space(name), _cable(name)
    inside = ("ip", "netns", "exec", space)
    _ip("netns", "add", space)
    _ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", space)
    _ip("link", "set", cable, "master", _BRIDGE, "up")
    for command in (
        ("addr", "add", f"{address}/24", "dev", "eth0"),
        ("link", "set", "eth0", "up"),
        ("link", "set", "lo", "up"),
    ):
        subprocess.run([*inside, "ip", *command], check=True, capture_output=True)
    return Host(address, inside, f"{PREFIX}.0/24")


_BRIDGE = f"gym{os.getpid()}"


def _space(name: str) -> str:
    return f"gym-{os.getpid()}-{name}"


def _cable(name: str) -> str:
    # At most 15 characters.
    return f"g{os.getpid() % 100_000}-{name}"[:15]


def _ip(*arguments: str, check: bool = True) -> None:
    subprocess.run(["ip", *arguments], check=check, capture_output=True, text=True)
