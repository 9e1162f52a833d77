"""Keys for programs."""

from django.urls import path

from server.api.views import keys as views

urlpatterns = [
    path("tokens", views.Tokens.as_view(), name="tokens"),
    path("tokens/<uuid:public_id>", views.Token.as_view(), name="token"),
]
