"""Reading what programs send."""

import json
from collections.abc import Mapping
from typing import IO, Any

from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser, MultiPartParser

from exercises.exchange.archive import MOST_BYTES

#: Of a form beside the file in it.
MOST_AROUND = 100_000


class ShallowJSONParser(JSONParser):
    """JSON, refused like any other nonsense where Python cannot read it for its depth, or could not say it again."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """What was sent. Raises ParseError."""
        try:
            said = super().parse(stream, media_type, parser_context)
            # Half a character (`\ud800`) is JSON and no text: nothing that quotes it, as a fault does, can be sent.
            json.dumps(said, ensure_ascii=False).encode()
        except RecursionError:
            raise ParseError("JSON parse error - it is nested too deeply.") from None
        except UnicodeEncodeError:
            raise ParseError("JSON parse error - it holds half a character (a lone surrogate).") from None
        return said


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
