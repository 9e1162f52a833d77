"""Practising."""

from django.urls import path

from server.api.views import practice as views

urlpatterns = [
    path("problems/<slug:slug>/variants", views.Variants.as_view(), name="variants"),
    path("variants/<uuid:public_id>", views.Variant.as_view(), name="variant"),
    path("variants/<uuid:public_id>/answers", views.Answers.as_view(), name="answers"),
    path("variants/<uuid:public_id>/whole", views.Whole.as_view(), name="whole"),
    path("skills", views.Skills.as_view(), name="skills"),
    path("next", views.Next.as_view(), name="next"),
    path("submissions", views.History.as_view(), name="submissions"),
    path("submissions/<uuid:public_id>", views.ReadSubmission.as_view(), name="submission"),
]
