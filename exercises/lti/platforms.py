"""What is set up where at which kind of platform: what is pasted there, and what is found there."""

from collections.abc import Mapping

from exercises.lti.addresses import AUDIENCES
from exercises.lti.reading import origin_of
from exercises.lti.set_up import Addresses

#: What is pasted where, by the kind of platform: what a field is called there, and which of ours goes into it.
PASTED: Mapping[str, tuple[tuple[str, str], ...]] = {
    "moodle": (
        ("Tool URL", "launch"), ("LTI version", "LTI 1.3"), ("Public key type", "Keyset URL"),
        ("Public keyset", "keys"), ("Initiate login URL", "login"), ("Redirection URI(s)", "launch"),
        ("Supports Deep Linking (Content-Item Message)", "ticked"), ("Content Selection URL", "deep_link"),
        ("Services: Assignment and Grade", "use for grade sync and column management"),
        ("Services: Names and Role Provisioning", "use to retrieve members"),
        ("Privacy: share launcher’s name", "always"),
    ),
    "canvas": (("Developer key → LTI key → Enter URL", "canvas"), ("Redirect URIs", "launch")),
    "open-edx": (
        ("LTI version", "LTI 1.3"), ("Tool launch URL", "launch"), ("Tool initiate login URL", "login"),
        ("Registered redirect URIs", "launch"), ("Tool public key mode", "Keyset URL"), ("Tool keyset URL", "keys"),
        ("Deep linking", "enabled"), ("Deep linking launch URL", "deep_link"),
        ("LTI Assignment and Grade service", "programmatic"), ("Names and roles", "enabled"),
    ),
    "d2l": (
        ("Domain", "home"), ("Redirect URLs", "launch"), ("OpenID Connect login URL", "login"),
        ("Target link URI", "launch"), ("Keyset URL", "keys"),
        ("Extensions", "Assignment and Grade Services, Deep Linking, Names and Role Provisioning Services"),
    ),
    "blackboard": (
        ("Application → domain", "home"), ("Login initiation URL", "login"), ("Tool redirect URL(s)", "launch"),
        ("Tool JWKS URL", "keys"), ("Signing algorithm", "RS256"),
        ("Placement → deep linking → target link URI", "deep_link"),
        ("Institution policies", "role, name; grade service and membership access on"),
    ),
    "other": (
        ("Initiate login URL", "login"), ("Redirect URI", "launch"), ("Target link URI", "launch"),
        ("Deep linking URL", "deep_link"), ("Key set URL (JWKS)", "keys"),
    ),
}  # fmt: skip


def pasted(kind: str, ours: Addresses) -> list[tuple[str, str]]:
    """What is pasted into which field of a platform of a kind, with our addresses put in."""
    return [(field, getattr(ours, said, said)) for field, said in PASTED.get(kind, PASTED["other"])]


#: Where a platform tells what the form here asks for, by its kind: issuer, login, token, keys. {home} is its address.
FOUND: Mapping[str, Mapping[str, str]] = {
    "moodle": {
        "where": "Site administration → Plugins → External tool → Manage tools → the list icon of the tool.",
        "issuer": "{home}", "login_url": "{home}/mod/lti/auth.php", "token_url": "{home}/mod/lti/token.php",
        "keys_url": "{home}/mod/lti/certs.php",
    },
    "canvas": {
        "where": "Admin → Developer Keys: the long number in the column “Details” is the client id. The deployment id "
        "stands in the gear menu of the app. For a school at instructure.com the addresses are these.",
        "issuer": "https://canvas.instructure.com",
        "login_url": "https://sso.canvaslms.com/api/lti/authorize_redirect",
        "token_url": "https://sso.canvaslms.com/login/oauth2/token",
        "keys_url": "https://sso.canvaslms.com/api/lti/security/jwks",
    },
    "open-edx": {
        "where": "Studio → the LTI block: its own page shows client id, deployment id and addresses once it is saved.",
        "issuer": "{home}", "login_url": "{home}/api/lti_consumer/v1/launch/",
        "token_url": "{home}/api/lti_consumer/v1/token/…", "keys_url": "{home}/api/lti_consumer/v1/public_keysets/…",
    },
    "d2l": {
        "where": "Admin → Manage Extensibility → LTI Advantage: the registration shows them all.",
        "issuer": "{home}", "login_url": "{home}/d2l/lti/authenticate",
        "token_url": "https://auth.brightspace.com/core/connect/token", "keys_url": "{home}/d2l/.well-known/jwks",
    },
    "blackboard": {
        "where": "The developer portal of Anthology shows client id and addresses, the tool in Blackboard the "
        "deployment id.",
        "issuer": "https://blackboard.com",
        "login_url": "https://developer.blackboard.com/api/v1/gateway/oidcauth",
        "token_url": "https://developer.blackboard.com/api/v1/gateway/oauth2/jwttoken",
        "keys_url": "https://developer.blackboard.com/api/v1/management/applications/{client id}/jwks.json",
    },
    "other": {"where": "The page of the registration at the platform shows them."},
}  # fmt: skip


def told(kind: str) -> dict[str, str]:
    """What is the same at every platform of a kind, by the fields of the form here."""
    same = {name: said for name, said in FOUND[kind].items() if name != "where" and not set(said) & set("{…")}
    audience = AUDIENCES.get(origin_of(same.get("token_url", "")), "")
    return {**same, "token_audience": audience} if audience else same
