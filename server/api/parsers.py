"""Reading what programs send."""

import codecs
import json
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser, MultiPartParser
from rest_framework.utils.json import strict_constant

from exercises.exchange.archive import MOST_BYTES

#: Of a form beside the file in it.
MOST_AROUND = 100_000


class ShallowJSONParser(JSONParser):
    """JSON that says each thing once, refused like any other nonsense where Python cannot read it for its depth, or
    could not say it again."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """What was sent. Raises ParseError."""
        encoding = (parser_context or {}).get("encoding", settings.DEFAULT_CHARSET)
        try:
            said = json.load(
                codecs.getreader(encoding)(stream), parse_constant=strict_constant, object_pairs_hook=_each_once
            )
            # Half a character (`\ud800`) is JSON and no text: nothing that quotes it, as a fault does, can be sent.
            json.dumps(said, ensure_ascii=False).encode()
        except RecursionError:
            raise ParseError("JSON parse error - it is nested too deeply.") from None
        except UnicodeEncodeError:
            raise ParseError("JSON parse error - it holds half a character (a lone surrogate).") from None
        except ValueError as error:
            raise ParseError(f"JSON parse error - {error}") from error
        return said


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, unless it names something twice: which of both is meant, the readers on its way may see differently.

    Raises ValueError.
    """
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"it says {name[:80]!a} twice.")
        found[name] = value
    return found


class FileParser(MultiPartParser):
    """A form with a file, refused by its length before any of it is read."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Fields and files. Raises ParseError, RequestDataTooBig."""
        length = (parser_context or {})["request"].META.get("CONTENT_LENGTH") or 0
        if int(length) > MOST_BYTES + MOST_AROUND:
            raise RequestDataTooBig
        return super().parse(stream, media_type, parser_context)
