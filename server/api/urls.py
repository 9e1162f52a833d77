"""The addresses of the REST door."""

from django.urls import URLPattern, URLResolver, path, re_path

from server.api import views

app_name = "api"

urlpatterns: list[URLPattern | URLResolver] = [
    path("tokens", views.Tokens.as_view(), name="tokens"),
    path("tokens/<uuid:public_id>", views.Token.as_view(), name="token"),
    path("problems", views.Problems.as_view(), name="problems"),
    path("problems/<slug:slug>/variants", views.Variants.as_view(), name="variants"),
    path("variants/<uuid:public_id>", views.Variant.as_view(), name="variant"),
    path("variants/<uuid:public_id>/answers", views.Answers.as_view(), name="answers"),
    path("variants/<uuid:public_id>/whole", views.Whole.as_view(), name="whole"),
    path("skills", views.Skills.as_view(), name="skills"),
    path("next", views.Next.as_view(), name="next"),
    path("submissions", views.History.as_view(), name="submissions"),
    path("submissions/<uuid:public_id>", views.ReadSubmission.as_view(), name="submission"),
    re_path("", views.Nowhere.as_view(), name="nowhere"),
]
