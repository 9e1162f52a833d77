"""Problems and sets as files for other systems. They hold keys: for those who teach."""

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from exercises.access import instructor, usable_problems
from exercises.actions.exchange import export_problems, export_set
from exercises.courses.rights import Right
from exercises.exchange.package import Package
from exercises.queries.exchange import exportable_of
from server.api.addresses import Ref
from server.api.base import View
from server.api.described import DOCUMENT
from server.api.files import ZipRenderer, file_answer
from server.api.shapes import exports as shapes
from server.api.throttles import KeyThrottle, WorkThrottle

ANSWERS = {
    (200, "application/zip"): OpenApiResponse(OpenApiTypes.BINARY, description="The file."),
    (200, "application/json"): OpenApiResponse(shapes.ExportReport, description="Of a dry run."),
}


class ExportView(View):
    """What both ways out share."""

    keeps_answers = False  # the answer is a file
    renderer_classes = (JSONRenderer, ZipRenderer)
    throttle_classes = (KeyThrottle, WorkThrottle)

    def told(self, package: Package, *, is_dry: bool) -> Response | HttpResponse:
        """The file, or of a dry run what it would say of itself."""
        if not is_dry:
            return file_answer(self.request, package)
        self.request.accepted_renderer = JSONRenderer()
        report = package.report
        said = {"file": package.name, "heading": report.heading, "notes": report.notes, "entries": report.entries}
        return Response(shapes.ExportReport(said).data)


class ExportProblems(ExportView):
    scopes = {"POST": "content.read"}

    @extend_schema(operation_id="export_problems", request=shapes.ProblemExport, responses={**ANSWERS, 404: DOCUMENT})
    def post(self, request: Request) -> Response | HttpResponse:
        """Problems as one file: the problem files themselves (`own`), or variants of them for Moodle, Canvas or QTI 3.
        The same request gives the same variants."""
        author = instructor(self.user)
        asked = self.read(shapes.ProblemExport)
        slugs = self.slugs_of(asked["problems"])
        problems = exportable_of(author, usable_problems(author), slugs)
        if missing := sorted(set(slugs) - {problem.slug for problem in problems}):
            raise serializers.ValidationError(
                {"problems": [f"You may not use, or there is not: {', '.join(missing)}."]}
            )
        package = export_problems(
            actor=author, problems=problems, form=asked["format"], variants=asked["variants"],
            first_seed=asked["first_seed"],
        )  # fmt: skip
        return self.told(package, is_dry=asked["dry_run"])


class ExportSet(ExportView):
    scopes = {"POST": "content.read"}
    of_course = True

    @extend_schema(operation_id="export_problem_set", request=shapes.SetExport, responses=ANSWERS)
    def post(self, request: Request, set_id: Ref) -> Response | HttpResponse:
        """A set of a course that you manage as one file. The audit trail of the course says that it left."""
        problem_set = self.problem_set(set_id, Right.MANAGE)
        asked = self.read(shapes.SetExport)
        package = export_set(
            actor=self.user, problem_set=problem_set, form=asked["format"], variants=asked["variants"],
            first_seed=asked["first_seed"], is_preview=asked["dry_run"],
        )  # fmt: skip
        return self.told(package, is_dry=asked["dry_run"])
