"""Addresses of the pages of one's own keys."""

from django.urls import path

from frontend.views import keys

urlpatterns = [
    path("", keys.keys, name="keys"),
    path("new/", keys.new_token, name="new-token"),
    path("systems/new/", keys.new_client, name="new-client"),
]
