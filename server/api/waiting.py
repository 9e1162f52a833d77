"""Waiting for a verdict within a request, for whoever asks for it (RFC 7240)."""

import re

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from exercises import queries

PREFER = OpenApiParameter(
    "Prefer",
    str,
    OpenApiParameter.HEADER,
    description="`wait=2`: wait up to 2 s (5 at most) for the verdict.",
)
#: The key of an answer, which the domain keeps for ever.
ANSWER_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="Up to 64 characters. The same answer with the same key is taken once.",
)


def seconds_asked(request: Request) -> int:
    """The seconds that `Prefer: wait=…` asks for, 0 without it."""
    found = re.search(r"(?:^|[,;\s])wait\s*=\s*(\d{1,3})", request.headers.get("Prefer", ""))
    return min(int(found[1]), int(queries.LONGEST_WAIT)) if found else 0
