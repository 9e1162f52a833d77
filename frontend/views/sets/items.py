"""The items of a set: a list to put problems in, order and take out, and the pools."""

import uuid
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises import access, catalogue
from exercises.actions.sets import items, pools
from exercises.actions.sets.refusals import SetRefused
from exercises.courses.item_details import ItemError, read_weight, weight_text
from exercises.models import Pool, SetItem
from exercises.queries import set_choices, set_contents, set_learners
from frontend.sets.found import Found, found_to_change
from frontend.signed_in import signed_in
from frontend.typed_number import typed_number

MOST_SEARCHED = 100
STEPS = {"up": -1, "down": 1}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def page(request: HttpRequest, set_id: uuid.UUID) -> HttpResponse:
    """The items in order, and what could be put in."""
    found = found_to_change(request, set_id)
    if request.method == "POST":
        try:
            _do(request, found)
        except SetRefused as refused:
            messages.error(request, refused.message)
        return redirect("frontend:set-items", set_id=found.problem_set.public_id)
    rows = set_contents.item_rows(found.problem_set)
    there = set_contents.pools_of(found.problem_set)
    words = request.GET.get("words", "").strip()[:MOST_SEARCHED]
    skill = request.GET.get("skill", "")
    usable = access.usable_problems(found.enrolment.user)
    candidates = set_choices.candidates(usable, words=words, skill=skill)
    context = found.context(
        rows=[row for row in rows if not row.item.retired],
        taken_out=[row for row in rows if row.item.retired],
        pools=there,
        places=set_contents.places([row.item for row in rows], there),
        begun=set_learners.begun_by(found.problem_set),
        candidates=[(problem, set_choices.skills_of(problem)) for problem in candidates],
        inside={row.item.problem_id for row in rows if not row.item.retired},
        skills=catalogue.skills(),
        words=words,
        skill=skill,
        is_cut=len(candidates) == set_choices.MOST_CANDIDATES,
    )
    return render(request, "frontend/sets/items.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def pool(request: HttpRequest, set_id: uuid.UUID, pk: int | None = None) -> HttpResponse:
    """Make a pool, change it, or take it away."""
    found = found_to_change(request, set_id)
    kept = set_contents.pool_in(found.problem_set, pk) if pk is not None else None
    if pk is not None and kept is None:
        raise Http404("There is no such pool.")
    actor = found.enrolment.user
    if request.method == "POST" and kept is not None and request.POST.get("do") == "drop":
        pools.drop_pool(actor=actor, pool=kept)
        messages.success(request, f"The pool {kept.name} is gone; its items are asked by themselves.")
        return redirect("frontend:set-items", set_id=found.problem_set.public_id)
    form = PoolForm(request.POST if request.method == "POST" else None, kept=kept)
    if form.is_valid():
        try:
            pools.keep_pool(actor=actor, problem_set=found.problem_set, pool=kept, **form.cleaned_data)
            messages.success(request, "The pool is kept. Items are put into it on their own pages.")
            return redirect("frontend:set-items", set_id=found.problem_set.public_id)
        except SetRefused as refused:
            for name, words in (refused.faults or {"": refused.message}).items():
                form.add_error(name or None, words)
    status = 422 if form.errors else 200
    return render(request, "frontend/sets/pool.html", found.context(form=form, pool=kept), status=status)


class PoolForm(forms.Form):
    """A pool: what it is called, how many of its items each learner gets, and what each weighs."""

    name = forms.CharField(max_length=80, label="Name")
    choose = forms.IntegerField(
        min_value=1, max_value=items.MOST_ITEMS, label="Items for each learner",
        widget=forms.TextInput(attrs={"inputmode": "numeric"}), help_text="So many of the pool, chosen by chance.",
    )  # fmt: skip
    weight = forms.CharField(
        max_length=20, label="Weight of each", help_text="The same for all of them, so that the maximum is the same."
    )

    def __init__(self, posted: Any, *, kept: Pool | None) -> None:
        known = {"name": kept.name, "choose": kept.choose, "weight": weight_text(kept.weight)} if kept else {}
        super().__init__(posted, initial=known or {"choose": 1, "weight": "1"}, label_suffix="")

    def clean_weight(self) -> Decimal:
        """The exact weight."""
        try:
            return read_weight(self.cleaned_data["weight"])
        except ItemError as error:
            raise forms.ValidationError(str(error)) from error


def _do(request: HttpRequest, found: Found) -> None:
    actor, do = found.enrolment.user, request.POST.get("do", "")
    if do == "add":
        chosen = list(dict.fromkeys(request.POST.getlist("problem")))[: items.MOST_ITEMS]
        problems = set_choices.chosen_problems(access.usable_problems(actor), chosen)
        made = items.add_items(actor=actor, problem_set=found.problem_set, problems=problems)
        messages.success(request, f"{len(made)} put in, at the end." if len(made) > 1 else "One put in, at the end.")
        return
    item = _item(found, request.POST.get("item", ""))
    if do in STEPS:
        items.move_item(actor=actor, item=item, by=STEPS[do])
    elif do == "out":
        items.take_out_item(actor=actor, item=item)
        messages.success(request, f"{item.problem.title} is out. Whoever has begun keeps it.")
    elif do == "back":
        items.put_back_item(actor=actor, item=item)
        messages.success(request, f"{item.problem.title} is in again.")
    else:
        raise Http404("There is nothing of that name to do.")


def _item(found: Found, said: str) -> SetItem:
    pk = typed_number(said)
    item = None if pk is None else set_contents.item_at(found.problem_set, pk)
    if item is None:
        raise Http404("There is no such item.")
    return item
