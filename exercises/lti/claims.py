"""From the claims of a token, whose signature is verified, to a launch. Every type is checked."""

from exercises.lti.launch import (
    CLAIM,
    DEEP_LINKING,
    GRADES,
    NAMES_AND_ROLES,
    VERSION,
    ContextSaid,
    DeepLinkingSettings,
    Launch,
    LinkSaid,
    Message,
    Person,
    Services,
)
from exercises.lti.reading import Claims, is_web_address, refused_claim
from exercises.lti.refusals import LaunchRefused

#: Of ``data``, which goes back to the platform as it came.
LONGEST_DATA = 20_000
MOST_CUSTOM = 100
LONGEST_CUSTOM = 1000


def read_launch(claims: Claims) -> Launch:
    """The launch that the claims tell. Raises LaunchRefused for whatever is missing or of another type."""
    version = claims.must_have(f"{CLAIM}version")
    if version != VERSION:
        raise LaunchRefused(
            "version", f"The platform says it speaks LTI {str(version)[:20]!r}; this service speaks LTI {VERSION}."
        )
    message = _message(claims)
    presentation = claims.object(f"{CLAIM}launch_presentation") or Claims({})
    platform = claims.object(f"{CLAIM}tool_platform") or Claims({}, "tool_platform")
    claims.must_have(f"{CLAIM}roles")
    return Launch(
        message=message,
        deployment_id=claims.identifier(f"{CLAIM}deployment_id"),
        person=_person(claims),
        roles=claims.words(f"{CLAIM}roles"),
        target=_target(claims),
        expires=claims.number("exp"),
        context=_context(claims),
        link=_link(claims) if message is Message.RESOURCE_LINK else None,
        services=_services(claims),
        custom=_custom(claims),
        deep_linking=_deep_linking(claims) if message is Message.DEEP_LINKING else None,
        return_url=presentation.url("return_url"),
        document_target=presentation.text("document_target"),
        platform_name=platform.text("name") or platform.text("product_family_code"),
    )


def return_address(claims: object) -> str:
    """Where a launch goes back to, of claims that may be anything; "" if they say no address."""
    presentation = claims.get(f"{CLAIM}launch_presentation") if isinstance(claims, dict) else None
    said = presentation.get("return_url") if isinstance(presentation, dict) else None
    return said if isinstance(said, str) and is_web_address(said) else ""


def _message(claims: Claims) -> Message:
    said = claims.identifier(f"{CLAIM}message_type")
    try:
        return Message(said)
    except ValueError:
        raise LaunchRefused(
            "message-type", f"The platform sent a message of the type {said[:60]!r}, which is none that is taken here."
        ) from None


def _person(claims: Claims) -> Person:
    given, family = claims.text("given_name"), claims.text("family_name")
    name = claims.text("name") or f"{given} {family}".strip()
    return Person(sub=claims.identifier("sub"), name=name[:200], email=claims.text("email", 254))


def _target(claims: Claims) -> str:
    claims.must_have(f"{CLAIM}target_link_uri")
    target = claims.url(f"{CLAIM}target_link_uri")
    if not target:
        raise LaunchRefused("target", "The platform sent a launch whose “target_link_uri” is empty.")
    return target


def _context(claims: Claims) -> ContextSaid | None:
    said = claims.object(f"{CLAIM}context")
    if said is None:
        return None
    return ContextSaid(said.identifier("id"), said.text("title") or said.text("label"))


def _link(claims: Claims) -> LinkSaid:
    said = claims.must_have_object(f"{CLAIM}resource_link")
    return LinkSaid(said.identifier("id"), said.text("title"))


def _services(claims: Claims) -> Services:
    grades = claims.object(GRADES) or Claims({})
    names = claims.object(NAMES_AND_ROLES) or Claims({})
    return Services(
        lineitems_url=grades.url("lineitems"),
        lineitem_url=grades.url("lineitem"),
        scopes=grades.words("scope"),
        memberships_url=names.url("context_memberships_url"),
    )


def _custom(claims: Claims) -> dict[str, str]:
    """Values are texts; numbers, as Canvas puts some in, are read as such."""
    said = claims.object(f"{CLAIM}custom") or Claims({})
    if len(said.values) > MOST_CUSTOM:
        raise LaunchRefused("claim-value", f"The launch has more than {MOST_CUSTOM} custom parameters.")
    found = {}
    for name, value in said.values.items():
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise refused_claim(f"custom.{name[:40]}", "a text", value)
        found[name] = str(value)[:LONGEST_CUSTOM]
    return found


def _deep_linking(claims: Claims) -> DeepLinkingSettings:
    said = claims.must_have_object(DEEP_LINKING)
    for name in ("deep_link_return_url", "accept_types", "accept_presentation_document_targets"):
        said.must_have(name)
    data = said.values.get("data", "")
    if not isinstance(data, str) or len(data) > LONGEST_DATA:
        raise refused_claim("deep_linking_settings.data", f"a text of at most {LONGEST_DATA:,} characters", data)
    return_url, types = said.url("deep_link_return_url"), said.words("accept_types")
    if not return_url or not types:
        raise LaunchRefused(
            "deep-linking", "The platform asks for content, but says not where to send it, or takes no kind of it."
        )
    return DeepLinkingSettings(
        return_url=return_url,
        accept_types=types,
        accept_targets=said.words("accept_presentation_document_targets"),
        accept_multiple=said.flag("accept_multiple", default=False),
        accept_lineitem=said.flag("accept_lineitem", default=True),
        auto_create=said.flag("auto_create", default=False),
        title=said.text("title"),
        text=said.text("text"),
        data=data,
    )
