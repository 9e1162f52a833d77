"""Problems as their authors have them: what may be used, what is one's own, and every version of it."""

from functools import partial
from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from exercises import access
from exercises.actions import authoring
from exercises.actions.external_ids import put_named
from exercises.models import ExternalId, Problem
from exercises.queries import authoring as queries
from server.api import conditional, paging
from server.api.addresses import External, Named
from server.api.base import View
from server.api.described import DOCUMENT, ETAG, IF_MATCH, IF_NONE_MATCH, LOCATION
from server.api.paging import paged
from server.api.shapes import problems as shapes
from server.api.telling.problems import problem_told, problems_told, version_told, versions_told
from server.api.views.practice import Problems as PracticeProblems

MINE = OpenApiParameter("mine", bool, description="Only your own, also those that are put away.")
ABOUT = OpenApiParameter("q", str, description="Words in title, summary, slug or skills.")


class AskedLibrary(serializers.Serializer):
    mine = serializers.BooleanField(required=False, default=False)
    q = serializers.CharField(required=False, default="", allow_blank=True, max_length=100)


class ProblemView(View):
    """What those views share that answer with one problem."""

    def told(self, slug: str, *, status: int = 200) -> Response:
        """A problem as it is now, with its tag and address."""
        problem = access.readable_problem(self.user, slug)
        body = self.body(problem)
        location = reverse("api:problem", args=[problem.slug]) if status == 201 else None
        return self.answer(body, tag=conditional.tag(body), status=status, location=location)

    def body(self, problem: Problem) -> dict[str, Any]:
        """A problem with its text."""
        has_draft = problem.owner_id == self.user.pk and queries.editor_of(problem).revision > 0
        return problem_told(self.user, problem, has_draft=has_draft)


class Problems(PracticeProblems, ProblemView):
    scopes = {**PracticeProblems.scopes, "POST": "content.write"}

    @extend_schema(
        operation_id="make_problem",
        request=shapes.NewProblem,
        responses={404: DOCUMENT, 201: shapes.AuthoredProblemText},
        parameters=[LOCATION],
    )
    def post(self, request: Request) -> Response:
        """Begin a problem of your own, with a draft that nobody else sees."""
        return self.told(authoring.new_problem(author=self.user, **self.read(shapes.NewProblem)).slug, status=201)


class Library(View):
    scopes = {"GET": "content.read"}

    @extend_schema(
        operation_id="list_library",
        responses={404: DOCUMENT, 200: paged(shapes.AuthoredProblem)},
        parameters=[*paging.PARAMETERS_SINCE, MINE, ABOUT],
    )
    def get(self, request: Request) -> Response:
        """The problems that you may put into sets and fork: built in, shared, and all of your own. A draft that is
        written does not count as a change of its problem."""
        asked = self.asked(AskedLibrary)
        readable = access.readable_problems(access.instructor(self.user))
        rows = queries.library(readable.filter(owner=self.user) if asked["mine"] else readable, text=asked["q"])
        return paging.page(request, rows, partial(problems_told, self.user), order=paging.Order.TOUCHED)


class AProblem(ProblemView):
    scopes = {"GET": "content.read", "PATCH": "content.write", "PUT": "content.write"}

    @extend_schema(
        operation_id="read_problem",
        responses={200: shapes.AuthoredProblemText},
        parameters=[ETAG, IF_NONE_MATCH],
    )
    def get(self, request: Request, slug: Named) -> Response:
        """A problem with its text: your own, shared, or built in."""
        return self.told(self.readable_problem(slug).slug)

    @extend_schema(
        operation_id="change_problem",
        request=shapes.ProblemChange,
        responses={200: shapes.AuthoredProblemText},
        parameters=[IF_MATCH, ETAG],
    )
    def patch(self, request: Request, slug: Named) -> Response:
        """Share your problem or not, name its licence, put it away or take it up again."""
        problem = self.own_problem(slug)
        is_guarded = self.require_match(conditional.tag(self.body(problem)))
        asked = self.read(shapes.ProblemChange, partial=True)
        seen = problem.updated_at if is_guarded else None
        authoring.change_problem(author=self.user, problem=problem, seen=seen, **asked)
        return self.told(problem.slug)

    @extend_schema(
        operation_id="put_problem",
        request=shapes.NamedProblem,
        responses={200: shapes.AuthoredProblemText, 201: shapes.AuthoredProblemText},
        parameters=[LOCATION],
    )
    def put(self, request: Request, slug: Named) -> Response:
        """Make the problem of that external id, or write its draft over. Only by an external id: `ext:…`. What learners
        meet stays until you publish it."""
        if not isinstance(slug, External):
            raise Http404("PUT takes an external id, such as ext:loss-1; write a draft by PUT to …/draft.")
        said = self.read(shapes.NamedProblem)
        problem, is_new = put_named(
            owner=self.user,
            kind=ExternalId.Kind.PROBLEM,
            external_id=slug.id,
            make=lambda: authoring.new_problem(author=self.user, **said),
            change=lambda _: authoring.rewrite_problem(
                author=self.user, problem=self.own_problem(slug), source=said["source"], licence=said.get("licence")
            ),
        )
        return self.told(problem.slug, status=201 if is_new else 200)


class Fork(ProblemView):
    scopes = {"POST": "content.write"}

    @extend_schema(
        operation_id="fork_problem",
        request=shapes.ProblemFork,
        responses={201: shapes.AuthoredProblemText},
        parameters=[LOCATION],
    )
    def post(self, request: Request, slug: Named) -> Response:
        """A problem of your own that begins with what is published of this one, and remembers where it came from."""
        problem = access.usable_problem(access.instructor(self.user), self.slug_of(slug))
        made = authoring.fork_problem(author=self.user, problem=problem, **self.read(shapes.ProblemFork))
        return self.told(made.slug, status=201)


class Versions(View):
    scopes = {"GET": "content.read"}

    @extend_schema(
        operation_id="list_problem_versions",
        responses={200: paged(shapes.ProblemVersion)},
        parameters=paging.PARAMETERS,
    )
    def get(self, request: Request, slug: Named) -> Response:
        """What was published of a problem, the newest first."""
        problem = self.readable_problem(slug)
        rows = queries.published_versions(problem)
        return paging.page(request, rows, partial(versions_told, problem), order=paging.Order.NEWEST)


class AVersion(View):
    scopes = {"GET": "content.read"}

    @extend_schema(operation_id="read_problem_version", responses={200: shapes.ProblemVersionText})
    def get(self, request: Request, slug: Named, number: int) -> Response:
        """One version with its text. Its text never changes."""
        problem = self.readable_problem(slug)
        is_own = problem.owner_id == self.user.pk
        return Response(version_told(problem, queries.version_of(problem, number, is_own=is_own)))
