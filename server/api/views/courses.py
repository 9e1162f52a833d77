"""Courses, and the groups in them."""

from functools import partial
from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from exercises.access import enrolment_in
from exercises.actions.courses import groups, making
from exercises.actions.external_ids import put_named
from exercises.courses.rights import Right
from exercises.models import Course, Enrolment, ExternalId, Group
from exercises.queries.courses import courses_of
from exercises.queries.people import groups_of
from exercises.queries.set_extensions import group_at
from server.api import conditional, paging
from server.api.addresses import External, Ref
from server.api.base import View
from server.api.described import IF_MATCH
from server.api.errors import CourseLimited
from server.api.paging import paged
from server.api.shapes import courses as shapes
from server.api.telling.courses import course_told, courses_told

FIELDS = ("title", "term", "time_zone", "starts_on", "ends_on", "exam_on")


class Courses(View):
    scopes = {"GET": "roster.read", "POST": "roster.write"}
    of_course = True

    @extend_schema(
        operation_id="list_courses", responses={200: paged(shapes.Course)}, parameters=paging.PARAMETERS_SINCE
    )
    def get(self, request: Request) -> Response:
        """The courses that you are in, as whatever."""
        rows = courses_of(self.user, only=self.only_course())
        return paging.page(request, rows, partial(courses_told, self.user), order=paging.Order.TOUCHED)

    @extend_schema(operation_id="make_course", request=shapes.CourseFields, responses={201: shapes.Course})
    def post(self, request: Request) -> Response:
        """Make a course, with you as its instructor."""
        if self.key.course_id is not None:
            raise CourseLimited
        fields = making.CourseFields(**self.read(shapes.CourseFields))
        return self.told(making.create_course(author=self.user, fields=fields), status=201)

    def told(self, course: Course, *, status: int = 200) -> Response:
        """A course as it is now, with its tag and address."""
        enrolment = enrolment_in(self.user, course, Right.VIEW)
        address = reverse("api:course", args=[enrolment.course.public_id])
        location = address if status == 201 else None
        return self.answer(course_told(enrolment), tag=tag_of(enrolment), status=status, location=location)


class ACourse(Courses):
    scopes = {"GET": "roster.read", "PATCH": "roster.write", "PUT": "roster.write"}
    http_method_names = ("get", "head", "patch", "put", "options")

    @extend_schema(operation_id="read_course", responses={200: shapes.Course})
    def get(self, request: Request, course_id: Ref) -> Response:  # type: ignore[override]
        """A course that you are in."""
        enrolment = self.enrolment(course_id, Right.VIEW)
        return self.answer(course_told(enrolment), tag=tag_of(enrolment))

    @extend_schema(
        operation_id="change_course",
        request=shapes.CourseChange(partial=True),
        responses={200: shapes.Course},
        parameters=[IF_MATCH],
    )
    def patch(self, request: Request, course_id: Ref) -> Response:
        """Change what is sent, and put the course away or take it up again."""
        enrolment = self.enrolment(course_id, Right.MANAGE)
        is_guarded = self.require_match(tag_of(enrolment))
        course, asked = enrolment.course, self.read(shapes.CourseChange, partial=True)
        fields = making.CourseFields(**{name: asked.get(name, getattr(course, name)) for name in FIELDS})
        seen = course.updated_at if is_guarded else None
        making.change_course(
            actor=self.user, course=course, fields=fields, is_archived=asked.get("is_archived"), seen=seen
        )
        return self.told(course)

    @extend_schema(
        operation_id="put_course",
        request=shapes.CourseFields,
        responses={200: shapes.Course, 201: shapes.Course},
    )
    def put(self, request: Request, course_id: Ref) -> Response:
        """Make the course of that external id, or change it to be just so. Only by an external id: `ext:…`."""
        if not isinstance(course_id, External):
            raise Http404("PUT takes an external id, such as ext:CS-101; change a course by its id with PATCH.")
        if self.key.course_id is not None:
            raise CourseLimited
        fields = making.CourseFields(**self.read(shapes.CourseFields))
        course, is_new = put_named(
            owner=self.user,
            kind=ExternalId.Kind.COURSE,
            external_id=course_id.id,
            make=lambda: making.create_course(author=self.user, fields=fields),
            change=lambda _: making.edit_course(
                actor=self.user, course=self.course(course_id, Right.MANAGE), fields=fields
            ),
        )
        return self.told(course, status=201 if is_new else 200)


class Groups(View):
    scopes = {"GET": "roster.read", "POST": "roster.write"}
    of_course = True

    @extend_schema(operation_id="list_groups", responses={200: shapes.Groups})
    def get(self, request: Request, course_id: Ref) -> Response:
        """The groups of a course, by name."""
        course = self.course(course_id, Right.READ_WORK)
        return Response(shapes.Groups({"results": groups_of(course)}).data)

    @extend_schema(operation_id="make_group", request=shapes.GroupFields, responses={201: shapes.Group})
    def post(self, request: Request, course_id: Ref) -> Response:
        """Make a group, with nobody in it."""
        course = self.course(course_id, Right.MANAGE)
        made: Any = groups.create_group(actor=self.user, course=course, name=self.read(shapes.GroupFields)["name"])
        made.present = 0
        return Response(shapes.Group(made).data, status=201)


class AGroup(View):
    scopes = {"DELETE": "roster.write", "PATCH": "roster.write"}
    of_course = True

    @extend_schema(operation_id="rename_group", request=shapes.GroupFields, responses={204: None})
    def patch(self, request: Request, course_id: Ref, group_id: int) -> Response:
        """Call a group something else."""
        group = self.group(course_id, group_id)
        groups.rename_group(actor=self.user, group=group, name=self.read(shapes.GroupFields)["name"])
        return Response(status=204)

    @extend_schema(operation_id="delete_group", responses={204: None})
    def delete(self, request: Request, course_id: Ref, group_id: int) -> Response:
        """Delete a group; the people in it stay."""
        groups.delete_group(actor=self.user, group=self.group(course_id, group_id))
        return Response(status=204)

    def group(self, course_id: Ref, group_id: int) -> Group:
        """A group of a course that the user manages. Raises Http404."""
        found = group_at(self.course(course_id, Right.MANAGE), group_id)
        if found is None:
            raise Http404("This course has no such group.")
        return found


def tag_of(enrolment: Enrolment) -> str:
    """What a course as somebody meets it goes by: the course, and what they are there."""
    return conditional.tag(enrolment.course_id, enrolment.course.updated_at, enrolment.role)
