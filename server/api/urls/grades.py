"""Grades, decisions about them, what was sent, and regrades."""

from django.urls import path

from server.api.views import decisions, grades, regrades, submissions

_COURSE = "courses/<ref:course_id>"
_SET = "problem-sets/<ref:set_id>"
_REGRADE = f"{_COURSE}/regrades/<uuid:regrade_id>"

urlpatterns = [
    path(f"{_COURSE}/grades", grades.CourseGrades.as_view(), name="course-grades"),
    path(f"{_SET}/grades", grades.SetGrades.as_view(), name="set-grades"),
    path(f"{_SET}/granted-attempts", grades.GrantAttempts.as_view(), name="granted-attempts"),
    path("attempts/<uuid:attempt_id>/count-as", grades.CountAs.as_view(), name="attempt-count-as"),
    path(f"{_SET}/overrides", decisions.Overrides.as_view(), name="overrides"),
    path(
        f"{_SET}/overrides/<int:override_id>/withdraw", decisions.WithdrawOverride.as_view(), name="override-withdraw"
    ),
    path(f"{_SET}/rulings", decisions.Rulings.as_view(), name="rulings"),
    path(f"{_SET}/rulings/<int:ruling_id>/withdraw", decisions.WithdrawRuling.as_view(), name="ruling-withdraw"),
    path(f"{_COURSE}/submissions", submissions.CourseSubmissions.as_view(), name="course-submissions"),
    path(
        f"{_COURSE}/submissions/<uuid:submission_id>", submissions.CourseSubmission.as_view(), name="course-submission"
    ),
    path(
        "attempts/<uuid:attempt_id>/submissions", submissions.AttemptSubmissions.as_view(), name="attempt-submissions"
    ),
    path(f"{_COURSE}/regrades", regrades.Regrades.as_view(), name="regrades"),
    path(_REGRADE, regrades.ARegrade.as_view(), name="regrade"),
    path(f"{_REGRADE}/moves", regrades.Moves.as_view(), name="regrade-moves"),
    path(f"{_REGRADE}/apply", regrades.Apply.as_view(), name="regrade-apply"),
    path(f"{_REGRADE}/undo", regrades.Undo.as_view(), name="regrade-undo"),
    path(f"{_REGRADE}/drop", regrades.Drop.as_view(), name="regrade-drop"),
]
