"""Addresses of the pages about courses: people, groups, terms, all below /courses/."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
