"""The one place through which JSON enters the database: no NaN, no infinity, no numpy types, no unstorable text."""

import json
from typing import Any

import numpy as np
from django.db import models


class StrictEncoder(json.JSONEncoder):
    """Writes plain data only. NaN and infinity raise ValueError, whatever the caller asked for."""

    def __init__(self, **options: Any) -> None:
        options["allow_nan"] = False
        super().__init__(**options)

    def default(self, value: Any) -> Any:
        """numpy numbers and arrays become plain ones; anything else raises TypeError."""
        if isinstance(value, np.generic | np.ndarray):
            return value.tolist()
        return super().default(value)


class PlainJSONField(models.JSONField):
    """A JSON field that refuses with ValueError what PostgreSQL would refuse later, or a reader could not parse."""

    def __init__(self, *args: Any, **options: Any) -> None:
        options["encoder"] = StrictEncoder
        super().__init__(*args, **options)

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """The encoder is not optional, so migrations do not repeat it."""
        name, path, args, options = super().deconstruct()
        options.pop("encoder", None)
        return name, path, args, options
