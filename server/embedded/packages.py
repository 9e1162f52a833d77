"""Where a Python package lies that brings programs along."""

import importlib.util
from pathlib import Path


def packaged(name: str) -> Path | None:
    """The folder of an installed top-level package, found without importing it; None if it is not installed."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))
