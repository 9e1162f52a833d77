"""Addresses of the pages about the grade book and decisions about scores, all below /grades/."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
