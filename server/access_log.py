"""The access log without what opens something: tokens stand in the paths of links that mails and platforms lead by."""

import re
from typing import Any

from gunicorn.glogging import Logger

#: As long as any token in an address is, and as no name of ours is by itself; ids are no secret.
_TOKEN = re.compile(r"[^/?\s]{32,}")
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


class Quiet(Logger):
    """Writes addresses without queries, and without what may be a token; nothing of the page that led there."""

    def atoms(self, resp: Any, req: Any, asked: dict[str, Any], request_time: Any) -> dict[str, Any]:
        """What a line may be made of."""
        quiet = {
            **asked, "RAW_URI": without_tokens(asked.get("RAW_URI", "")), "QUERY_STRING": "", "HTTP_REFERER": "-",
            "PATH_INFO": without_tokens(asked.get("PATH_INFO", "")),
        }  # fmt: skip
        return dict(super().atoms(resp, req, quiet, request_time))


def without_tokens(address: str) -> str:
    """A path with ``…`` for what may be a token, and for its query."""
    path, divider, _ = address.partition("?")
    told = _TOKEN.sub(lambda found: found[0] if _ID.fullmatch(found[0]) else "…", path)
    return f"{told}?…" if divider else told
