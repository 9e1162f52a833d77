"""Addresses of the pages about regrades, all below /regrades/."""

from django.urls import URLPattern, path

from frontend.views.regrading import deciding, events

urlpatterns: list[URLPattern] = [
    path("<uuid:course_id>/", events.regrades, name="regrades"),
    path("<uuid:course_id>/new/", events.make, name="regrade-new"),
    path("events/<uuid:event_id>/", events.regrade, name="regrade"),
    path("events/<uuid:event_id>/progress/", events.progress, name="regrade-progress"),
    path("events/<uuid:event_id>/apply/", deciding.apply, name="regrade-apply"),
    path("events/<uuid:event_id>/undo/", deciding.undo, name="regrade-undo"),
    path("events/<uuid:event_id>/drop/", deciding.drop, name="regrade-drop"),
]
