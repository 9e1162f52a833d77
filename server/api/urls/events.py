"""What happens in a course."""

from django.urls import path

from server.api.views import events as views

_WEBHOOK = "courses/<ref:course_id>/webhooks/<uuid:webhook_id>"

urlpatterns = [
    path("courses/<ref:course_id>/events", views.Events.as_view(), name="events"),
    path("courses/<ref:course_id>/statements", views.Statements.as_view(), name="statements"),
    path("courses/<ref:course_id>/webhooks", views.Webhooks.as_view(), name="webhooks"),
    path(_WEBHOOK, views.AWebhook.as_view(), name="webhook"),
    path(f"{_WEBHOOK}/secret", views.WebhookSecret.as_view(), name="webhook-secret"),
    path(f"{_WEBHOOK}/deliveries", views.Deliveries.as_view(), name="deliveries"),
    path(f"{_WEBHOOK}/deliveries/<uuid:delivery_id>/replay", views.Replay.as_view(), name="replay"),
]
