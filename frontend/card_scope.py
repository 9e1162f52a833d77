"""Which cards a review goes through: all decks or one, what is due or what comes later."""

import re
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlencode

from django.http import HttpRequest

_SLUG = re.compile(r"[-a-zA-Z0-9_]{1,80}")


@dataclass(frozen=True)
class Scope:
    """``deck`` is a slug, empty for all decks; ``ahead`` goes on with cards before their day."""

    deck: str = ""
    ahead: bool = False

    @classmethod
    def of(cls, request: HttpRequest) -> Self:
        """As the form or the address says; what is no slug counts as all decks."""
        said = request.POST if request.method == "POST" else request.GET
        deck = said.get("deck", "")
        return cls(deck if _SLUG.fullmatch(deck) else "", said.get("ahead") == "1")

    @property
    def query(self) -> str:
        """As the end of an address, with its question mark; empty for everything that is due."""
        said = {"deck": self.deck} if self.deck else {}
        if self.ahead:
            said["ahead"] = "1"
        return f"?{urlencode(said)}" if said else ""
