"""Addresses of the pages."""

from django.urls import include, path

from frontend.views import (
    forecast,
    guide,
    hint,
    home,
    operating,
    plan,
    progress,
    report,
    solution,
    today,
    variant,
    whole,
)

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
    path("variants/<uuid:public_id>/hints/<slug:step>/", hint.hint, name="hint"),
    path("variants/<uuid:public_id>/forecast/", forecast.forecast, name="forecast"),
    path("variants/<uuid:public_id>/solution/", solution.reveal, name="reveal"),
    path("variants/<uuid:public_id>/whole/", whole.whole, name="whole"),
    path("variants/<uuid:public_id>/report/", report.report, name="report"),
    path("today/", today.today, name="today"),
    path("today/<int:position>/begin/", today.begin, name="begin"),
    path("progress/", progress.progress, name="progress"),
    path("progress/<slug:skill>/", progress.skill, name="skill"),
    path("plan/", plan.plan, name="plan"),
    path("cards/", include("frontend.card_urls")),
    path("courses/", include("frontend.course_urls")),
    path("courses/", include("frontend.webhook_urls")),
    path("sets/", include("frontend.set_urls")),
    path("attempts/", include("frontend.sitting_urls")),
    path("author/", include("frontend.author_urls")),
    path("grades/", include("frontend.grade_urls")),
    path("regrades/", include("frontend.regrade_urls")),
    path("statistics/", include("frontend.statistics_urls")),
    path("paper/", include("frontend.paper_urls")),
    path("keys/", include("frontend.key_urls")),
    path("me/", include("frontend.personal_urls")),
    path("lms/", include("frontend.lms_urls")),
    path("exchange/", include("frontend.exchange_urls")),
    path("help/answers/", guide.answers, name="help"),
    path("staff/operation/", operating.operating, name="operating"),
    path("staff/faults/", include("frontend.fault_urls")),
]
