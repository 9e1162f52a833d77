"""Addresses of the pages about writing problems, all below /author/."""

from django.urls import path

from frontend.views.authoring import checking, editing, guided, keeping, listing, looking, publishing

urlpatterns = [
    path("", listing.authoring, name="authoring"),
    path("new/", listing.new, name="author-new"),
    path("<slug:slug>/", editing.problem, name="author-problem"),
    path("<slug:slug>/save/", editing.save, name="author-save"),
    path("<slug:slug>/faults/", editing.faults, name="author-faults"),
    path("<slug:slug>/completions/", editing.completions, name="author-completions"),
    path("<slug:slug>/preview/", looking.preview, name="author-preview"),
    path("<slug:slug>/try/", looking.attempt, name="author-try"),
    path("<slug:slug>/check/", checking.check, name="author-check"),
    path("<slug:slug>/publish/", publishing.publish, name="author-publish"),
    path("<slug:slug>/versions/", publishing.versions, name="author-versions"),
    path("<slug:slug>/diff/", publishing.diff, name="author-diff"),
    path("<slug:slug>/fork/", listing.fork, name="author-fork"),
    path("<slug:slug>/guided/", guided.guided, name="author-guided"),
    path("<slug:slug>/withdrawn/", keeping.withdraw, name="author-withdraw"),
    path("<slug:slug>/withdrawn/back/", keeping.restore, name="author-restore"),
    path("<slug:slug>/sharing/", keeping.sharing, name="author-sharing"),
]
