"""What was sent in attempts, for those who read learners' work."""

from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from exercises.courses.rights import Right
from exercises.models import Submission
from exercises.queries.attempts import narrowed, submission_in, submissions_in
from server.api import paging
from server.api.addresses import Ref
from server.api.paging import paged
from server.api.shapes import submissions as shapes
from server.api.telling.submissions import sent_answer_told, sent_answers_told
from server.api.views.attempts import READ, OfAttempts

ASKED = [
    *paging.PARAMETERS,
    OpenApiParameter("problem_set", UUID),
    OpenApiParameter("learner", str, description="A user name."),
    OpenApiParameter("problem", str, description="A slug."),
    OpenApiParameter("state", {"type": "string", "enum": Submission.State.values}),
]


class CourseSubmissions(OfAttempts):
    scopes = {"GET": READ}

    @extend_schema(operation_id="list_course_submissions", responses={200: paged(shapes.SentAnswer)}, parameters=ASKED)
    def get(self, request: Request, course_id: Ref) -> Response:
        """What was sent in the attempts of a course, in the order it came, each with the verdict that counts."""
        return self.page(submissions_in(self.course(course_id, Right.READ_WORK)))

    def page(self, rows: QuerySet[Submission]) -> Response:
        """One page of these, narrowed as the query asks."""
        return paging.page(self.request, narrowed(rows, **self.asked(shapes.AskedSubmissions)), sent_answers_told)


class AttemptSubmissions(CourseSubmissions):
    @extend_schema(operation_id="list_attempt_submissions", responses={200: paged(shapes.SentAnswer)}, parameters=ASKED)
    def get(self, request: Request, attempt_id: UUID) -> Response:  # type: ignore[override]
        """What was sent in one attempt, in the order in which it came."""
        found = self.work(attempt_id, Right.READ_WORK)
        return self.page(submissions_in(found.problem_set.course).filter(variant__attempt_item__attempt=found))


class CourseSubmission(OfAttempts):
    scopes = {"GET": READ}

    @extend_schema(operation_id="read_course_submission", responses={200: shapes.SentAnswerWithGradings})
    def get(self, request: Request, course_id: Ref, submission_id: UUID) -> Response:
        """One of them, with every judgement: the first, and those of regrades."""
        found = submission_in(self.course(course_id, Right.READ_WORK), submission_id)
        if found is None:
            raise Http404("Nothing of that id was sent in this course.")
        return self.answer(sent_answer_told(found))
