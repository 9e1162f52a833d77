"""Addresses of the pages about learning platforms, all below /lms/."""

from django.urls import path

from frontend.views.lms import connecting, connections, content, landing, removing, services

urlpatterns = [
    path("", connections.connections, name="lms"),
    path("new/", connections.new, name="lms-new"),
    path("keys/", connections.keys, name="lms-keys"),
    path("<uuid:registration_id>/", connections.connection, name="lms-connection"),
    path("<uuid:registration_id>/edit/", connections.edit, name="lms-edit"),
    path("<uuid:registration_id>/remove/", removing.remove, name="lms-remove"),
    path("courses/<uuid:course_id>/", services.course, name="lms-course"),
    path("courses/<uuid:course_id>/columns/<int:column>/", services.column, name="lms-column"),
    path("links/<uuid:link_id>/", landing.link, name="lms-link"),
    path("links/<uuid:link_id>/set/", connecting.choose, name="lms-choose"),
    path("contexts/<uuid:context_id>/", connecting.connect, name="lms-connect"),
    path("contexts/<uuid:context_id>/content/", content.content, name="lms-content"),
    path("contexts/<uuid:context_id>/account/", connecting.account, name="lms-account"),
]
