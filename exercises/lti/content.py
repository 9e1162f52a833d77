"""The answer to a platform that asked for content: links to sets, each with its column and times (Deep Linking 2.0)."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exercises.lti.launch import CLAIM, VERSION, DeepLinkingSettings
from exercises.lti.scores import number, stamp
from exercises.lti.set_up import HISTORY

_SAID = "https://purl.imsglobal.org/spec/lti-dl/claim/"
LINK = "ltiResourceLink"
#: What calls a column ours in the grade book of a platform.
TAG = "score"
#: Seconds that a response is good for.
LIFETIME = 300


@dataclass(frozen=True)
class Chosen:
    """A set that a link is to open. ``maximum`` is None where it is to have no column."""

    public_id: str
    title: str
    text: str = ""
    maximum: Fraction | None = None
    opens_at: dt.datetime | None = None
    closes_at: dt.datetime | None = None
    due_at: dt.datetime | None = None


def content_item(chosen: Chosen, *, launch_url: str) -> dict[str, Any]:
    """The link to one set: which one it is stands in the address and in a custom parameter, since some platforms keep
    only one of the two."""
    item: dict[str, Any] = {
        "type": LINK,
        "title": chosen.title,
        "url": launch_url,
        "custom": {"problem_set": chosen.public_id, **HISTORY},
    }
    if chosen.text:
        item["text"] = chosen.text
    if chosen.maximum is not None:
        item["lineItem"] = {
            "label": chosen.title,
            "scoreMaximum": number(chosen.maximum),
            "resourceId": chosen.public_id,
            "tag": TAG,
        }
    if window := _window(chosen.opens_at, chosen.closes_at):
        item["available"] = window
    if window := _window(chosen.opens_at, chosen.due_at or chosen.closes_at):
        item["submission"] = window
    return item


def response_claims(
    asked: DeepLinkingSettings,
    items: Sequence[dict[str, Any]],
    *,
    issuer: str,
    client_id: str,
    deployment_id: str,
    nonce: str,
    now: int,
    message: str = "",
) -> dict[str, Any]:
    """The claims of the response, to be signed by our key: we are who issues it, as ``client_id``; the platform, by its
    issuer, is whom it is for. ``data`` goes back as it came, and not at all where none came."""
    claims: dict[str, Any] = {
        "iss": client_id,
        "aud": issuer,
        "iat": now,
        "exp": now + LIFETIME,
        "nonce": nonce,
        f"{CLAIM}message_type": "LtiDeepLinkingResponse",
        f"{CLAIM}version": VERSION,
        f"{CLAIM}deployment_id": deployment_id,
        f"{_SAID}content_items": list(items),
    }
    if asked.data:
        claims[f"{_SAID}data"] = asked.data
    if message:
        claims[f"{_SAID}msg"] = message
    return claims


def takes_links(asked: DeepLinkingSettings) -> bool:
    """Whether the platform takes what there is to give."""
    return LINK in asked.accept_types


def _window(begins: dt.datetime | None, ends: dt.datetime | None) -> dict[str, str]:
    said = {"startDateTime": begins, "endDateTime": ends}
    return {name: stamp(moment) for name, moment in said.items() if moment is not None}
