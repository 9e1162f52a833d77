"""Attempts and their items."""

from django.urls import path

from server.api.views import attempts, items

_SET = "problem-sets/<ref:set_id>"
_ATTEMPT = "attempts/<uuid:attempt_id>"
_ITEM = f"{_ATTEMPT}/items/<int:position>"

urlpatterns = [
    path(f"{_SET}/attempts", attempts.Attempts.as_view(), name="attempts"),
    path(_ATTEMPT, attempts.AnAttempt.as_view(), name="attempt"),
    path(f"{_ATTEMPT}/hand-in", attempts.HandIn.as_view(), name="attempt-hand-in"),
    path(f"{_ATTEMPT}/receipt", attempts.Receipt.as_view(), name="attempt-receipt"),
    path("receipts/<str:code>", attempts.VerifyReceipt.as_view(), name="receipt"),
    path(_ITEM, items.AnItem.as_view(), name="attempt-item"),
    path(f"{_ITEM}/answers", items.ItemAnswers.as_view(), name="attempt-item-answers"),
    path(f"{_ITEM}/check", items.CheckItem.as_view(), name="attempt-item-check"),
    path(f"{_ITEM}/variants", items.ItemVariants.as_view(), name="attempt-item-variants"),
    path(f"{_ITEM}/hints", items.ItemHints.as_view(), name="attempt-item-hints"),
    path(f"{_ITEM}/asides/<int:aside>", items.ItemAside.as_view(), name="attempt-item-aside"),
    path(f"{_ITEM}/reports", items.ItemReports.as_view(), name="attempt-item-reports"),
]
