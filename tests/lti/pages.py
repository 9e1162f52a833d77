"""The pages of the forging platform that a browser opens: a course with a tool in a frame, and its own sign-in."""

from html import escape
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlencode, urlsplit

from exercises.models import Registration
from tests.lti.platform import FakePlatform, claims_of, send, signed

#: A storage for the frames of this page, as the postMessage Storage of 1EdTech has it.
STORAGE = """
<script>
const kept = new Map();
addEventListener("message", (event) => {
  const said = event.data;
  if (!said || !["lti.put_data", "lti.get_data"].includes(said.subject)) return;
  if (said.subject === "lti.put_data") kept.set(event.origin + said.key, said.value);
  event.source.postMessage({subject: said.subject + ".response", message_id: said.message_id, key: said.key,
                            value: kept.get(event.origin + said.key)}, event.origin);
});
</script>
"""


class _Said:
    """What a launch was begun with, as ``claims_of`` reads it."""

    def __init__(self, nonce: str) -> None:
        self.nonce = nonce


class PlatformPages:
    """Pages of a platform, for the tool at ``tool``. ``stores`` lends storage to the frame."""

    def __init__(self, platform: FakePlatform, registration: Registration, tool: str) -> None:
        self.platform, self.registration, self.tool = platform, registration, tool
        self.stores = False
        self.roles: list[str] = []
        self.sub = "somebody"
        platform.pages = {"/course": self._course, "/auth": self._auth}

    @property
    def course(self) -> str:
        """The address of the course."""
        return f"{self.platform.url}/course"

    def _course(self, handler: BaseHTTPRequestHandler) -> None:
        said = {
            "iss": self.registration.issuer, "client_id": self.registration.client_id, "login_hint": self.sub,
            "target_link_uri": f"{self.tool}/lti/launch",
        }  # fmt: skip
        if self.stores:
            said["lti_storage_target"] = "_parent"
        address = escape(f"{self.tool}/lti/login?{urlencode(said)}")
        frame = f'<iframe name="tool" width="900" height="800" src="{address}"></iframe>'
        page = f"<!doctype html><title>Course</title>{STORAGE if self.stores else ''}<h1>Course</h1>{frame}"
        send(handler, page.encode())

    def _auth(self, handler: BaseHTTPRequestHandler) -> None:
        asked = {name: values[0] for name, values in parse_qs(urlsplit(handler.path).query).items()}
        claims = claims_of(
            _Said(asked["nonce"]), self.registration, roles=self.roles, sub=self.sub,
            target_link_uri=f"{self.tool}/lti/launch", launch_presentation={"document_target": "iframe"},
        )  # fmt: skip
        page = (
            f'<!doctype html><title>Signing in</title><form method="post" action="{asked["redirect_uri"]}">'
            f'<input name="state" value="{asked["state"]}"><input name="id_token" value="{signed(claims)}"></form>'
            "<script>document.forms[0].submit()</script>"
        )
        send(handler, page.encode())
