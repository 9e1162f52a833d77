"""What learners report as faulty: read and settled by those who may read their work."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from exercises import access
from exercises.actions.fault_report import settle_report
from exercises.models import FaultReport
from exercises.queries.staff import all_reports
from server.api import conditional, paging
from server.api.base import View
from server.api.described import ETAG, IF_MATCH
from server.api.paging import paged
from server.api.shapes import faults as shapes


class FaultReports(View):
    scopes = {"GET": "attempts.read"}

    @extend_schema(
        operation_id="list_fault_reports", responses={200: paged(shapes.FaultReport)}, parameters=paging.PARAMETERS
    )
    def get(self, request: Request) -> Response:
        """What learners whose work you may read reported as wrong, the newest first."""
        rows = access.reports_for(self.user, all_reports())
        return paging.page(request, rows, _told, order=paging.Order.NEWEST)


class AFaultReport(View):
    scopes = {"GET": "attempts.read", "PUT": "grades.write"}

    @extend_schema(operation_id="read_fault_report", responses={200: shapes.FaultReport}, parameters=[ETAG])
    def get(self, request: Request, report_id: int) -> Response:
        """One report, with what became of it."""
        return self._answered(self._report(report_id))

    @extend_schema(
        operation_id="settle_fault_report",
        request=shapes.SettleReport,
        responses={200: shapes.FaultReport},
        parameters=[IF_MATCH, ETAG],
    )
    def put(self, request: Request, report_id: int) -> Response:
        """Settle a report with a reply to its learner, or change that reply."""
        found = self._report(report_id)
        self.require_match(_tag(found))
        reply = self.read(shapes.SettleReport)["reply"]
        settle_report(report=found, actor=self.user, reply=reply, seen=found.settled_at)
        return self._answered(self._report(report_id))

    def _report(self, report_id: int) -> FaultReport:
        return access.fault_report_with(self.user, report_id)

    def _answered(self, found: FaultReport) -> Response:
        return self.answer(_told([found])[0], tag=_tag(found))


def _tag(found: FaultReport) -> str:
    return conditional.tag(found.pk, found.settled_at, found.reply)


def _told(rows: list[FaultReport]) -> list[dict[str, object]]:
    return list(shapes.FaultReport(rows, many=True).data)
