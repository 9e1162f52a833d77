"""What learners report as faulty."""

from django.urls import path

from server.api.views import faults as views

urlpatterns = [
    path("fault-reports", views.FaultReports.as_view(), name="fault-reports"),
    path("fault-reports/<int:report_id>", views.AFaultReport.as_view(), name="fault-report"),
]
