"""A long run: `make fuzz SECONDS=600 READER=formula`, or without READER through all of them, so many seconds each.

Each reader goes in a process of its own: a third of its time on shaped inputs, the rest on inputs that grow from those
that are kept, guided by coverage where atheris can be had, else changed at random. What is found is written to
var/fuzz/<reader>/found/ and told; the run ends with an error if anything was.
"""

import argparse
import importlib.util
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: Beyond its time a process may take this long to begin and to end, in seconds.
PATIENCE = 120


def main() -> int:
    """Run what was asked for; 1 if anything was found."""
    asked = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    asked.add_argument("--seconds", type=float, default=60.0)
    asked.add_argument("--reader", default="")
    asked.add_argument("--seed", type=int, default=0)
    wanted = asked.parse_args()
    names = sorted(path.name for path in (ROOT / "tests" / "fuzz" / "corpus").iterdir())
    if wanted.reader and wanted.reader not in names:
        print(f"There is no reader {wanted.reader}; there are {', '.join(names)}.", file=sys.stderr)
        return 2
    guided = importlib.util.find_spec("atheris") is not None
    if not guided:
        print("atheris is not to be had here: inputs are changed at random, without looking at what they reach.")
    ways = [("shaped", wanted.seconds / 3), ("guided" if guided else "spoilt", wanted.seconds * 2 / 3)]
    found = []
    for name in [wanted.reader] if wanted.reader else names:
        for way, seconds in ways:
            print(f"== {name}, {way}, {seconds:.0f} s", flush=True)
            if not _clean(name, way, seconds, wanted.seed):
                found.append(f"{name} ({way})")
    if found:
        print(f"Found: {', '.join(found)}. The inputs are in var/fuzz/.", file=sys.stderr)
    return 1 if found else 0


def _clean(name: str, way: str, seconds: float, seed: int) -> bool:
    command = [sys.executable, "-m", "tests.fuzz.long", name, way, str(seconds), str(seed)]
    try:
        return subprocess.run(command, cwd=ROOT, timeout=seconds + PATIENCE, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        print(f"{name}, {way}: still at one input after {PATIENCE} s more", file=sys.stderr)
        return False


if __name__ == "__main__":
    sys.exit(main())
