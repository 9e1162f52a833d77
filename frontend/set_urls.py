"""Addresses of the pages about problem sets: making them, and their page for learners, all below /sets/."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
