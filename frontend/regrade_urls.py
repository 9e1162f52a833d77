"""Addresses of the pages about regrades, all below /regrades/."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
