"""Which door answers which address."""

from django.urls import include, path

from server import health, metrics
from server.api import oauth

handler400 = "server.fallen.bad_request"
handler500 = "server.fallen.server_error"

urlpatterns = [
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
    path("metrics", metrics.metrics, name="metrics"),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/second-step/", include("allauth.mfa.urls")),
    path("api/v1/", include("server.api.urls")),
    path("oauth/token", oauth.Token.as_view(), name="oauth-token"),
    path("oauth/revoke", oauth.Revoke.as_view(), name="oauth-revoke"),
    path("lti/", include("server.lti.urls")),
    path("", include("frontend.urls")),
]
