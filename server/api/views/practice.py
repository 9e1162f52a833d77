"""Practising: what there is to practise, variants, answers and verdicts, and how the learner stands."""

from uuid import UUID

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from exercises import access, actions, queries
from exercises.models import Submission
from exercises.scopes import PRACTICE
from server.api import paging
from server.api.base import View
from server.api.described import DOCUMENT, LOCATION
from server.api.paging import paged
from server.api.shapes import practice as shapes
from server.api.telling.practice import past_told, sent_told, skills_told, submission_told, variant_told
from server.api.throttles import KeyThrottle, WorkThrottle
from server.api.waiting import ANSWER_KEY, PREFER, seconds_asked

#: What it takes to read the work of others.
READ_WORK = "attempts.read"


class Problems(View):
    scopes = {"GET": PRACTICE}

    @extend_schema(operation_id="list_problems", responses={200: shapes.Problems})
    def get(self, request: Request) -> Response:
        """All problems in the order of the skill map, and how far you are with each."""
        return Response(shapes.Problems({"results": queries.problem_list(self.user)}).data)


class Variants(View):
    scopes = {"POST": PRACTICE}
    throttle_classes = (KeyThrottle, WorkThrottle)

    @extend_schema(
        operation_id="draw_variant",
        request=shapes.Draw,
        responses={200: shapes.Variant, 201: shapes.Variant},
        parameters=[LOCATION],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Draw a variant: 201, or 200 with one that you drew before and have not begun."""
        wanted = self.read(shapes.Draw)
        after = access.variant_for(self.user, wanted["after"]) if wanted["after"] else None
        variant, is_new = actions.draw_or_find(
            learner=self.user,
            slug=slug,
            after=after,
            way=actions.Way.RECOMMENDED if wanted["skill"] else actions.Way.PRACTICE,
            skill=wanted["skill"],
        )
        headers = {"Location": reverse("api:variant", args=[variant.public_id])}
        return Response(variant_told(variant), status=201 if is_new else 200, headers=headers)


class Variant(View):
    scopes = {"GET": None}

    @extend_schema(operation_id="read_variant", responses={200: shapes.Variant})
    def get(self, request: Request, public_id: UUID) -> Response:
        """A variant: statement, what is asked, and how its steps stand. Your own with `practice`; of those whom you
        teach with `attempts.read`."""
        variant = access.readable_variant(self.user, public_id)
        self.require_scope(PRACTICE if variant.learner_id == self.user.pk else READ_WORK)
        return Response(variant_told(variant))


class Whole(View):
    scopes = {"POST": PRACTICE}
    throttle_classes = (KeyThrottle, WorkThrottle)

    @extend_schema(
        operation_id="ask_whole_variant",
        request=None,
        responses={200: shapes.Variant},
    )
    def post(self, request: Request, public_id: UUID) -> Response:
        """Ask every step of your own variant, also those it left out. What you show from then on counts as done with
        help. Where all are asked already, or the solution was shown, nothing changes."""
        return Response(variant_told(actions.ask_whole(variant=access.variant_for(self.user, public_id))))


class Skills(View):
    scopes = {"GET": PRACTICE}

    @extend_schema(operation_id="list_skills", responses={200: shapes.Skills})
    def get(self, request: Request) -> Response:
        """Where you stand at every skill, in the order of the map: the same that the pages show."""
        return Response(skills_told(queries.standings([self.user])[self.user.pk]))


class Next(View):
    scopes = {"GET": PRACTICE}

    @extend_schema(operation_id="next_exercise", responses={200: shapes.Next})
    def get(self, request: Request) -> Response:
        """The exercise that is best for you now, and why. Draw it by its `problem`, sending its `skill` along."""
        return Response(shapes.Next({"exercise": queries.next_choice(self.user)}).data)


class Answers(View):
    scopes = {"POST": PRACTICE}
    throttle_classes = (KeyThrottle, WorkThrottle)
    keeps_answers = False  # the domain keeps keys of answers, for ever

    @extend_schema(
        operation_id="send_answer",
        request=shapes.Answers,
        responses={200: shapes.Sent, 202: shapes.Sent, 409: DOCUMENT},
        parameters=[ANSWER_KEY, PREFER, LOCATION],
    )
    def post(self, request: Request, public_id: UUID) -> Response:
        """Send typed answers to your own variant.

        202 when the verdict is still to come, at the address in `Location`. 200 when it is there, or when nothing to
        mark could be read. 409 once the solution was shown.
        """
        variant = access.variant_for(self.user, public_id)
        asked = self.read(shapes.Answers)
        sent = actions.send_answer(
            learner=self.user,
            variant=variant,
            answers=asked["answers"],
            checked=asked["check"],
            locale=asked["locale"],
            idempotency_key=request.headers.get("Idempotency-Key", ""),
        )
        if sent.submission is None:
            return Response(sent_told(sent, None))
        sent.submission.variant = variant
        wait = seconds_asked(request)
        verdict = queries.verdict_within(sent.submission, wait) if wait else queries.verdict_of(sent.submission)
        headers = {"Location": reverse("api:submission", args=[sent.submission.public_id])}
        if wait:
            headers["Preference-Applied"] = f"wait={wait}"
        is_pending = sent.submission.state == Submission.State.PENDING
        return Response(sent_told(sent, verdict), status=202 if is_pending else 200, headers=headers)


class ReadSubmission(View):
    scopes = {"GET": None}

    @extend_schema(operation_id="read_submission", responses={200: shapes.Submission})
    def get(self, request: Request, public_id: UUID) -> Response:
        """A submission, with its verdict once there is one. Scopes as for a variant."""
        submission = access.readable_submission(self.user, public_id)
        self.require_scope(PRACTICE if submission.author_id == self.user.pk else READ_WORK)
        return Response(submission_told(submission, queries.verdict_of(submission)))


class History(View):
    scopes = {"GET": PRACTICE}

    @extend_schema(
        operation_id="list_submissions", responses={200: paged(shapes.Submission)}, parameters=paging.PARAMETERS
    )
    def get(self, request: Request) -> Response:
        """Your own submissions in practice, newest first."""
        rows = queries.own_submissions(self.user)
        return paging.page(request, rows, past_told, order=paging.Order.NEWEST)
