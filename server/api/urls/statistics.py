"""How a class does."""

from django.urls import path

from server.api.views import statistics as views

urlpatterns = [
    path("courses/<ref:course_id>/statistics", views.CourseStatistics.as_view(), name="course-statistics"),
    path("courses/<ref:course_id>/mastery", views.CourseMastery.as_view(), name="course-mastery"),
    path("problem-sets/<ref:set_id>/statistics", views.SetStatistics.as_view(), name="set-statistics"),
]
