"""Addresses of the pages about sitting a problem set, all below /attempts/."""

from django.urls import path

from frontend.views.sitting import attempt, begin, check, hand_in, item, receipt, report, save

PLACE = "<uuid:attempt_id>/<int:position>/"

urlpatterns = [
    path("begin/<uuid:set_id>/", begin.begin, name="attempt-begin"),
    path("receipt/", receipt.verify, name="receipt-verify"),
    path("<uuid:attempt_id>/", attempt.attempt, name="attempt"),
    path("<uuid:attempt_id>/clock/", attempt.clock, name="attempt-clock"),
    path("<uuid:attempt_id>/hand-in/", hand_in.hand_in, name="attempt-hand-in"),
    path("<uuid:attempt_id>/receipt/", receipt.receipt, name="attempt-receipt"),
    path(PLACE, item.item, name="attempt-item"),
    path(PLACE + "reading/<slug:step>/", item.reading, name="attempt-reading"),
    path(PLACE + "save/", save.save, name="attempt-save"),
    path(PLACE + "aside/", save.aside, name="attempt-aside"),
    path(PLACE + "check/", check.check, name="attempt-check"),
    path(PLACE + "verdict/", check.verdict, name="attempt-verdict"),
    path(PLACE + "another/", check.another, name="attempt-another"),
    path(PLACE + "hints/<slug:step>/", check.hint, name="attempt-hint"),
    path(PLACE + "report/", report.report, name="attempt-report"),
]
