"""Addresses of the pages about writing problems, all below /author/."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
