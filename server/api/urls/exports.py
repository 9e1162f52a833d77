"""Files for other systems."""

from django.urls import path

from server.api.views import exports

urlpatterns = [
    path("exports/problems", exports.ExportProblems.as_view(), name="export-problems"),
    path("exports/problem-sets/<ref:set_id>", exports.ExportSet.as_view(), name="export-problem-set"),
]
