"""Addresses of the pages by which problems and sets leave and come in, all below /exchange/."""

from django.urls import path

from frontend.views.exchange import exporting, importing

urlpatterns = [
    path("import/", importing.page, name="import"),
    path("problems/", exporting.several, name="export-problems"),
    path("problems/<slug:slug>/", exporting.problem, name="export-problem"),
    path("sets/<uuid:set_id>/", exporting.problem_set, name="export-set"),
]
