"""What the domain refuses, told on a page; a view that has a better place for the sentence catches it itself."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from exercises.refusals import Refused
from frontend.signed_in import PAGES, as_notice, is_fragment
from frontend.typed_form import keep_typed

#: A refusal that is not listed is a plain 422.
STATUS_OF = {
    "throttled": 429,
    "variant-closed": 409,
    "tried-too-often": 409,
    "left-course": 409,
    "problem-broken": 503,
    "nothing-to-draw": 503,
    "set-changed": 409,
    "set-not-ready": 409,
    "report-settled": 409,
    "regrade-refused": 409,
    "course-away": 409,
}
HEADINGS = {
    "throttled": "That was a great deal at once",
    "problem-broken": "This problem has a fault",
    "course-away": "The course is put away",
}


class RefusedMiddleware:
    """Answers with the sentence of a refusal and a way on, and keeps what was typed for a variant or a card."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Django asks this when a view has raised; None leaves every other exception to it."""
        if not isinstance(exception, Refused):
            return None
        matched = request.resolver_match
        # The page with boxes that the form came from, if there is one.
        name = next((name for name in PAGES if matched and name in matched.kwargs), None)
        page = matched.kwargs[name] if matched and name and matched.url_name != "verdict" else None
        status = STATUS_OF.get(exception.code, 422)
        context = {
            "heading": HEADINGS.get(exception.code, "This was not taken"),
            "refused": exception,
            "back": reverse(PAGES[name], args=[page]) if name and page and exception.code != "problem-broken" else "",
            "said": request.POST.get("text", ""),
        }
        if is_fragment(request):
            # What is typed still stands in its boxes. Scripts show no 5xx.
            return as_notice(
                render(request, "frontend/_refused.html", context, status=409 if status >= 500 else status)
            )
        if page and request.method == "POST":
            keep_typed(request.session, str(page), request.POST)
        answer = render(request, "frontend/refused.html", context, status=status)
        if exception.code == "throttled":
            answer["Retry-After"] = "60"
        return answer
