"""Addresses of the pages about problem sets on paper, all below /paper/."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
