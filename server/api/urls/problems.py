"""Problems: what there is to practise, and what authors do with them."""

from django.urls import path

from server.api.views import drafts, problems

_PROBLEM = "problems/<named:slug>"

urlpatterns = [
    path("problems", problems.Problems.as_view(), name="problems"),
    path("library", problems.Library.as_view(), name="library"),
    path(_PROBLEM, problems.AProblem.as_view(), name="problem"),
    path(f"{_PROBLEM}/fork", problems.Fork.as_view(), name="problem-fork"),
    path(f"{_PROBLEM}/versions", problems.Versions.as_view(), name="problem-versions"),
    path(f"{_PROBLEM}/versions/<int:number>", problems.AVersion.as_view(), name="problem-version"),
    path(
        f"{_PROBLEM}/versions/<int:number>/compatibility", drafts.Compatibility.as_view(), name="problem-compatibility"
    ),
    path(f"{_PROBLEM}/difference", drafts.Difference.as_view(), name="problem-difference"),
    path(f"{_PROBLEM}/draft", drafts.Draft.as_view(), name="problem-draft"),
    path(f"{_PROBLEM}/check", drafts.Check.as_view(), name="problem-check"),
    path(f"{_PROBLEM}/publish", drafts.Publish.as_view(), name="problem-publish"),
    path(f"{_PROBLEM}/preview", drafts.Preview.as_view(), name="problem-preview"),
    path(f"{_PROBLEM}/withdrawn", drafts.Withdrawn.as_view(), name="problem-withdrawn"),
    path(f"{_PROBLEM}/withdrawn/<slug:digest>", drafts.AWithdrawn.as_view(), name="problem-restored"),
]
