"""Loading a problem file: from its text to the compiled solution graph, or to faults that name line and key."""

import hashlib
import keyword
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from grader.compiling import compile_problem
from grader.errors import Fault, ProblemError
from grader.file_model import ProblemFile
from grader.graph import Figure, Interval, Mistake, Parameter, Problem, Step, narrowed
from grader.source import Path, Source, read_source

__all__ = ["Figure", "Interval", "Mistake", "Parameter", "Problem", "Step", "json_schema", "load", "narrowed"]


@lru_cache(maxsize=512)
def load(source: str) -> Problem:
    """The problem of a problem file's text. Raises ProblemError naming line and key of everything wrong."""
    from_file = read_source(source)
    if not isinstance(from_file.data, dict):
        raise ProblemError([Fault(1, "", "a problem file is a mapping of keys such as title, parameters and steps")])
    try:
        model = ProblemFile.model_validate(from_file.data)
    except ValidationError as error:
        raise ProblemError(_faults(error, from_file)) from error
    if faults := _name_faults(model, from_file):
        raise ProblemError(faults)
    return compile_problem(model, from_file, hashlib.sha256(source.encode()).hexdigest())


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a problem file."""
    schema = ProblemFile.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _faults(error: ValidationError, source: Source) -> list[Fault]:
    faults = []
    for item in error.errors(include_url=False, include_context=False, include_input=False)[:20]:
        path = _path_in_file(item["loc"], source.data)
        message = "this key is not known here" if item["type"] == "extra_forbidden" else item["msg"]
        fault = source.fault(path, message.removeprefix("Value error, "))
        if fault not in faults:
            faults.append(fault)
    return faults


def _path_in_file(loc: tuple[int | str, ...], data: Any) -> Path:
    """The part of pydantic's location that stands in the file (it also names branches of unions and missing keys)."""
    path: list[str | int] = []
    for part in loc:
        if isinstance(data, dict):
            path.append(part)
            data = data.get(part)
        elif isinstance(data, list) and isinstance(part, int) and part < len(data):
            path.append(part)
            data = data[part]
        else:
            break
    return tuple(path)


def _name_faults(model: ProblemFile, source: Source) -> list[Fault]:
    """Faults of names: one name for one thing, and no word that has a meaning in the formula language."""
    faults = []
    for section, names in (("parameters", model.parameters), ("steps", model.steps)):
        for name in names:
            if keyword.iskeyword(name):
                faults += [source.fault((section, name), f"{name} has a meaning of its own in formulas")]
    twice = model.steps.keys() & model.parameters.keys()
    return faults + [source.fault(("steps", name), f"{name} is a parameter already") for name in sorted(twice)]
