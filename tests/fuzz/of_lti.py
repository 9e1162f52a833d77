"""What platforms say: launches, registrations, rosters, key sets, columns and results, and where their lists go on."""

import json
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from exercises.lti.claims import read_launch, return_address
from exercises.lti.grade_books import AnswerUnread, columns_of, is_shown, read_json, results_of
from exercises.lti.key_sets import KeySetRefused, public_key_of, read_key_set
from exercises.lti.launch import CLAIM, DEEP_LINKING, GRADES, NAMES_AND_ROLES
from exercises.lti.reading import Claims, is_web_address, origin_of
from exercises.lti.refusals import LaunchRefused
from exercises.lti.roles import MEMBERSHIP, course_role
from exercises.lti.rosters import read_page
from exercises.lti.services import NextRefused, asked_with, below, next_page
from exercises.lti.set_up import TOOL, read_platform, read_registered
from exercises.lti.verification import key_named
from tests.fuzz.reader import Reader, ensure
from tests.fuzz.shapes import JSON, TEXTS, spoilt, written_json

LAUNCH: dict[str, Any] = {
    "iss": "https://lms.example",
    "aud": "gym",
    "sub": "7",
    "exp": 1_800_000_000,
    "iat": 1_799_999_990,
    "nonce": "n",
    "name": "Bob",
    "given_name": "Bob",
    "family_name": "B",
    "email": "bob@lms.example",
    f"{CLAIM}version": "1.3.0",
    f"{CLAIM}message_type": "LtiDeepLinkingRequest",
    f"{CLAIM}deployment_id": "1",
    f"{CLAIM}target_link_uri": "https://gym.example/lti/launch",
    f"{CLAIM}roles": [f"{MEMBERSHIP}#Instructor"],
    f"{CLAIM}context": {"id": "c", "title": "Course", "label": "C"},
    f"{CLAIM}resource_link": {"id": "r", "title": "Quiz"},
    f"{CLAIM}custom": {"problem_set": "x", "n": 1, "link_history": "a,b"},
    f"{CLAIM}launch_presentation": {"return_url": "https://lms.example/back", "document_target": "iframe"},
    f"{CLAIM}tool_platform": {"name": "LMS", "product_family_code": "moodle"},
    GRADES: {"lineitems": "https://lms.example/items", "lineitem": "https://lms.example/items/1", "scope": ["a"]},
    NAMES_AND_ROLES: {"context_memberships_url": "https://lms.example/members"},
    DEEP_LINKING: {
        "deep_link_return_url": "https://lms.example/content",
        "accept_types": ["ltiResourceLink"],
        "accept_presentation_document_targets": ["iframe"],
        "accept_multiple": True,
        "accept_lineitem": True,
        "auto_create": False,
        "title": "T",
        "text": "X",
        "data": "opaque",
    },
}
PLATFORM: dict[str, Any] = {
    "issuer": "https://lms.example",
    "authorization_endpoint": "https://lms.example/auth",
    "token_endpoint": "https://lms.example/token",
    "jwks_uri": "https://lms.example/keys",
    "registration_endpoint": "https://lms.example/register",
    "authorization_server": "https://lms.example",
    "https://purl.imsglobal.org/spec/lti-platform-configuration": {"product_family_code": "moodle"},
    "client_id": "gym",
    TOOL: {"deployment_id": "1"},
}
ROSTER: dict[str, Any] = {
    "members": [
        {"user_id": "7", "roles": ["Learner"], "status": "Active", "name": "Bob", "email": "bob@lms.example"},
        {"user_id": 8, "roles": [f"{MEMBERSHIP}#Instructor"], "given_name": "A", "family_name": "B"},
    ]
}
KEYS: dict[str, Any] = {"keys": [{"kty": "RSA", "kid": "k", "alg": "RS256", "use": "sig", "n": "u" * 342, "e": "AQAB"}]}
BOOK: dict[str, Any] = {
    "lineItems": [
        {"id": "https://lms.example/items/1", "label": "Quiz", "scoreMaximum": 100, "resourceId": "r", "tag": "score"}
    ],
    "results": [{"userId": "7", "resultScore": 0.83, "resultMaximum": 1, "comment": "x"}],
}


def _json(data: bytes) -> Any:
    """As a body that was decoded and read; None for what is no JSON, which never gets further."""
    try:
        return json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None


def read_claims(data: bytes) -> object:
    """A launch all of whose parts may be kept and gone to, or LaunchRefused. The answer to it can be written."""
    said = _json(data)
    back = return_address(said)
    ensure(not back or is_web_address(back), "a way back that is no address")
    if not isinstance(said, dict):
        return None
    try:
        launch = read_launch(Claims(said))
    except LaunchRefused as refused:
        ensure(refused.reason and refused.message and refused.advice, "a refusal without words")
        return str(refused).encode("utf-8", "replace")
    course_role(launch.roles)
    kept = [launch.person.sub, launch.person.name, launch.person.email, launch.deployment_id, launch.return_url]
    kept += [launch.context.id, launch.context.title] if launch.context else []
    kept += [launch.link.id, launch.link.title] if launch.link else []
    for text in (*kept, *launch.services.scopes, *launch.roles):
        text.encode()
        ensure("\x00" not in text, "a text that no database holds")
    if launch.deep_linking:
        ensure(is_web_address(launch.deep_linking.return_url), "content would be sent nowhere")
    # Kept as JSON until the launch has arrived.
    json.dumps(launch.custom, allow_nan=False)
    return launch


def read_token(data: bytes) -> object:
    """The name of a key, or LaunchRefused."""
    try:
        return key_named(data.decode("latin-1"))
    except LaunchRefused as refused:
        return refused.reason


def read_registration(data: bytes) -> object:
    """A platform whose addresses are addresses, or LaunchRefused."""
    said = _json(data)
    for read in (lambda: read_platform(said, asked_at="https://lms.example/config"), lambda: read_registered(said)):
        try:
            found = read()
        except LaunchRefused as refused:
            ensure(refused.reason and refused.message, "a refusal without words")
            continue
        if isinstance(found, tuple):
            ensure(all("\x00" not in text and text.encode() is not None for text in found), "no text for a database")
        else:
            ensure(origin_of(found.token_url) and origin_of(found.keys_url), "an address that is none")
    return said


def read_members(data: bytes) -> object:
    """A page of a roster, or None."""
    page = read_page(_json(data))
    for member in page.members if page else ():
        for text in (member.person.sub, member.person.name, member.person.email):
            text.encode()
            ensure("\x00" not in text, "a text that no database holds")
        course_role(member.roles)
    return page


def read_keys(data: bytes) -> object:
    """Keys by their names, each public and long enough, or KeySetRefused."""
    try:
        found = read_key_set(data.decode("utf-8", "replace"))
    except KeySetRefused as refused:
        return refused.message
    for key in list(found.values())[:3]:
        try:
            ensure(public_key_of(key).key_size >= 2048, "a short key")
        except KeySetRefused as refused:
            ensure(refused.message, "a refusal without words")
    return found


def read_book(data: bytes) -> object:
    """Columns and results, or AnswerUnread."""
    try:
        said = read_json(data.decode("utf-8", "replace"))
    except AnswerUnread as refused:
        return refused.message
    for read in (columns_of, results_of):
        try:
            found: Any = read(said)
        except AnswerUnread:
            continue
        for one in found:
            if hasattr(one, "plain"):
                json.dumps(one.plain(), allow_nan=False)
                is_shown({"scoreGiven": 1.0, "scoreMaximum": 2, "gradingProgress": "FullyGraded"}, one.plain())
            else:
                below(one.url, "scores")
                asked_with(one.url, user_id="7")
    return said


def read_links(data: bytes) -> object:
    """Where a list goes on: an address of the same host, or nowhere, or NextRefused."""
    header, _, asked = data.decode("latin-1").partition("\n")
    asked = asked if is_web_address(asked) else "https://lms.example/members?page=1"
    try:
        found = next_page(header, asked)
    except NextRefused as refused:
        return refused.message
    ensure(not found or origin_of(found) == origin_of(asked), f"a token would go to {found}")
    return found


_LINKS = st.lists(
    st.sampled_from(
        [
            "<https://lms.example/x?page=2>",
            '; rel="next"',
            ";rel=next",
            "; rel=“next”",
            ", ",
            "<//[>",
            "<//evil.example/>",
            "<https://lms.example@evil.example/>",
            "<\\\\evil.example>",
            "<?page=2>",
            "&amp;",
            "<http://[::1]:99999/>",
            "\n",
            "<https://lms.example:443/>",
            "<javascript:x>",
            'rel="prev next"',
        ]
    )
    | TEXTS,
    max_size=8,
).map(lambda parts: "".join(parts).encode("latin-1", "replace"))
_TOKENS = st.lists(
    st.sampled_from(["eyJhbGciOiJSUzI1NiIsImtpZCI6ImsifQ", "eyJhbGciOiJub25lIn0", "W10", "e30", ".", "..", "=", "MQ"])
    | TEXTS,
    max_size=5,
).map(lambda parts: "".join(parts).encode("utf-8", "replace"))


def _document(sound: dict[str, Any]) -> SearchStrategy[bytes]:
    return written_json(spoilt(sound) | JSON)


_WORDS = (*LAUNCH, *LAUNCH[DEEP_LINKING], "null", "true", "1e400", "\\ud800", "https://", "http://[", "[]", "{}", "-1")
READERS = (
    Reader("lti-claims", read_claims, _document(LAUNCH), _WORDS),
    Reader("lti-token", read_token, _TOKENS, ("eyJ", ".", "e30")),
    Reader("lti-registration", read_registration, _document(PLATFORM), tuple(PLATFORM)),
    Reader("lti-roster", read_members, _document(ROSTER), ("members", "user_id", "roles", "status", "\\ud800", "null")),
    Reader("lti-keys", read_keys, _document(KEYS), ("keys", "kty", "RSA", "kid", '"n"', '"e"', "AQAB", "\\u0000")),
    Reader(
        "lti-book",
        read_book,
        _document(BOOK) | written_json(spoilt(BOOK["lineItems"][0]).map(lambda one: [one])),
        ("lineItems", "results", "userId", "resultScore", "scoreMaximum", "1e999", "NaN", "id", "https://["),
    ),
    Reader("lti-links", read_links, _LINKS, ("<", ">", "; rel=next", "//[", "&#0;")),
)
