"""Addresses of the pages about problem sets: making them, and their page for learners, all below /sets/."""

from django.urls import path

from frontend.views.sets import copying, editing, extensions, item, items, overview

urlpatterns = [
    path("new/<uuid:course_id>/", editing.new, name="set-new"),
    path("<uuid:set_id>/", overview.page, name="set"),
    path("<uuid:set_id>/do/", overview.act, name="set-act"),
    path("<uuid:set_id>/preview/", overview.preview, name="set-preview"),
    path("<uuid:set_id>/practise/<int:pk>/", overview.practise, name="set-practise"),
    path("<uuid:set_id>/edit/", editing.edit, name="set-edit"),
    path("<uuid:set_id>/copy/", copying.copy, name="set-copy"),
    path("<uuid:set_id>/items/", items.page, name="set-items"),
    path("<uuid:set_id>/items/<int:pk>/", item.page, name="set-item"),
    path("<uuid:set_id>/pools/new/", items.pool, name="set-pool-new"),
    path("<uuid:set_id>/pools/<int:pk>/", items.pool, name="set-pool"),
    path("<uuid:set_id>/extensions/", extensions.page, name="set-extensions"),
    path("<uuid:set_id>/extensions/for/", extensions.give, name="set-extension"),
    path("<uuid:set_id>/rules/", extensions.rules, name="set-rules"),
]
