"""What an attempt refuses, told to the script of its page or as a page that still shows what was typed."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from exercises import queries
from exercises.actions.sitting.refusals import AttemptOver
from exercises.models import AttemptItem
from exercises.queries.attempt import variants_of
from exercises.refusals import Refused
from frontend.sitting import Posted

#: A refusal that is not listed is a plain 422.
STATUS_OF = {"attempt-over": 409, "page-out-of-date": 409, "no-try-left": 409, "tried-too-often": 409}
HEADINGS = {
    "attempt-over": "This came after the end",
    "page-out-of-date": "This page is out of date",
    "no-try-left": "There is no try to take",
}


def told_in_json(refused: Refused) -> HttpResponse:
    """For the script, which leaves what was typed where it is."""
    told = {"kind": refused.code, "says": refused.message, "kept": isinstance(refused, AttemptOver) and refused.is_kept}
    return JsonResponse(told, status=STATUS_OF.get(refused.code, 422))


def told_on_page(request: HttpRequest, item: AttemptItem, form: Posted, refused: Refused) -> HttpResponse:
    """A page of its own with the sentence, what was typed, and the way back."""
    asks = {field.step: field.ask for field in queries.shown(variants_of(item)[-1]).fields}
    typed = [
        (asks.get(step, step), ", ".join(text) if isinstance(text, list) else text)
        for step, text in form.answers.items()
        if (any(text) if isinstance(text, list) else text)
    ]
    context = {
        "heading": HEADINGS.get(refused.code, "This was not taken"),
        "refused": refused,
        "typed": typed,
        "attempt": item.attempt,
        "item": item,
    }
    return render(request, "frontend/sitting/refused.html", context, status=STATUS_OF.get(refused.code, 422))
