"""An independent platform: the LTI consumer of Open edX as a small Django project of its own.

It runs in an environment of its own (requirements-xblock.txt, AGPL) as a process of its own; nothing here is imported
by the product or by the tests. What it asks of Open edX itself is answered here, as its own tests do.

    python platform_process.py PORT DATABASE TOOL_HOME TOOL_KEYS
"""

import json
import sys
from types import SimpleNamespace
from wsgiref.simple_server import WSGIRequestHandler, make_server

import django
from django.conf import settings

PORT, DATABASE, TOOL, TOOL_KEYS = sys.argv[1:5]
HOME = f"http://127.0.0.1:{PORT}"
BLOCK = "block-v1:school+bert+2026+type@lti_consumer+block@one"

settings.configure(
    SECRET_KEY="of this test alone",
    DEBUG=True,
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": DATABASE}},
    CACHES={"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}},
    INSTALLED_APPS=[
        "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "config_models",
        "lti_consumer",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "edx_django_utils.cache.middleware.RequestCacheMiddleware",
    ],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
    MIGRATION_MODULES=dict.fromkeys(("auth", "contenttypes", "sessions", "config_models", "lti_consumer")),
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    USE_TZ=True,
    LMS_ROOT_URL=HOME,
    LTI_API_BASE=HOME,
    PLATFORM_NAME="Open edX",
    USAGE_ID_PATTERN=r"(?P<usage_id>(?:i4x://?[^/]+/[^/]+/[^/]+/[^@]+(?:@[^/]+)?)|(?:[^/]+))",
)  # fmt: skip
django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.http import HttpRequest, HttpResponse, JsonResponse  # noqa: E402
from django.urls import include, path  # noqa: E402
from lti_consumer import api  # noqa: E402
from lti_consumer.data import Lti1p3LaunchData  # noqa: E402
from lti_consumer.models import (  # noqa: E402
    Lti1p3Passport,
    LtiAgsScore,
    LtiConfiguration,
    LtiDlContentItem,
)
from lti_consumer.plugin import compat  # noqa: E402
from lti_consumer.plugin.views import LtiNrpsContextMembershipViewSet  # noqa: E402
from lti_consumer.utils import get_lms_lti_access_token_link, get_lms_lti_keyset_link  # noqa: E402
from opaque_keys.edx.keys import UsageKey  # noqa: E402

#: (name, role in Open edX)
PEOPLE = [("alba", "staff"), *((f"learner{number}", "student") for number in range(7))]
grades: dict[str, float] = {}


class Block(SimpleNamespace):
    """The block of the course, as far as it is asked."""

    has_score, accept_grades_past_due, weight, display_name, lti_1p3_passport_id = True, True, 1, "BERT", ""

    def is_past_due(self) -> bool:
        return False

    def max_score(self) -> float:
        return 1.0

    def set_user_module_score(self, user: str, score: float, most: float, comment: str = "") -> None:
        grades[user] = score / most


location = UsageKey.from_string(BLOCK)
block = Block(scope_ids=SimpleNamespace(usage_id=location), context_id=str(location.course_key))
unlimited = SimpleNamespace(is_enabled=lambda *_: False)
compat.load_enough_xblock = compat.load_block_as_user = lambda *_: block
compat.get_user_from_external_user_id = lambda said: said
compat.user_has_access = compat.user_has_studio_write_access = compat.user_course_access = lambda *_, **__: True
compat.get_course_by_id = lambda *_: SimpleNamespace()
compat.get_user_course_forum_role = lambda *_: None
compat.nrps_pii_disallowed = lambda: False
compat.merge_course_forum_roles = lambda *_: None
compat.get_course_members = lambda *_: {
    number: {
        "id": number,
        "username": name,
        "name": f"{name} of Open edX",
        "email": f"{name}@x.org",
        "roles": [role],
    }
    for number, (name, role) in enumerate(PEOPLE, start=1)
}
for name in dir(compat):
    if name.endswith("waffle_flag"):
        setattr(compat, name, lambda: unlimited)
LtiNrpsContextMembershipViewSet.attach_external_user_ids = lambda _, data: [
    row.__setitem__("external_id", f"ext-{row['username']}") for row in data.values()
]


def prepared() -> LtiConfiguration:
    """The one block of the course, connected with the tool."""
    call_command("migrate", run_syncdb=True, verbosity=0)
    for name, _ in PEOPLE:
        get_user_model().objects.create_user(name)
    passport = Lti1p3Passport.objects.create(name="gym", lti_1p3_tool_keyset_url=TOOL_KEYS)
    return LtiConfiguration.objects.create(
        version=LtiConfiguration.LTI_1P3, config_store=LtiConfiguration.CONFIG_ON_DB, location=location,
        lti_1p3_passport=passport, lti_1p3_oidc_url=f"{TOOL}/lti/login", lti_1p3_launch_url=f"{TOOL}/lti/launch",
        lti_1p3_redirect_uris=[f"{TOOL}/lti/launch"], lti_advantage_ags_mode="programmatic",
        lti_advantage_enable_nrps=True, lti_advantage_deep_linking_enabled=True,
        lti_advantage_deep_linking_launch_url=f"{TOOL}/lti/deep-link",
    )  # fmt: skip


configuration = prepared()


def begin(request: HttpRequest) -> HttpResponse:
    """Where somebody is sent who opens the block, or chooses its content."""
    name = request.GET["user"]
    data = Lti1p3LaunchData(
        user_id=name, external_user_id=f"ext-{name}", user_role=dict(PEOPLE)[name], config_id=configuration.config_id,
        resource_link_id=BLOCK, name=f"{name} of Open edX", context_id=str(location.course_key),
        context_title="BERT at Open edX", launch_presentation_document_target="window",
    )  # fmt: skip
    if request.GET.get("content"):
        return HttpResponse(api.get_lti_1p3_launch_start_url(data, deep_link_launch=True))
    return HttpResponse(api.get_lti_1p3_content_url(data))


def told(_: HttpRequest) -> JsonResponse:
    """What this platform has of the tool."""
    scores = LtiAgsScore.objects.order_by("pk")
    return JsonResponse(
        {
            "grades": grades,
            "scores": [[one.user_id, one.score_given, one.score_maximum, one.grading_progress] for one in scores],
            "content": [one.attributes for one in LtiDlContentItem.objects.all()],
        }
    )


urlpatterns = [path("api/", include("lti_consumer.plugin.urls")), path("begin", begin), path("told", told)]


class Quiet(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    from django.core.wsgi import get_wsgi_application

    server = make_server("127.0.0.1", int(PORT), get_wsgi_application(), handler_class=Quiet)
    passport_id = configuration.passport_id
    print(
        json.dumps(
            {
                "issuer": HOME, "client_id": configuration.lti_1p3_client_id,
                "login_url": f"{HOME}/api/lti_consumer/v1/launch/",
                "token_url": get_lms_lti_access_token_link(passport_id),
                "keys_url": get_lms_lti_keyset_link(passport_id),
            }
        ),
        flush=True,
    )  # fmt: skip
    server.serve_forever()
