"""The addresses of the REST door, a file a room."""

from django.urls import URLPattern, URLResolver, re_path

from server.api.urls import attempts, courses, docs, events, keys, practice
from server.api.views.nowhere import Nowhere

app_name = "api"

urlpatterns: list[URLPattern | URLResolver] = [
    *attempts.urlpatterns,
    *courses.urlpatterns,
    *docs.urlpatterns,
    *events.urlpatterns,
    *keys.urlpatterns,
    *practice.urlpatterns,
    re_path("", Nowhere.as_view(), name="nowhere"),
]
