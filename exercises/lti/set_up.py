"""How we want to be set up at a platform: addresses, scopes, and the forms in which platforms read them."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from exercises.lti.addresses import belongs, is_own_audience
from exercises.lti.launch import Message
from exercises.lti.reading import Claims
from exercises.lti.refusals import LaunchRefused

TITLE = "BERT gym"
DESCRIPTION = "Randomized exercises in the arithmetic of BERT, marked step by step."
SCOPES = (
    "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem",
    "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly",
    "https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly",
    "https://purl.imsglobal.org/spec/lti-ags/scope/score",
    "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly",
)
#: Names are shown to who teaches; nothing else of a person is asked for.
CLAIMS = ("iss", "sub", "name", "given_name", "family_name")
#: Which links and courses the one that is launched was copied from: a copied course finds its sets again.
HISTORY = {"link_history": "$ResourceLink.id.history", "context_history": "$Context.id.history"}
TOOL = "https://purl.imsglobal.org/spec/lti-tool-configuration"
PLATFORM = "https://purl.imsglobal.org/spec/lti-platform-configuration"


@dataclass(frozen=True)
class Addresses:
    """Our addresses, below our own origin ``home``. Those of keys are of one registration, by its public id; without
    one, those that are shared."""

    home: str
    owner: str = ""

    @property
    def login(self) -> str:
        """Where a platform begins a launch."""
        return f"{self.home}/lti/login"

    @property
    def launch(self) -> str:
        """Where a launch leads to and comes back to: target link URI and redirect URI."""
        return f"{self.home}/lti/launch"

    @property
    def deep_link(self) -> str:
        """Where somebody who teaches chooses content."""
        return f"{self.home}/lti/deep-link"

    @property
    def keys(self) -> str:
        """Our key set."""
        return f"{self.home}/lti/keys/{self.owner}" if self.owner else f"{self.home}/lti/keys"

    @property
    def canvas(self) -> str:
        """Our configuration for Canvas."""
        return f"{self.home}/lti/canvas/{self.owner}.json" if self.owner else f"{self.home}/lti/canvas.json"

    @property
    def host(self) -> str:
        """The domain we are at."""
        return urlsplit(self.home).hostname or ""


def canvas_configuration(ours: Addresses) -> dict[str, object]:
    """What Canvas reads from a “developer key” by URL."""
    content = {
        "message_type": Message.DEEP_LINKING.value, "target_link_uri": ours.deep_link, "enabled": True, "text": TITLE,
    }  # fmt: skip
    placements: list[dict[str, object]] = [
        {"placement": name, **content, "selection_width": 900, "selection_height": 700}
        for name in ("assignment_selection", "link_selection")
    ]
    settings = {"text": TITLE, "placements": placements}
    return {
        "title": TITLE,
        "description": DESCRIPTION,
        "target_link_uri": ours.launch,
        "oidc_initiation_url": ours.login,
        "public_jwk_url": ours.keys,
        "scopes": list(SCOPES),
        "custom_fields": dict(HISTORY),
        "extensions": [
            {
                "platform": "canvas.instructure.com", "domain": ours.host, "tool_id": "bert-gym",
                "privacy_level": "name_only", "settings": settings,
            }
        ],
    }  # fmt: skip


def registration_request(ours: Addresses) -> dict[str, object]:
    """What we send to a platform that registers us by itself (LTI Dynamic Registration 1.0)."""
    messages = [
        {"type": Message.RESOURCE_LINK.value, "target_link_uri": ours.launch},
        {"type": Message.DEEP_LINKING.value, "target_link_uri": ours.deep_link, "label": TITLE},
    ]
    return {
        "application_type": "web",
        "response_types": ["id_token"],
        "grant_types": ["implicit", "client_credentials"],
        "initiate_login_uri": ours.login,
        "redirect_uris": [ours.launch],
        "client_name": TITLE,
        "jwks_uri": ours.keys,
        "token_endpoint_auth_method": "private_key_jwt",
        "scope": " ".join(SCOPES),
        TOOL: {
            "domain": ours.host, "description": DESCRIPTION, "target_link_uri": ours.launch,
            "custom_parameters": dict(HISTORY), "claims": list(CLAIMS), "messages": messages,
        },
    }  # fmt: skip


@dataclass(frozen=True)
class PlatformSaid:
    """A platform, as its OpenID configuration tells of it."""

    issuer: str
    login_url: str
    token_url: str
    keys_url: str
    registration_url: str
    token_audience: str
    name: str


def read_platform(document: object, *, asked_at: str, prefix: str = "") -> PlatformSaid:
    """The platform of an OpenID configuration that was read at an address. Raises LaunchRefused, also where that is no
    address of its issuer, or the issuer begins in another way than an invitation says."""
    if not isinstance(document, dict):
        raise LaunchRefused("configuration", "What stands at the address of the platform is no configuration.")
    said = Claims(document)
    issuer = said.identifier("issuer")
    addresses = {}
    for name in ("authorization_endpoint", "token_endpoint", "jwks_uri", "registration_endpoint"):
        addresses[name] = said.url(name)
        if not addresses[name]:
            raise LaunchRefused("configuration", f"The configuration of the platform has no “{name}”.")
    if not belongs(asked_at, issuer):
        raise LaunchRefused(
            "issuer", f"The platform calls itself {issuer[:200]}, but its configuration stands at another host."
        )
    if not begins_with(issuer, prefix):
        raise LaunchRefused(
            "issuer", f"The invitation is for a platform at {prefix}, and this one calls itself {issuer[:200]}."
        )
    if not belongs(addresses["registration_endpoint"], issuer):
        raise LaunchRefused("configuration", "The platform wants to be registered at another host than its own.")
    audience = said.url("authorization_server")
    if not is_own_audience(audience, addresses["token_endpoint"]):
        raise LaunchRefused(
            "audience",
            f"The platform wants what we sign for {audience[:200]} to be sent to another host, "
            f"{addresses['token_endpoint'][:200]}: whoever is there could go on with it.",
            "Whoever runs this service can register it by hand.",
        )
    platform = said.object(PLATFORM) or Claims({})
    return PlatformSaid(
        issuer=issuer,
        login_url=addresses["authorization_endpoint"],
        token_url=addresses["token_endpoint"],
        keys_url=addresses["jwks_uri"],
        registration_url=addresses["registration_endpoint"],
        token_audience=audience,
        name=platform.text("product_family_code", 100),
    )


def begins_with(issuer: str, prefix: str) -> bool:
    """Whether an issuer is the one that a prefix names, or below it: https://lms.example is no beginning of
    https://lms.example.org."""
    rest = issuer.removeprefix(prefix)
    return not prefix or (rest != issuer and (not rest or prefix.endswith("/") or rest[0] == "/"))


def read_registered(document: object) -> tuple[str, str]:
    """Client id and deployment id ("" if it names none) of the answer to a registration. Raises LaunchRefused."""
    if not isinstance(document, dict):
        raise LaunchRefused("registration", "The platform did not answer the registration as it should.")
    said = Claims(document)
    tool = said.object(TOOL) or Claims({})
    return said.identifier("client_id"), tool.identifier("deployment_id") if tool.has("deployment_id") else ""
