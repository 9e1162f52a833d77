"""The page that says how an answer may be typed."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from frontend.guide import chapters


@require_safe
def answers(request: HttpRequest) -> HttpResponse:
    """For everybody, signed in or not. No query."""
    return render(request, "frontend/guide.html", {"chapters": chapters()})
