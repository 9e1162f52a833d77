"""Addresses of the pages about what is kept of oneself."""

from django.urls import path

from frontend.views import personal

urlpatterns = [
    path("", personal.personal, name="personal"),
    path("export/", personal.export, name="personal-export"),
    path("erase/", personal.erase, name="personal-erase"),
]
