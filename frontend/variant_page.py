"""The page of one variant: everything its templates are given, in a bounded number of queries."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from exercises import queries
from exercises.actions.typed import Answers
from exercises.figures import draw, has_content
from exercises.loading import problem_of
from exercises.models import Submission, Variant
from exercises.queries import Past, Standing
from exercises.queries.attempt import place_of
from frontend.done import Done, Risen, done_of, is_of_session, risen_by
from frontend.marks import MarkView, announcement, mark_view, share_words
from frontend.signed_in import is_fragment, reader
from frontend.solution import solution_of
from frontend.typed_form import keep_typed, take_typed, typed_answers
from frontend.typeset import spoken, typeset_inline, without_turns
from frontend.workbench import StepView, step_views
from grader.verdict import Mark
from grader.wording import Field

LOCALES = ("en", "de")


@dataclass(frozen=True)
class Line:
    """What one earlier answer said at one step."""

    ask: str
    typed: str  # HTML where options were chosen
    mark: MarkView | None


@dataclass(frozen=True)
class Sent:
    """One earlier answer: when, how it stands, and its lines."""

    at: dt.datetime
    state: str
    score: str
    lines: tuple[Line, ...]


def page_context(
    request: HttpRequest,
    variant: Variant,
    *,
    notice: str = "",
    typed: Answers | None = None,
    announced: uuid.UUID | None = None,
    sent_now: Collection[str] = (),
) -> dict[str, Any]:
    """What the page of a variant shows. Six queries, nine once it is done, one more in a set.

    ``typed`` is what the boxes hold, else what was typed last. ``announced`` is the answer whose verdict is news,
    ``sent_now`` the steps that were just sent: what cannot be read of them is news too.
    """
    problem = problem_of(variant)
    shown = queries.shown(variant)
    standings = queries.marks_of(variant)
    past = queries.history(variant)
    kept = {} if typed is not None else take_typed(request.session, str(variant.public_id), problem)
    locale = locale_of(request)
    boxes = {**variant.draft, **(typed or {}), **kept}
    steps = _steps(variant, shown.fields, standings=standings, past=past, typed=boxes, locale=locale)
    done = None if variant.is_closed else done_of(problem, standings)
    risen = risen_by(variant, reader(request), {sent.submission.created_at for sent in past}) if done else []
    news = _news(past, announced, steps, sent_now)
    return {
        **_given(variant, shown, standings),
        **_finished(variant, done, risen),
        **_place(variant),
        "steps": steps,
        "has_boxes": any(step.boxes for step in steps),
        "answers_so_far": [sent_view(sent, shown.fields) for sent in past],
        "pending": next((sent.submission for sent in past if sent.submission.state == Submission.State.PENDING), None),
        "notice": notice,
        "typed_was_kept": not variant.is_closed and _is_news(kept, variant.draft),
        "announcement": _with_done(news, done, risen),
        "verdict_title": news.partition(".")[0],
        "form_key": uuid.uuid4().hex,
        "locale": locale,
    }


def _steps(
    variant: Variant,
    fields: list[Field],
    *,
    standings: Mapping[str, Standing],
    past: list[Past],
    typed: Answers,
    locale: str,
) -> tuple[StepView, ...]:
    return step_views(
        variant,
        fields,
        standings=standings,
        blanks=blanks_of(past, optional={field.step for field in fields if field.optional}),
        typed=typed,
        judged=judged_of(past),
        hints_taken=queries.hints_taken(variant),
        locale=locale,
        is_over=variant.is_closed,
    )


def _given(variant: Variant, shown: queries.Shown, standings: Mapping[str, Standing]) -> dict[str, Any]:
    """What stands beside the answers: the statement, the figure, the forecast, and the solution once it is shown."""
    figure = queries.figure_of(variant, standings)
    return {
        "variant": variant,
        "shown": shown,
        "figure": draw(figure.kind, figure.data) if figure and has_content(figure.kind, figure.data) else None,
        "solution": solution_of(variant),
        "forecast": queries.forecast_of(variant) if shown.forecast else None,
    }


def _finished(variant: Variant, done: Done | None, risen: list[Risen]) -> dict[str, Any]:
    """What is said once every step that counts is right. One query then."""
    return {"done": done, "risen": risen, "is_of_session": done is not None and is_of_session(variant)}


def _place(variant: Variant) -> dict[str, Any]:
    """Where it stands in a set for practice, to which one goes back. One query then, none in free practice."""
    place = place_of(variant)
    return {"place": place, "place_words": f"Item {place.position}" if place else ""}


def _with_done(news: str, done: Done | None, risen: list[Risen]) -> str:
    return " ".join([news, done.title, *(f"{each.words}." for each in risen)]) if news and done else news


def locale_of(request: HttpRequest) -> str:
    """The language whose decimal sign this person writes: chosen in the form, remembered in the session."""
    chosen = request.POST.get("locale", "")
    if chosen in LOCALES:
        if request.session.get("locale", LOCALES[0]) != chosen:
            request.session["locale"] = chosen
        return chosen
    return str(request.session.get("locale", LOCALES[0]))


def shown_again(
    request: HttpRequest, found: Variant, *, notice: str = "", step: str = "", announcement: str = ""
) -> HttpResponse:
    """The workbench again for a script, else the page, with what was typed still in its boxes."""
    if is_fragment(request):
        typed = typed_answers(request.POST, problem_of(found))
        context = page_context(request, found, notice=notice, typed=typed)
        return render(request, "frontend/_workbench_news.html", {**context, "announcement": announcement or notice})
    keep_typed(request.session, str(found.public_id), request.POST)
    if notice:
        messages.error(request, notice)
    address = reverse("frontend:variant", kwargs={"public_id": found.public_id})
    return redirect(f"{address}#step-{step}" if step else address)


def blanks_of(past: list[Past], *, optional: set[str]) -> dict[str, Mark]:
    """The steps that count, that the last marked answer was asked for, and that it left out."""
    last = next((sent.verdict for sent in past if sent.verdict is not None), None)
    marks = last.marks if last else ()
    return {mark.step: mark for mark in marks if mark.outcome == "blank" and mark.step not in optional}


def judged_of(past: list[Past]) -> Answers:
    """What was typed at each step when it was marked last."""
    found: Answers = {}
    for sent in past:
        for mark in sent.verdict.marks if sent.verdict else ():
            if mark.outcome not in ("blank", "unreadable") and mark.step in sent.submission.answers:
                found.setdefault(mark.step, sent.submission.answers[mark.step])
    return found


def _news(past: list[Past], announced: uuid.UUID | None, steps: tuple[StepView, ...], sent_now: Collection[str]) -> str:
    """The verdict on the answer just sent, in words, and what of it could not be read."""
    by_name = {step.name: step for step in steps}
    sent = next((sent for sent in past if sent.submission.public_id == announced), None)
    words = []
    if sent is not None and sent.verdict is not None:
        marks = [(by_name[mark.step], mark) for mark in sent.verdict.marks if mark.step in by_name]
        words.append(
            announcement(
                (step.field.ask, mark_view(mark))
                for step, mark in marks
                if mark.outcome != "blank" or not step.field.optional
            )
        )
    elif sent is not None:
        is_pending = sent.submission.state == Submission.State.PENDING
        words.append(
            "Received, not marked yet." if is_pending else "This answer could not be marked. It costs nothing."
        )
    unread = [by_name[name] for name in sent_now if name in by_name and by_name[name].reading.status == "unreadable"]
    words += [f"{spoken(step.field.ask)}: could not be read. {step.reading.message}" for step in unread]
    return " ".join(words)


def _is_news(kept: Answers, sent: Answers) -> bool:
    """Whether something was typed that was not sent yet."""
    return any(
        typed != sent.get(step) and (_is_filled(typed) or _is_filled(sent.get(step))) for step, typed in kept.items()
    )


def sent_view(past: Past, fields: list[Field]) -> Sent:
    marks: Mapping[str, Mark] = {mark.step: mark for mark in past.verdict.marks} if past.verdict else {}
    answers = past.submission.answers
    lines = tuple(
        Line(
            field.ask, _typed(answers[field.step], field), mark_view(marks[field.step]) if field.step in marks else None
        )
        for field in fields
        if _is_filled(answers.get(field.step))
    )
    score = share_words(past.verdict.score) if past.verdict else ""
    return Sent(past.submission.created_at, past.submission.state, score, lines)


def _is_filled(typed: str | list[str] | None) -> bool:
    return any(typed) if isinstance(typed, list) else bool(typed)


def _typed(typed: str | list[str], field: Field) -> str:
    names = dict(field.options)
    texts = typed if isinstance(typed, list) else [typed]
    if names:
        return typeset_inline("; ".join(names.get(text, text) for text in texts))
    return ", ".join(without_turns(text) or "–" for text in texts)
