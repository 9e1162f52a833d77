"""The people of a course, and jobs that bring in many of them."""

from typing import Any
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from exercises.access import member_named, member_numbered
from exercises.actions import jobs
from exercises.actions.courses.enrolling import enrol
from exercises.actions.courses.people import drop_member
from exercises.courses.rights import Right
from exercises.courses.roster import Person
from exercises.models import Course, Enrolment, Job
from exercises.queries.jobs import job_in, jobs_of
from exercises.queries.people import enrolments_of
from server.api import paging
from server.api.addresses import PREFIX, Ref
from server.api.base import View
from server.api.paging import paged
from server.api.shapes import courses as shapes
from server.api.telling.courses import jobs_told, people_told

#: What a key must be good for to have a job of each kind done, and to read what came of it.
JOB_WRITES = {Job.Kind.ROSTER: "roster.write", Job.Kind.GRADES: "grades.write"}
JOB_READS = {Job.Kind.ROSTER: "roster.read", Job.Kind.GRADES: "grades.read"}
DROPPED = OpenApiParameter("dropped", bool, description="Also those who left: they come with `dropped_at`.")


class AskedPeople(serializers.Serializer):
    dropped = serializers.BooleanField(required=False, default=False)


class People(View):
    scopes = {"GET": "roster.read", "POST": "roster.write"}
    of_course = True

    @extend_schema(
        operation_id="list_people",
        responses={200: paged(shapes.CoursePerson)},
        parameters=[*paging.PARAMETERS_SINCE, DROPPED],
    )
    def get(self, request: Request, course_id: Ref) -> Response:
        """Who is in a course."""
        course = self.course(course_id, Right.READ_WORK)
        rows = enrolments_of(course, is_all=self.asked(AskedPeople)["dropped"])
        return paging.page(request, rows, people_told, order=paging.Order.TOUCHED)

    @extend_schema(operation_id="enrol_person", request=shapes.PersonFields, responses={201: shapes.CoursePerson})
    def post(self, request: Request, course_id: Ref) -> Response:
        """Bring somebody in, or back, by user name or e-mail. Where they have no account, one is made, without a
        password. What is left out of what is known already stays, and so does the role of who has one there already:
        that is changed by PUT."""
        course = self.course(course_id, Right.MANAGE)
        enrolment = self.enrolled(course, self.read(shapes.PersonFields))
        address = reverse("api:person", args=[course.public_id, enrolment.user.username])
        return self.answer(people_told([enrolment])[0], status=201, location=address)

    def enrolled(self, course: Course, said: dict[str, Any], *, takes_roles: bool = False) -> Enrolment:
        """Somebody as they are in the course from now on."""
        groups = said.pop("groups")
        person = Person(line=1, **said, groups=None if groups is None else tuple(groups))
        return enrol(actor=self.user, course=course, person=person, takes_roles=takes_roles)


class CoursePerson(People):
    scopes = {"GET": "roster.read", "PUT": "roster.write", "DELETE": "roster.write"}
    http_method_names = ("get", "head", "put", "delete", "options")

    @extend_schema(operation_id="read_person", responses={200: shapes.CoursePerson})
    def get(self, request: Request, course_id: Ref, who: str) -> Response:  # type: ignore[override]
        """Somebody in a course, by user name, or by `ext:` and the number that your institution gave them."""
        return Response(people_told([self.member(course_id, who, Right.READ_WORK)])[0])

    @extend_schema(
        operation_id="put_person",
        request=shapes.PersonFields,
        responses={200: shapes.CoursePerson},
    )
    def put(self, request: Request, course_id: Ref, who: str) -> Response:
        """Bring somebody in, or back, or change what is said of them, their role too; sent twice, it is done once. Of a
        number that nobody has yet, `username` or `email` says who it is."""
        course = self.course(course_id, Right.MANAGE)
        said = self.read(shapes.PersonFields)
        if who.startswith(PREFIX):
            said["external_id"] = who.removeprefix(PREFIX)
            if not said["external_id"]:
                raise Http404("`ext:` is followed by the number that your institution gave somebody.")
            said |= self._account(course, said)
        else:
            said["username"] = who
        return Response(people_told([self.enrolled(course, said, takes_roles=True)])[0])

    @extend_schema(operation_id="drop_person", responses={204: None})
    def delete(self, request: Request, course_id: Ref, who: str) -> Response:
        """Take somebody out of a course. Their work stays, and is theirs again when they come back."""
        drop_member(actor=self.user, enrolment=self.member(course_id, who, Right.MANAGE))
        return Response(status=204)

    def member(self, course_id: Ref, who: str, right: Right) -> Enrolment:
        """Somebody in a course in which the user has that right. Raises Http404."""
        course = self.course(course_id, right)
        if who.startswith(PREFIX):
            return member_numbered(course, who.removeprefix(PREFIX))
        return member_named(course, who)

    def _account(self, course: Course, said: dict[str, Any]) -> dict[str, str]:
        """Whose account it is, where a number is known and nothing else is said."""
        if said["username"] or said["email"]:
            return {}
        return {"username": member_numbered(course, said["external_id"]).user.username}


class Jobs(View):
    scopes = {"GET": None, "POST": None}  # by kind
    of_course = True

    @extend_schema(operation_id="list_jobs", responses={200: paged(shapes.CourseJob)}, parameters=paging.PARAMETERS)
    def get(self, request: Request, course_id: Ref) -> Response:
        """What was asked for in a course that takes longer, the newest first: rosters with `roster.read`, tables of
        grades with `grades.read`."""
        course = self.course(course_id, Right.MANAGE)
        kinds = [kind for kind, scope in JOB_READS.items() if scope in self.key.scopes]
        if not kinds:
            self.require_scope(JOB_READS[Job.Kind.ROSTER])
        rows = jobs_of(course, kinds)
        return paging.page(request, rows, jobs_told, order=paging.Order.NEWEST)

    @extend_schema(operation_id="make_job", request=shapes.NewJob, responses={202: shapes.CourseJob})
    def post(self, request: Request, course_id: Ref) -> Response:
        """Bring in a whole roster, or a table of grades, as people do by file. 202: ask at `Location` what came of it.

        A dry run says what would be done. Otherwise lines with a fault are left out and told, and the rest is done; no
        more people are dropped than `drops` says. A roster takes `roster.write`, a table of grades `grades.write`.
        """
        course = self.course(course_id, Right.MANAGE)
        asked = self.read(shapes.NewJob)
        self.require_scope(JOB_WRITES[asked["kind"]])
        options = {name: asked[name] for name in ("drops_missing", "drops", "is_whole", "reason")}
        job = jobs.make_job(
            actor=self.user, course=course, kind=asked["kind"], text=asked["text"], options=options,
            is_ndjson=asked["format"] == "ndjson", is_dry_run=asked["dry_run"],
        )  # fmt: skip
        address = reverse("api:job", args=[course.public_id, job.public_id])
        return self.answer(jobs_told([job])[0], status=202, location=address)


class CourseJob(View):
    scopes = {"GET": None}  # by kind
    of_course = True

    @extend_schema(operation_id="read_job", responses={200: shapes.CourseJob})
    def get(self, request: Request, course_id: Ref, job_id: UUID) -> Response:
        """How far a job is, and what came of it: with `roster.read` or `grades.read`, as it is about."""
        found: Job | None = job_in(self.course(course_id, Right.MANAGE), job_id)
        if found is None:
            raise Http404("This course has no such job.")
        self.require_scope(JOB_READS[Job.Kind(found.kind)])
        return Response(jobs_told([found])[0])
