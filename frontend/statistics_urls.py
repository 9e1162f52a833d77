"""Addresses of the pages about how a class does, all below /statistics/."""

from django.urls import path

from frontend.views import class_view, set_statistics

urlpatterns = [
    path("<uuid:course_id>/", class_view.class_view, name="class"),
    path("<uuid:course_id>/csv/", class_view.class_csv, name="class-csv"),
    path("<uuid:course_id>/renew/", class_view.renew, name="class-renew"),
    path("sets/<uuid:set_id>/", set_statistics.statistics, name="set-statistics"),
    path("sets/<uuid:set_id>/csv/", set_statistics.statistics_csv, name="statistics-csv"),
    path("sets/<uuid:set_id>/renew/", set_statistics.renew, name="statistics-renew"),
    path("sets/<uuid:set_id>/items/<int:item>/withdraw/", set_statistics.withdraw, name="statistics-withdraw"),
]
