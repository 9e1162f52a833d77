"""Addresses of the pages about the webhooks of a course, all below its own."""

from django.urls import path

from frontend.views.webhooks import listing, one

urlpatterns = [
    path("<uuid:course_id>/webhooks/", listing.webhooks, name="webhooks"),
    path("<uuid:course_id>/webhooks/new/", listing.new, name="webhook-new"),
    path("<uuid:course_id>/webhooks/<uuid:webhook_id>/", one.webhook, name="webhook"),
    path("<uuid:course_id>/webhooks/<uuid:webhook_id>/edit/", one.edit, name="webhook-edit"),
    path(
        "<uuid:course_id>/webhooks/<uuid:webhook_id>/deliveries/<uuid:delivery_id>/replay/",
        one.replay,
        name="webhook-replay",
    ),
]
