"""How a class does: at skills, with mistakes, at the items of its sets; and where each learner stands."""

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from exercises import access
from exercises.actions.figures import want_figures
from exercises.courses.rights import Right
from exercises.models import Course, ProblemSet
from exercises.queries.statistics import figures_of, item_views
from server.api import paging
from server.api.addresses import Ref
from server.api.paging import paged
from server.api.shapes import statistics as shapes
from server.api.telling.statistics import course_statistics_told, mastery_told, set_statistics_told
from server.api.views.grades import OfGrades

READ = "grades.read"


class CourseStatistics(OfGrades):
    scopes = {"GET": READ, "POST": READ}

    @extend_schema(operation_id="read_course_statistics", responses={200: shapes.CourseStatistics})
    def get(self, request: Request, course_id: Ref) -> Response:
        """How many learners stand where at each skill, and the mistakes they make, as worked out last: counts only."""
        enrolment = self.enrolment(course_id, Right.STATISTICS)
        return self.told(enrolment.course, with_small=access.has_right(enrolment, Right.READ_WORK))

    @extend_schema(operation_id="renew_course_statistics", request=None, responses={202: shapes.CourseStatistics})
    def post(self, request: Request, course_id: Ref) -> Response:
        """Let them be worked out anew. 202: those before are told meanwhile."""
        course = self.course(course_id, Right.READ_WORK)
        want_figures(course=course)
        return self.told(course, with_small=True, status=202)

    def told(self, course: Course, *, with_small: bool, status: int = 200) -> Response:
        """The figures as they are now."""
        return self.answer(course_statistics_told(figures_of(course), with_small=with_small), status=status)


class SetStatistics(OfGrades):
    scopes = {"GET": READ, "POST": READ}

    @extend_schema(operation_id="read_set_statistics", responses={200: shapes.SetStatistics})
    def get(self, request: Request, set_id: Ref) -> Response:
        """How the class did at each item of a set, as worked out last: counts only."""
        found, enrolment = self.set_and_enrolment(set_id, Right.STATISTICS)
        return self.told(found, with_small=access.has_right(enrolment, Right.READ_WORK))

    @extend_schema(operation_id="renew_set_statistics", request=None, responses={202: shapes.SetStatistics})
    def post(self, request: Request, set_id: Ref) -> Response:
        """Let them be worked out anew. 202: those before are told meanwhile."""
        found = self.problem_set(set_id, Right.READ_WORK)
        want_figures(course=found.course, problem_set=found)
        return self.told(found, with_small=True, status=202)

    def told(self, found: ProblemSet, *, with_small: bool, status: int = 200) -> Response:
        """The figures as they are now."""
        figures = figures_of(found.course, found)
        body = set_statistics_told(figures, item_views(found, figures), with_small=with_small)
        return self.answer(body, status=status)


class CourseMastery(OfGrades):
    scopes = {"GET": READ}

    @extend_schema(
        operation_id="list_course_mastery",
        responses={200: paged(shapes.LearnerMastery)},
        parameters=[
            *paging.PARAMETERS,
            OpenApiParameter("group", int, description="Only the members of this group."),
            OpenApiParameter("dropped", bool, description="Also those who left."),
        ],
    )
    def get(self, request: Request, course_id: Ref) -> Response:
        """Where each learner of a course stands at every skill: the heat map of the class."""
        course = self.course(course_id, Right.READ_WORK)
        return paging.page(request, self.learners(course), mastery_told)
