"""What a launch says, once it is verified."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
DEEP_LINKING = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"
GRADES = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
NAMES_AND_ROLES = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
VERSION = "1.3.0"


class Message(StrEnum):
    """The kinds of launches that are taken."""

    RESOURCE_LINK = "LtiResourceLinkRequest"
    DEEP_LINKING = "LtiDeepLinkingRequest"


@dataclass(frozen=True)
class Person:
    """Who is launched. Names and addresses are whatever the platform says of them."""

    sub: str
    name: str = ""
    email: str = ""


@dataclass(frozen=True)
class ContextSaid:
    """The course of the platform."""

    id: str
    title: str = ""


@dataclass(frozen=True)
class LinkSaid:
    """The link that was opened."""

    id: str
    title: str = ""


@dataclass(frozen=True)
class Services:
    """Where the platform takes scores and tells its roster; "" is where it does not."""

    lineitems_url: str = ""
    lineitem_url: str = ""
    scopes: tuple[str, ...] = ()
    memberships_url: str = ""


@dataclass(frozen=True)
class DeepLinkingSettings:
    """What the platform takes as an answer when somebody who teaches chooses content."""

    return_url: str
    accept_types: tuple[str, ...]
    accept_targets: tuple[str, ...]
    accept_multiple: bool = False
    accept_lineitem: bool = True
    auto_create: bool = False
    title: str = ""
    text: str = ""
    data: str = ""


@dataclass(frozen=True)
class Launch:
    """A verified launch. ``expires`` is the ``exp`` of its token, in seconds since 1970."""

    message: Message
    deployment_id: str
    person: Person
    roles: tuple[str, ...]
    target: str
    expires: float
    context: ContextSaid | None = None
    link: LinkSaid | None = None
    services: Services = field(default_factory=Services)
    custom: Mapping[str, str] = field(default_factory=dict)
    deep_linking: DeepLinkingSettings | None = None
    return_url: str = ""
    document_target: str = ""
    platform_name: str = ""
