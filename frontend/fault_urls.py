"""Addresses of the pages about fault reports, all below /staff/faults/."""

from django.urls import URLPattern, path

from frontend.views import faults

urlpatterns: list[URLPattern] = [
    path("", faults.faults, name="faults"),
    path("<int:pk>/", faults.fault, name="fault"),
    path("<int:pk>/settle/", faults.settle, name="fault-settle"),
]
