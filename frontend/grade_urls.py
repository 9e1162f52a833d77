"""Addresses of the pages about the grade book and decisions about scores, all below /grades/."""

from django.urls import path

from frontend.views.grading import attempts, books, files, overrides, rulings

urlpatterns = [
    path("<uuid:course_id>/", books.gradebook, name="gradebook"),
    path("<uuid:course_id>/csv/", files.grades_csv, name="grades-csv"),
    path("<uuid:course_id>/import/", files.grades_import, name="grades-import"),
    path("sets/<uuid:set_id>/", books.set_grades, name="set-grades"),
    path("sets/<uuid:set_id>/csv/", files.set_grades_csv, name="set-grades-csv"),
    path("sets/<uuid:set_id>/import/", files.set_grades_import, name="set-grades-import"),
    path("sets/<uuid:set_id>/learners/<int:member>/", overrides.override, name="grade-override"),
    path("sets/<uuid:set_id>/overrides/<int:pk>/", overrides.withdraw, name="grade-override-withdraw"),
    path("sets/<uuid:set_id>/learners/<int:member>/another/", attempts.another, name="grade-another"),
    path("sets/<uuid:set_id>/decisions/", rulings.rulings, name="set-rulings"),
    path("sets/<uuid:set_id>/decisions/new/", rulings.new_ruling, name="ruling-new"),
    path("sets/<uuid:set_id>/decisions/<int:pk>/", rulings.withdraw, name="ruling-withdraw"),
    path("attempts/<uuid:attempt_id>/", attempts.attempt, name="attempt-grade"),
    path("attempts/<uuid:attempt_id>/count-as/", attempts.count_as, name="attempt-count-as"),
]
