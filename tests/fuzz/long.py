"""One reader in one way, for some seconds, in a process of its own: NAME WAY SECONDS SEED."""

import importlib
import os
import resource
import sys
import warnings

import django

ROOMS = ["grader", "exercises", "server", "frontend"]
#: Bytes of memory that a reader may have: far above what any needs, far below what would harm the machine.
MOST_MEMORY = 3 * 1024**3


def main() -> int:
    """Run; 1 if anything was found."""
    name, way, seconds, seed = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", message="Duplicate name")  # of zips that are made here
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "server.settings")
    # The house is imported late: atheris has to see it come.
    if way == "guided":
        atheris = importlib.import_module("atheris")
        with atheris.instrument_imports(include=ROOMS):
            django.setup()
            finder = importlib.import_module("tests.fuzz.finder")
        finder.guided(finder.Finder(name), seconds, seed, atheris)
        return 0
    # libFuzzer has a limit of its own.
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    django.setup()
    finder = importlib.import_module("tests.fuzz.finder")
    trying = finder.Finder(name)
    {"shaped": finder.shaped, "spoilt": finder.spoilt}[way](trying, seconds, seed)
    return int(trying.report())


if __name__ == "__main__":
    sys.exit(main())
