"""What describes the door; anybody may read it."""

from django.urls import path

from server.api.views import docs as views

urlpatterns = [
    path("docs", views.docs, name="docs"),
    path("openapi.json", views.openapi, name="openapi"),
]
