"""From a draft to what learners meet: written, looked at, checked, published; and variants that are given no more."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from exercises import access
from exercises.actions import authoring
from exercises.courses.rights import Right
from exercises.models import Course, Problem
from exercises.queries import authoring as queries
from server.api import conditional, paging
from server.api.addresses import Named
from server.api.base import View
from server.api.described import DOCUMENT, ETAG, IF_MATCH, IF_NONE_MATCH, LOCATION
from server.api.paging import paged
from server.api.shapes import problems as shapes
from server.api.telling.problems import check_told, draft_told, preview_told, version_told, withdrawn_told
from server.api.throttles import KeyThrottle, WorkThrottle

OF_COURSE = OpenApiParameter("course", {"type": "string", "format": "uuid"}, description="Of this course of yours.")
TEXT = "The number of a version, or `draft`."


class Draft(View):
    scopes = {"GET": "content.read", "PUT": "content.write", "DELETE": "content.write"}

    @extend_schema(operation_id="read_draft", responses={200: shapes.Draft}, parameters=[ETAG, IF_NONE_MATCH])
    def get(self, request: Request, slug: Named) -> Response:
        """What you are working on in a problem of your own; before there is a draft, what is published."""
        return self.told(self.own_problem(slug))

    @extend_schema(
        operation_id="write_draft",
        request=shapes.DraftText,
        responses={200: shapes.Draft},
        parameters=[IF_MATCH, ETAG],
    )
    def put(self, request: Request, slug: Named) -> Response:
        """Keep any text as the draft, also one that is no problem yet: `faults` says why."""
        problem = self.own_problem(slug)
        revision = self._revision(problem)
        authoring.save_draft(
            author=self.user, problem=problem, source=self.read(shapes.DraftText)["source"], revision=revision
        )
        return self.told(problem)

    @extend_schema(operation_id="discard_draft", responses={400: DOCUMENT, 204: None}, parameters=[IF_MATCH])
    def delete(self, request: Request, slug: Named) -> Response:
        """Give up the draft. What is published stays; a problem that never was goes altogether."""
        problem = self.own_problem(slug)
        authoring.discard_draft(author=self.user, problem=problem, revision=self._revision(problem))
        return Response(status=204)

    def told(self, problem: Problem) -> Response:
        """The draft as it is now."""
        editor = queries.editor_of(problem)
        return self.answer(draft_told(editor), tag=_tag(problem, editor))

    def _revision(self, problem: Problem) -> int | None:
        """The revision that was read and may be written over; None where any may."""
        editor = queries.editor_of(problem)
        return editor.revision if self.require_match(_tag(problem, editor)) else None


class Check(View):
    scopes = {"GET": "content.read", "POST": "content.write"}
    keeps_answers = False  # the worker is told before a transaction around it would end

    @extend_schema(operation_id="read_check", responses={200: shapes.Check})
    def get(self, request: Request, slug: Named) -> Response:
        """How the check of what stands in the draft is, and what it found."""
        return Response(check_told(queries.editor_of(self.own_problem(slug))))

    @extend_schema(
        operation_id="ask_check",
        request=shapes.DraftRevision,
        responses={202: shapes.Check, 412: DOCUMENT},
        parameters=[LOCATION],
    )
    def post(self, request: Request, slug: Named) -> Response:
        """Have the draft checked over 1,000 seeds. 202: ask at `Location` what came of it."""
        problem = self.own_problem(slug)
        revision = self.read(shapes.DraftRevision)["revision"]
        if revision is None:
            revision = queries.editor_of(problem).revision
        authoring.ask_check(author=self.user, problem=problem, revision=revision)
        body = check_told(queries.editor_of(problem))
        return self.answer(body, status=202, location=reverse("api:problem-check", args=[problem.slug]))


class Publish(View):
    scopes = {"POST": "content.write"}
    keeps_answers = False  # a check that takes long is kept, and goes on, also where nothing is published
    throttle_classes = (KeyThrottle, WorkThrottle)

    @extend_schema(
        operation_id="publish_problem",
        request=shapes.Publication,
        responses={200: shapes.ProblemVersionText, 201: shapes.ProblemVersionText, 409: DOCUMENT, 412: DOCUMENT},
        parameters=[LOCATION],
    )
    def post(self, request: Request, slug: Named) -> Response:
        """Make the draft what learners meet: 201, or 200 where this very text was a version already.

        What was not checked yet is checked now. 409 with the reason where it does not pass, and where the check takes
        longer than ten seconds: then it goes on by itself, and you ask at `…/check`.
        """
        problem = self.own_problem(slug)
        said = self.read(shapes.Publication)
        if said["revision"] is None:
            said["revision"] = queries.editor_of(problem).revision
        done = authoring.publish_draft(author=self.user, problem=problem, **said)
        problem.current_id = done.version.pk
        address = reverse("api:problem-version", args=[problem.slug, done.version.number])
        body = version_told(problem, done.version)
        return self.answer(body, status=201 if done.is_new else 200, location=address)


class TextView(View):
    """What those views share that look at a text of a problem."""

    throttle_classes = (KeyThrottle, WorkThrottle)

    def text(self, problem: Problem, said: str) -> str:
        """The text of a version by its number, or of one's own draft. Raises Http404."""
        is_own = problem.owner_id == self.user.pk
        if said == "draft":
            if not is_own:
                raise Http404("Drafts are for their author alone.")
            return queries.editor_of(problem).source
        return queries.version_of(problem, int(said), is_own=is_own).source


class Preview(TextView):
    scopes = {"GET": "content.read"}

    @extend_schema(
        operation_id="preview_problem",
        responses={200: shapes.ProblemPreview},
        parameters=[
            OpenApiParameter("seeds", str, description="Up to six, between commas; 1,2,3 if left out."),
            OpenApiParameter("text", str, description=f"{TEXT} Left out: your draft, and of others what is published."),
        ],
    )
    def get(self, request: Request, slug: Named) -> Response:
        """Variants of some seeds as learners would meet them, with keys, allowances and named mistakes beside them."""
        problem = self.readable_problem(slug)
        asked = self.asked(shapes.PreviewQuery)
        current = str(problem.current.number) if problem.current else "draft"
        said = asked["text"] or ("draft" if problem.owner_id == self.user.pk else current)
        return Response(preview_told(queries.preview(self.text(problem, said), asked["seeds"])))


class Difference(TextView):
    scopes = {"GET": "content.read"}

    @extend_schema(
        operation_id="compare_versions",
        responses={200: shapes.ProblemDifference},
        parameters=[
            OpenApiParameter("old", str, required=True, description=TEXT),
            OpenApiParameter("new", str, required=True, description=TEXT),
        ],
    )
    def get(self, request: Request, slug: Named) -> Response:
        """What is different between two texts of a problem: by meaning, and line by line."""
        problem = self.readable_problem(slug)
        asked = self.asked(shapes.DifferenceQuery)
        found = queries.difference(self.text(problem, asked["old"]), self.text(problem, asked["new"]))
        return Response(shapes.ProblemDifference(found).data)


class Compatibility(TextView):
    scopes = {"GET": "content.read"}

    @extend_schema(
        operation_id="read_compatibility",
        responses={200: shapes.Compatibility},
        parameters=[OpenApiParameter("text", str, required=True, description=f"The other text. {TEXT}")],
    )
    def get(self, request: Request, slug: Named, number: int) -> Response:
        """What it would mean for variants in flight of a version of your own problem to be marked by another text."""
        problem = self.own_problem(slug)
        text = self.text(problem, self.asked(shapes.CompatibilityQuery)["text"])
        version = queries.version_of(problem, number, is_own=True)
        return Response(shapes.Compatibility(queries.compatibility(version, text)).data)


class Withdrawn(View):
    scopes = {"GET": "content.read", "POST": "content.write"}

    @extend_schema(
        operation_id="list_withdrawn",
        responses={200: paged(shapes.WithdrawnVariant)},
        parameters=[*paging.PARAMETERS, OF_COURSE],
    )
    def get(self, request: Request, slug: Named) -> Response:
        """The variants that nobody is given any more, everywhere or in a course of yours, the latest first."""
        problem = self.readable_problem(slug)
        course = self.course_of(self.asked(shapes.WithdrawnQuery))
        rows = queries.withdrawn_in(problem, course)
        return paging.page(request, rows, withdrawn_told, order=paging.Order.NEWEST)

    @extend_schema(operation_id="withdraw_variant", request=shapes.Withdrawal, responses={201: shapes.WithdrawnVariant})
    def post(self, request: Request, slug: Named) -> Response:
        """Draw a variant for nobody any more: everywhere for your own problem, else in a course of yours. What was
        drawn stays. Withdrawn already, it stays so with the reason it has."""
        problem = self.readable_problem(slug)
        said = self.read(shapes.Withdrawal)
        course = self.course_of(said)
        variant = access.readable_variant(self.user, said["variant"]) if said["variant"] else None
        row = authoring.withdraw_variant(
            author=self.user, problem=problem, reason=said["reason"], seed=said["seed"], variant=variant, course=course
        )
        return Response(withdrawn_told([row])[0], status=201)

    def course_of(self, said: dict[str, Any]) -> Course | None:
        """The course that was named, if it is one that the user manages. Raises Http404."""
        return self.course(said["course"], Right.MANAGE) if said["course"] else None


class AWithdrawn(Withdrawn):
    scopes = {"DELETE": "content.write"}
    http_method_names = ("delete", "options")

    @extend_schema(operation_id="restore_variant", responses={400: DOCUMENT, 204: None}, parameters=[OF_COURSE])
    def delete(self, request: Request, slug: Named, digest: str) -> Response:
        """Let a variant be drawn again."""
        course = self.course_of(self.asked(shapes.WithdrawnQuery))
        authoring.restore_variant(author=self.user, problem=self.readable_problem(slug), digest=digest, course=course)
        return Response(status=204)


def _tag(problem: Problem, editor: queries.Editor) -> str:
    return conditional.tag(problem.pk, editor.revision, editor.digest, editor.is_behind)
