"""The services of a platform: what may be asked of them, and how their answers are paged and addressed."""

import html
import re
from collections.abc import Iterable
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from exercises.lti.reading import is_web_address

_GRADES = "https://purl.imsglobal.org/spec/lti-ags/scope"
LINE_ITEM = f"{_GRADES}/lineitem"
LINE_ITEM_READ = f"{_GRADES}/lineitem.readonly"
SCORE = f"{_GRADES}/score"
RESULT_READ = f"{_GRADES}/result.readonly"
MEMBERS_READ = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"

LINE_ITEM_TYPE = "application/vnd.ims.lis.v2.lineitem+json"
LINE_ITEMS_TYPE = "application/vnd.ims.lis.v2.lineitemcontainer+json"
SCORE_TYPE = "application/vnd.ims.lis.v1.score+json"
RESULTS_TYPE = "application/vnd.ims.lis.v2.resultcontainer+json"
MEMBERS_TYPE = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"

#: <address>; parameters, up to the next address. Quotes may be of any kind: Moodle's are curly.
_LINK = re.compile(r"<([^<>]*)>([^<]*)")
_REL = re.compile(r"""\brel\s*=\s*["'“”„‟«»]*\s*([^"'“”„‟«»;,]+)""", re.IGNORECASE)
_LONGEST_HEADER = 8000


class NextRefused(Exception):
    """The next page is none that is asked for: what was read so far is not all. ``message`` says why."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def next_page(header: str, asked: str) -> str:
    """The address of the next page by a ``Link`` header (RFC 8288), "" where there is none.

    It is taken as it stands, but for ``&amp;``, which Moodle writes into it; a relative one is of the address that was
    ``asked``. It may lead nowhere but to the host that was asked: a token goes along. Behind a proxy platforms write
    http:// for themselves; that is asked for as before. Raises NextRefused, since a list that is cut off unnoticed
    looks like one that others are missing from.
    """
    for address, parameters in _LINK.findall(_readable(header[:_LONGEST_HEADER])):
        said = _REL.search(parameters)
        if said and "next" in said.group(1).lower().split():
            return _followed(_joined(asked, html.unescape(address.strip())), asked)
    return ""


def _joined(asked: str, address: str) -> str:
    try:
        return urljoin(asked, address)
    except ValueError:  # a bracket that is not closed: Python takes it for a spoilt address of IPv6
        return address


def _followed(found: str, asked: str) -> str:
    """Raises NextRefused."""
    if not is_web_address(found):
        raise NextRefused("The platform names a next page that is no address.")
    parts, before = urlsplit(found), urlsplit(asked)
    if (parts.scheme, before.scheme) == ("http", "https") and parts.netloc.lower() == before.netloc.lower():
        found = urlunsplit(parts._replace(scheme="https"))
    if _host(found) != _host(asked):
        raise NextRefused(f"The platform says that its list goes on at another host, {parts.netloc[:100]}.")
    return found


def below(address: str, name: str) -> str:
    """``scores`` or ``results`` of a line item: it belongs to the path, before whatever query there is."""
    parts = urlsplit(address)
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{name}", fragment=""))


def asked_with(address: str, **more: str) -> str:
    """An address with more in its query; what stands there stays as it is."""
    parts = urlsplit(address)
    known = {name for name, _ in parse_qsl(parts.query, keep_blank_values=True)}
    added = urlencode([(name, value) for name, value in more.items() if name not in known])
    return urlunsplit(parts._replace(query="&".join(part for part in (parts.query, added) if part), fragment=""))


def least(wanted: Iterable[str], granted: Iterable[str]) -> str:
    """The first of the scopes that are enough for a call, which the platform grants; "" where it grants none."""
    given = set(granted)
    return next((scope for scope in wanted if scope in given), "")


def _readable(header: str) -> str:
    """Headers come as Latin-1, also where a platform has written UTF-8."""
    try:
        return header.encode("latin-1").decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return header


def _host(address: str) -> tuple[str, str]:
    parts = urlsplit(address)
    return parts.scheme, parts.netloc.lower()
