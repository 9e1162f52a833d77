"""Addresses of the pages about courses: people, groups, terms, all below /courses/."""

from django.urls import path

from frontend.views.courses import course, grouping, listing, members, rosters

urlpatterns = [
    path("", listing.courses, name="courses"),
    path("new/", listing.new_course, name="course-new"),
    path("join/", listing.join, name="course-join"),
    path("<uuid:course_id>/", course.course, name="course"),
    path("<uuid:course_id>/edit/", course.edit, name="course-edit"),
    path("<uuid:course_id>/copy/", course.copy, name="course-copy"),
    path("<uuid:course_id>/people/", members.people_page, name="people"),
    path("<uuid:course_id>/people/<int:pk>/", members.member, name="member"),
    path("<uuid:course_id>/leave/", members.leave, name="course-leave"),
    path("<uuid:course_id>/groups/", grouping.groups, name="groups"),
    path("<uuid:course_id>/roster/", rosters.roster, name="roster"),
    path("<uuid:course_id>/roster.csv", rosters.roster_export, name="roster-export"),
    path("<uuid:course_id>/audit/", rosters.audit_page, name="audit"),
]
