"""Problem sets: made, changed, ordered, copied, published, released; and what holds in them for whom."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from exercises.access import require_right
from exercises.actions.external_ids import put_named
from exercises.actions.sets import copying, editing, publishing
from exercises.course_rules import rules_of
from exercises.courses.rights import Right
from exercises.courses.set_details import SetDetails
from exercises.models import Course, Enrolment, ExternalId, ProblemSet
from exercises.queries.set_contents import count_places
from exercises.queries.set_obstacles import obstacles
from exercises.queries.sets import there_are, visible_to
from exercises.set_rows import details_of
from server.api import conditional, paging
from server.api.addresses import External, Ref
from server.api.base import View
from server.api.described import DOCUMENT, ETAG, IF_MATCH, IF_NONE_MATCH, LOCATION
from server.api.members import sitting_member
from server.api.paging import paged
from server.api.shapes import problem_sets as shapes
from server.api.telling.problem_sets import is_staff, set_rules_told, set_told, sets_told

LEARNER = OpenApiParameter(
    "learner", str, description="For staff: whose, by user name, or by `ext:` and their number. Left out: your own."
)


class SetView(View):
    """What those views share that answer with one set."""

    of_course = True

    def told(self, problem_set: ProblemSet, enrolment: Enrolment, *, status: int = 200) -> Response:
        """A set as it was found or left, with its tag and address."""
        body = set_told(enrolment, problem_set)
        location = reverse("api:problem-set", args=[problem_set.public_id]) if status == 201 else None
        return self.answer(body, tag=conditional.tag(body), status=status, location=location)

    def found_again(self, problem_set: ProblemSet, *, status: int = 200) -> Response:
        """A set as it is now, after it was written."""
        return self.told(*self.set_and_enrolment(problem_set.public_id, Right.VIEW), status=status)


class ProblemSets(SetView):
    scopes = {"GET": "content.read", "POST": "content.write"}

    @extend_schema(
        operation_id="list_problem_sets",
        responses={200: paged(shapes.CourseSet)},
        parameters=paging.PARAMETERS_SINCE,
    )
    def get(self, request: Request, course_id: Ref) -> Response:
        """The sets of a course: for staff all of them, drafts too; for others those that they may see, as they hold for
        them. What an extension changes for somebody does not count as written."""
        enrolment = self.enrolment(course_id, Right.VIEW)
        staff = there_are(enrolment.course).prefetch_related("groups")
        rows = staff if is_staff(enrolment) else visible_to(enrolment)
        return paging.page(request, rows, partial(sets_told, enrolment), order=paging.Order.TOUCHED)

    @extend_schema(
        operation_id="make_problem_set",
        request=shapes.ProblemSetFields,
        responses={201: shapes.CourseSet},
        parameters=[LOCATION, ETAG],
    )
    def post(self, request: Request, course_id: Ref) -> Response:
        """Make a set without items at the end of the list. Nobody sees it until it is published."""
        course = self.course(course_id, Right.MANAGE)
        details, groups = _details(self.read(shapes.ProblemSetFields))
        made = editing.create_set(actor=self.user, course=course, details=details, groups=groups)
        return self.found_again(made, status=201)


class NamedSet(SetView):
    scopes = {"PUT": "content.write"}

    @extend_schema(
        operation_id="put_problem_set",
        request=shapes.ProblemSetFields,
        responses={200: shapes.CourseSet, 201: shapes.CourseSet},
        parameters=[LOCATION, ETAG],
    )
    def put(self, request: Request, course_id: Ref, set_id: Ref) -> Response:
        """Make the set of that external id in a course, or change it to be just so. Only by an external id: `ext:…`."""
        course = self.course(course_id, Right.MANAGE)
        if not isinstance(set_id, External):
            raise Http404("PUT takes an external id, such as ext:quiz-1; change a set by its id with PATCH.")
        details, groups = _details(self.read(shapes.ProblemSetFields))
        problem_set, is_new = put_named(
            owner=self.user,
            kind=ExternalId.Kind.PROBLEM_SET,
            external_id=set_id.id,
            make=lambda: editing.create_set(actor=self.user, course=course, details=details, groups=groups),
            change=lambda _: editing.edit_set(
                actor=self.user, problem_set=self._in(course, set_id), revision=None, details=details, groups=groups
            ),
        )
        return self.found_again(problem_set, status=201 if is_new else 200)

    def _in(self, course: Course, set_id: External) -> ProblemSet:
        """The set of that name, which must be in that very course. Raises Http404."""
        found = self.problem_set(set_id, Right.MANAGE)
        if found.course_id != course.pk:
            raise Http404("The set that you call so is in another course.")
        return found


class AProblemSet(SetView):
    scopes = {"GET": "content.read", "PATCH": "content.write", "DELETE": "content.write"}

    @extend_schema(operation_id="read_problem_set", responses={200: shapes.CourseSet}, parameters=[ETAG, IF_NONE_MATCH])
    def get(self, request: Request, set_id: Ref) -> Response:
        """A set as you may see it."""
        return self.told(*self.set_and_enrolment(set_id, Right.VIEW))

    @extend_schema(
        operation_id="change_problem_set",
        request=shapes.ProblemSetFields(partial=True),
        responses={200: shapes.CourseSet},
        parameters=[IF_MATCH, ETAG],
    )
    def patch(self, request: Request, set_id: Ref) -> Response:
        """Change what is sent. Attempts that go on follow at once."""
        problem_set, is_guarded = self._guarded(set_id)
        asked = self.read(shapes.ProblemSetFields, partial=True)
        groups = asked.pop("groups", None)
        if groups is None:
            groups = [group.pk for group in problem_set.groups.all()]
        details, _ = _details({**vars(details_of(problem_set)), **asked, "groups": []})
        revision = problem_set.revision if is_guarded else None
        editing.edit_set(actor=self.user, problem_set=problem_set, revision=revision, details=details, groups=groups)
        return self.found_again(problem_set)

    @extend_schema(operation_id="retire_problem_set", responses={400: DOCUMENT, 204: None}, parameters=[IF_MATCH])
    def delete(self, request: Request, set_id: Ref) -> Response:
        """Take a set away: it is in no list, and nobody begins it any more. What was done in it stays."""
        problem_set, is_guarded = self._guarded(set_id)
        revision = problem_set.revision if is_guarded else None
        editing.retire_set(actor=self.user, problem_set=problem_set, revision=revision)
        return Response(status=204)

    def _guarded(self, set_id: Ref) -> tuple[ProblemSet, bool]:
        """The set that is to be changed, and whether only as it was read."""
        problem_set, enrolment = self.set_and_enrolment(set_id, Right.MANAGE)
        return problem_set, self.require_match(conditional.tag(set_told(enrolment, problem_set)))


class CopySet(SetView):
    scopes = {"POST": "content.write"}

    @extend_schema(
        operation_id="copy_problem_set",
        request=shapes.SetCopy,
        responses={201: shapes.CopiedSet},
        parameters=[LOCATION],
    )
    def post(self, request: Request, set_id: Ref) -> Response:
        """Copy a set as a draft, within its course or into another one of yours: rules, items and pools, no work. Into
        another course it comes without its times, and without problems that you could not put in there."""
        problem_set = self.problem_set(set_id, Right.MANAGE)
        asked = self.read(shapes.SetCopy)
        into = self.course(asked["course"], Right.MANAGE) if asked["course"] else problem_set.course
        done = copying.copy_set(actor=self.user, problem_set=problem_set, into=into, title=asked["title"])
        made, enrolment = self.set_and_enrolment(done.problem_set.public_id, Right.VIEW)
        body = {"problem_set": set_told(enrolment, made), "left_behind": done.left_behind}
        return self.answer(body, status=201, location=reverse("api:problem-set", args=[made.public_id]))


class MoveSet(SetView):
    scopes = {"POST": "content.write"}

    @extend_schema(operation_id="move_problem_set", request=shapes.Move, responses={204: None})
    def post(self, request: Request, set_id: Ref) -> Response:
        """Move a set in the list of its course, not past the ends."""
        problem_set = self.problem_set(set_id, Right.MANAGE)
        editing.move_set(actor=self.user, problem_set=problem_set, by=self.read(shapes.Move)["by"])
        return Response(status=204)


class Publish(SetView):
    scopes = {"GET": "content.read", "POST": "content.write", "DELETE": "content.write"}
    keeps_answers = False  # what is not ready has its checks asked for all the same; done twice it is done once

    @extend_schema(operation_id="read_set_state", responses={200: shapes.SetState})
    def get(self, request: Request, set_id: Ref) -> Response:
        """Whether a set is published and released, and what stands in the way."""
        return self._state(self.problem_set(set_id, Right.READ_WORK))

    @extend_schema(
        operation_id="publish_problem_set", request=None, responses={400: DOCUMENT, 200: shapes.SetState, 409: DOCUMENT}
    )
    def post(self, request: Request, set_id: Ref) -> Response:
        """Let learners see a set. 409 with every reason against it."""
        return self._done(publishing.publish_set, set_id)

    @extend_schema(operation_id="take_back_problem_set", responses={400: DOCUMENT, 200: shapes.SetState})
    def delete(self, request: Request, set_id: Ref) -> Response:
        """Make a published set a draft again, until a learner has begun it."""
        return self._done(publishing.take_back_set, set_id)

    def _done(self, deed: Callable[..., ProblemSet], set_id: Ref) -> Response:
        return self._state(deed(actor=self.user, problem_set=self.problem_set(set_id, Right.MANAGE)))

    def _state(self, problem_set: ProblemSet) -> Response:
        said: dict[str, Any] = {name: getattr(problem_set, name) for name in ("published_at", "released_at")}
        return Response(shapes.SetState({**said, "obstacles": obstacles(problem_set)}).data)


class Release(Publish):
    scopes = {"POST": "grades.write", "DELETE": "grades.write"}
    http_method_names = ("post", "delete", "options")
    keeps_answers = True

    @extend_schema(operation_id="release_results", request=None, responses={400: DOCUMENT, 200: shapes.SetState})
    def post(self, request: Request, set_id: Ref) -> Response:
        """Let those who are done see how they did, in a set whose feedback waits for it."""
        return self._done(publishing.release_results, set_id)

    @extend_schema(operation_id="withhold_results", responses={400: DOCUMENT, 200: shapes.SetState})
    def delete(self, request: Request, set_id: Ref) -> Response:
        """Take a release back. What was seen meanwhile cannot be unseen."""
        return self._done(publishing.withhold_results, set_id)


class Rules(SetView):
    scopes = {"GET": "content.read"}

    @extend_schema(operation_id="read_set_rules", responses={200: shapes.SetRules}, parameters=[LEARNER])
    def get(self, request: Request, set_id: Ref) -> Response:
        """What holds in a set for you, or for one learner of yours, in data and in the words that they read: times,
        limit and tries with every extension and time factor worked in."""
        problem_set, enrolment = self.set_and_enrolment(set_id, Right.VIEW)
        said = request.query_params.get("learner", "")
        if said:
            require_right(enrolment, Right.READ_WORK)
            enrolment = sitting_member(problem_set.course, said)
        return Response(set_rules_told(enrolment, rules_of(problem_set, enrolment), count_places(problem_set)))


def _details(said: dict[str, Any]) -> tuple[SetDetails, list[int]]:
    """What was sent, as the action takes it, and the groups that the set is for."""
    values = {name: value for name, value in said.items() if name != "groups"}
    details = SetDetails(**values)
    return replace(details, credits=tuple(details.credits), late=tuple(details.late)), said["groups"]
