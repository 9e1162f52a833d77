"""Reading JSON that somebody else wrote: each value has the type it should have, or the launch is refused."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from exercises.lti.refusals import LaunchRefused

#: Characters of an id, which the specification bounds, and of other texts, which are cut off there.
LONGEST_ID = 255
LONGEST_TEXT = 300
LONGEST_URL = 1000
#: Roles, scopes and the like in one list.
MOST_WORDS = 100
#: Characters of one of them.
LONGEST_WORD = 500
#: Names and addresses of hosts, also those of IPv6: nothing by which a policy that names one could be broken out of.
_HOST = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+")
_KINDS = {"NoneType": "null", "bool": "true or false", "int": "a number", "float": "a number", "str": "a text",
          "list": "a list", "dict": "an object"}  # fmt: skip


def refused_claim(name: str, wanted: str, value: object) -> LaunchRefused:
    """What is said of a claim that is something else."""
    kind = _KINDS.get(type(value).__name__, "something else")
    return LaunchRefused("claim-type", f"The platform sent a launch whose “{name}” is {kind}, where {wanted} belongs.")


@dataclass(frozen=True)
class Claims:
    """An object of claims. What is asked of it has the right type; LaunchRefused is raised otherwise.

    ``within`` is what it is called itself. A claim that is null is there, and is of the wrong type.
    """

    values: Mapping[str, object]
    within: str = ""

    def has(self, name: str) -> bool:
        """Whether there is such a claim at all."""
        return name in self.values

    def must_have(self, name: str) -> object:
        """The claim as it stands."""
        if name not in self.values:
            raise LaunchRefused(
                "claim-missing", f"The platform sent a launch without “{self._called(name)}”, which LTI 1.3 requires."
            )
        return self.values[name]

    def identifier(self, name: str) -> str:
        """A text that names something: not empty, within 255 characters, and none that a database cannot hold."""
        value = self.must_have(name)
        if not isinstance(value, str):
            raise refused_claim(self._called(name), "a text", value)
        if not value.strip() or len(value) > LONGEST_ID or not _is_clean(value):
            raise LaunchRefused(
                "claim-value",
                f"The “{self._called(name)}” of the launch is empty, longer than {LONGEST_ID} characters, or has "
                "characters that no identifier may have.",
            )
        return value

    def text(self, name: str, longest: int = LONGEST_TEXT) -> str:
        """A text to show, without control characters and cut off where it is too long; "" where there is none."""
        if name not in self.values:
            return ""
        value = self.values[name]
        if not isinstance(value, str):
            raise refused_claim(self._called(name), "a text", value)
        return " ".join("".join(sign if _is_clean(sign) else " " for sign in value).split())[:longest]

    def url(self, name: str) -> str:
        """An address of the web; "" where there is none."""
        if name not in self.values:
            return ""
        value = self.values[name]
        if not isinstance(value, str):
            raise refused_claim(self._called(name), "an address", value)
        if value and not is_web_address(value):
            raise LaunchRefused(
                "claim-value", f"The “{self._called(name)}” of the launch is no address that begins with https://."
            )
        return value

    def words(self, name: str) -> tuple[str, ...]:
        """A list of texts; empty where there is none."""
        if name not in self.values:
            return ()
        value = self.values[name]
        if not isinstance(value, list):
            raise refused_claim(self._called(name), "a list", value)
        return _words(self._called(name), value)

    def flag(self, name: str, *, default: bool) -> bool:
        """True or false."""
        if name not in self.values:
            return default
        value = self.values[name]
        if not isinstance(value, bool):
            raise refused_claim(self._called(name), "true or false", value)
        return value

    def number(self, name: str) -> float:
        """A finite number."""
        value = self.must_have(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise refused_claim(self._called(name), "a number", value)
        if not -1e15 < value < 1e15:  # also not NaN
            raise LaunchRefused("claim-value", f"The “{self._called(name)}” of the launch is no sensible number.")
        return float(value)

    def object(self, name: str) -> "Claims | None":
        """An object within; None where there is none."""
        if name not in self.values:
            return None
        value = self.values[name]
        if not isinstance(value, dict):
            raise refused_claim(self._called(name), "an object", value)
        return Claims(value, self._called(name))

    def must_have_object(self, name: str) -> "Claims":
        """An object within that has to be there."""
        self.must_have(name)
        found = self.object(name)
        assert found is not None  # noqa: S101  (the line before has seen it)
        return found

    def _called(self, name: str) -> str:
        short = name.rpartition("/")[2] if name.startswith("https://") else name
        return f"{self.within}.{short}" if self.within else short


def is_web_address(said: str) -> bool:
    """Whether it is an absolute http(s) address of reasonable length, without blanks and signs that are none."""
    if len(said) > LONGEST_URL or not said.isascii() or any(sign <= " " or sign == "\x7f" for sign in said):
        return False
    try:
        parts = urlsplit(said)
        _ = parts.port
    except ValueError:
        return False
    return parts.scheme in {"https", "http"} and bool(_HOST.fullmatch(parts.hostname or ""))


def origin_of(address: str) -> str:
    """Scheme, host and port of an address of the web, as browsers write an origin; "" for anything else."""
    if not is_web_address(address):
        return ""
    parts = urlsplit(address)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    usual = {"https": 443, "http": 80}[parts.scheme]
    return f"{parts.scheme}://{host}" + (f":{parts.port}" if parts.port and parts.port != usual else "")


def _words(called: str, value: Sequence[object]) -> tuple[str, ...]:
    if len(value) > MOST_WORDS:
        raise LaunchRefused("claim-value", f"The “{called}” of the launch has more than {MOST_WORDS} entries.")
    for word in value:
        if not isinstance(word, str):
            raise refused_claim(called, "a list of texts", word)
        if len(word) > LONGEST_WORD or not _is_clean(word):
            raise LaunchRefused("claim-value", f"An entry of “{called}” is too long, or no proper text.")
    return tuple(str(word) for word in value)


def _is_clean(text: str) -> bool:
    """Nothing that ends texts, steers terminals, or is half a character."""
    return not any(sign < " " or sign == "\x7f" or "\ud800" <= sign <= "\udfff" for sign in text)
