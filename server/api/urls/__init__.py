"""The addresses of the REST door, a file a room."""

from django.urls import URLPattern, URLResolver, re_path

from server.api.urls import attempts, courses, docs, events, exports, keys, practice, problem_sets, problems
from server.api.views.nowhere import Nowhere

app_name = "api"

urlpatterns: list[URLPattern | URLResolver] = [
    *attempts.urlpatterns,
    *courses.urlpatterns,
    *docs.urlpatterns,
    *events.urlpatterns,
    *exports.urlpatterns,
    *keys.urlpatterns,
    *practice.urlpatterns,
    *problem_sets.urlpatterns,
    *problems.urlpatterns,
    re_path("", Nowhere.as_view(), name="nowhere"),
]
