"""Files that come in."""

from django.urls import path

from server.api.views import imports

urlpatterns = [path("imports", imports.Imports.as_view(), name="imports")]
