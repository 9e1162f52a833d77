"""Courses, their people and groups, and jobs."""

from django.urls import path

from server.api.views import courses, people

_COURSE = "courses/<ref:course_id>"

urlpatterns = [
    path("courses", courses.Courses.as_view(), name="courses"),
    path(_COURSE, courses.ACourse.as_view(), name="course"),
    path(f"{_COURSE}/groups", courses.Groups.as_view(), name="groups"),
    path(f"{_COURSE}/groups/<int:group_id>", courses.AGroup.as_view(), name="group"),
    path(f"{_COURSE}/people", people.People.as_view(), name="people"),
    path(f"{_COURSE}/people/<str:who>", people.CoursePerson.as_view(), name="person"),
    path(f"{_COURSE}/jobs", people.Jobs.as_view(), name="jobs"),
    path(f"{_COURSE}/jobs/<uuid:job_id>", people.CourseJob.as_view(), name="job"),
]
