"""Ids in addresses: ours, or what the program itself calls the thing."""

import uuid
from dataclasses import dataclass

from django.urls.converters import register_converter

PREFIX = "ext:"
_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
#: Anything but a slash, which would be another address, and what cannot be seen.
EXTERNAL = r"[^/\x00-\x1f\x7f]{1,200}"


@dataclass(frozen=True)
class External:
    """A thing by the id that a program gave it; the program's owner is whose key it comes with."""

    id: str


#: An id of ours, or one of the program's.
Ref = uuid.UUID | External
#: The same of what we know by a word.
Named = str | External


def named(said: str) -> Named:
    """What a word means that stands in an address or in a body."""
    return External(said.removeprefix(PREFIX)) if said.startswith(PREFIX) else said


class RefConverter:
    """``<ref:course_id>`` in an address: a UUID, or ``ext:`` and an external id."""

    regex = f"(?:{_UUID}|{PREFIX}{EXTERNAL})"

    def to_python(self, value: str) -> Ref:
        """What stands in an address. Raises ValueError, which Django takes for another address."""
        return External(value.removeprefix(PREFIX)) if value.startswith(PREFIX) else uuid.UUID(value)

    def to_url(self, value: Ref | str) -> str:
        """What to write into an address."""
        return f"{PREFIX}{value.id}" if isinstance(value, External) else str(value)


class NamedConverter:
    """``<named:slug>`` in an address: the slug of a problem, or ``ext:`` and an external id."""

    regex = f"(?:[-a-zA-Z0-9_]+|{PREFIX}{EXTERNAL})"

    def to_python(self, value: str) -> Named:
        """What stands in an address."""
        return named(value)

    def to_url(self, value: Named) -> str:
        """What to write into an address."""
        return f"{PREFIX}{value.id}" if isinstance(value, External) else value


register_converter(RefConverter, "ref")
register_converter(NamedConverter, "named")
