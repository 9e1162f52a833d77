"""Addresses of the pages."""

from django.urls import path

from frontend.views import around, faults, guide, home, variant

app_name = "frontend"

urlpatterns = [
    path("", home.home, name="home"),
    path("problems/<slug:slug>/", home.problem, name="problem"),
    path("problems/<slug:slug>/draw/", home.draw, name="draw"),
    path("answers/", home.history, name="history"),
    path("answers/<uuid:public_id>/verdict/", variant.verdict, name="verdict"),
    path("variants/<uuid:public_id>/", variant.variant, name="variant"),
    path("variants/<uuid:public_id>/answers/", variant.answers, name="answers"),
    path("variants/<uuid:public_id>/reading/<slug:step>/", variant.reading, name="reading"),
    path("variants/<uuid:public_id>/hints/<slug:step>/", around.hint, name="hint"),
    path("variants/<uuid:public_id>/forecast/", around.forecast, name="forecast"),
    path("variants/<uuid:public_id>/solution/", around.reveal, name="reveal"),
    path("variants/<uuid:public_id>/report/", around.report, name="report"),
    path("help/answers/", guide.answers, name="help"),
    path("staff/faults/", faults.faults, name="faults"),
]
