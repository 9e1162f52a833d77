"""Addresses of the pages about sitting a problem set, all below /attempts/."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
