"""Addresses of the pages about how a class does, all below /statistics/."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
