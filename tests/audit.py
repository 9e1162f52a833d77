"""`make audit`: whether any package of the locks has a known hole, by pip-audit and npm.

What could not be asked is not passed: that is said, and ends with an error. With AUDIT_OPTIONAL=1, as in CI, where the
lists of holes may be out of reach, it is only said.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LOCKS = ("requirements.txt", "requirements-dev.txt", "requirements-installer.txt", "requirements-node.txt")
#: Asking about a hundred packages one by one takes a while.
SECONDS = 600


@dataclass(frozen=True)
class Answer:
    """What became of one lock: ``holes`` in words, and of how many packages nobody knew anything."""

    lock: str
    asked: int = 0
    unknown: int = 0
    holes: tuple[str, ...] = ()
    why: str = ""

    @property
    def ran(self) -> bool:
        """Whether the list of holes answered at all: one that knows no package of ours was not reached."""
        return not self.why and self.asked > self.unknown


def of_pip(lock: str, said: str) -> Answer:
    """The answer of pip-audit in JSON. A package that it skips was not looked up, whatever its exit status says."""
    try:
        packages = json.loads(said)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return Answer(lock, why="pip-audit gave no answer")
    unknown = [one for one in packages if "skip_reason" in one]
    holes = tuple(
        f"{one['name']} {one['version']}: {hole['id']}, mended in {', '.join(hole['fix_versions']) or 'no version yet'}"
        for one in packages
        for hole in one.get("vulns", ())
    )
    return Answer(lock, len(packages), len(unknown), holes, "" if len(unknown) < len(packages) else _reason(unknown))


def _reason(unknown: list[Mapping[str, Any]]) -> str:
    return str(unknown[0]["skip_reason"]) if unknown else "there is no package in it"


def of_npm(lock: str, said: str) -> Answer:
    """The answer of npm in JSON."""
    try:
        document = json.loads(said)
        found, asked = document["vulnerabilities"], document["metadata"]["dependencies"]["total"]
    except (ValueError, KeyError, TypeError):
        return Answer(lock, why="the audit endpoint of npm gave no answer")
    return Answer(lock, asked, 0, tuple(f"{name}: {one['severity']}" for name, one in sorted(found.items())))


def told(answers: list[Answer], *, is_optional: bool) -> tuple[str, int]:
    """What to say, and the exit status: 1 for a hole, and for what could not be asked unless that is optional."""
    lines, status = [], 0
    for one in answers:
        if one.holes:
            status = 1
            lines += [f"HOLE in {one.lock}: {hole}" for hole in one.holes]
        if not one.ran:
            status = status or (0 if is_optional else 1)
            lines.append(f"NOT AUDITED: {one.lock}. {one.why}")
        elif one.unknown:
            lines.append(f"{one.lock}: of {one.unknown} of {one.asked} packages nothing is known")
        elif not one.holes:
            lines.append(f"{one.lock}: no known hole in {one.asked} packages")
    return "\n".join(lines), status


def main() -> int:
    """Ask about every lock."""
    command = [sys.executable, "-m", "pip_audit", "--format", "json", "--progress-spinner", "off", "--disable-pip",
               "--require-hashes", "--requirement"]  # fmt: skip
    answers = [of_pip(lock, _said([*command, lock])) for lock in LOCKS]
    answers.append(of_npm("package-lock.json", _said(["npm", "audit", "--json"])))
    words, status = told(answers, is_optional=os.environ.get("AUDIT_OPTIONAL") == "1")
    print(words)
    return status


def _said(command: list[str]) -> str:
    try:
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ran.stdout


if __name__ == "__main__":
    sys.exit(main())
