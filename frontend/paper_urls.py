"""Addresses of the pages about problem sets on paper, all below /paper/."""

from django.urls import path

from frontend.views import paper

urlpatterns = [
    path("find/", paper.find, name="paper-find"),
    path("sets/<uuid:set_id>/", paper.papers, name="papers"),
    path("copies/<slug:code>/", paper.enter, name="paper-enter"),
    path("copies/<slug:code>/take-back/", paper.take_back, name="paper-void"),
    path("<uuid:run_id>/", paper.run, name="paper-run"),
    path("<uuid:run_id>/sheets/", paper.sheet, name="paper-sheet"),
    path("<uuid:run_id>/keys/", paper.key, name="paper-key"),
    path("<uuid:run_id>/answers.csv", paper.table, name="paper-table"),
]
