"""The addresses of the REST door, a file a room."""

from django.urls import URLPattern, URLResolver, re_path

from server.api.urls import (
    attempts,
    cards,
    courses,
    docs,
    events,
    exports,
    faults,
    grades,
    imports,
    keys,
    practice,
    problem_sets,
    problems,
    statistics,
)
from server.api.views.nowhere import Nowhere

app_name = "api"

urlpatterns: list[URLPattern | URLResolver] = [
    *attempts.urlpatterns,
    *cards.urlpatterns,
    *courses.urlpatterns,
    *docs.urlpatterns,
    *events.urlpatterns,
    *exports.urlpatterns,
    *faults.urlpatterns,
    *grades.urlpatterns,
    *imports.urlpatterns,
    *keys.urlpatterns,
    *practice.urlpatterns,
    *problem_sets.urlpatterns,
    *problems.urlpatterns,
    *statistics.urlpatterns,
    re_path("", Nowhere.as_view(), name="nowhere"),
]
