"""The items of an attempt: shown, saved, tried, with hints, and what was set aside."""

import re
from typing import Any
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from exercises import access, queries
from exercises.actions.fault_report import report_fault
from exercises.actions.sitting.check import another_variant, check_item, take_attempt_hint
from exercises.actions.sitting.save import leave_aside, save_answers, take_up
from exercises.actions.sitting.standing import standing_of
from exercises.models import AttemptItem, Submission, Variant
from exercises.queries.attempt import places_in, variants_of
from exercises.queries.staff import own_reports
from exercises.scopes import PRACTICE
from server.api.described import DOCUMENT, ETAG, IF_MATCH, LOCATION
from server.api.errors import MatchWanted, SetAside
from server.api.shapes import attempts as shapes
from server.api.shapes.faults import OwnReport, OwnReports
from server.api.telling.attempts import checked_told, item_told, saved_tag, saved_told
from server.api.views.attempts import OfAttempts
from server.api.waiting import ANSWER_KEY, PREFER, seconds_asked

_TAG = re.compile(r'"([0-9a-f-]{36})\.(\d{1,9})"')


class OfItem(OfAttempts):
    """What is about one item of one's own attempt."""

    def item_and_variant(self, attempt_id: UUID, position: int) -> tuple[AttemptItem, Variant]:
        """The user's own place and the variant that is open there. Raises Http404."""
        found = self.own_attempt_item(attempt_id, position)
        return found, variants_of(found)[-1]

    def told(  # type: ignore[override]
        self, item: AttemptItem, *, wanted: UUID | None = None, is_staff: bool = False, status: int = 200
    ) -> Response:
        """An item as it stands now; an earlier variant of it only once results may be told."""
        standing = standing_of(item.attempt)
        tells = is_staff or standing.tells
        rows = places_in(item.attempt, standing.rules, tells=tells)
        row = next(each for each in rows if each.position == item.position)
        variant = next((one for one in row.variants if one.public_id == wanted), row.variant)
        if wanted not in (None, row.variant.public_id) and not (tells and variant.public_id == wanted):
            raise Http404("There is no such variant to look back at.")
        body = item_told(row, variant, standing, tells=tells, solves=is_staff or standing.solves)
        return self.answer(body, status=status)


class AnItem(OfItem):
    scopes = {"GET": None}

    @extend_schema(
        operation_id="read_item",
        responses={200: shapes.Item},
        parameters=[
            OpenApiParameter("variant", UUID, description="Look back at an earlier one, once results are told.")
        ],
    )
    def get(self, request: Request, attempt_id: UUID, position: int) -> Response:
        """An item of an attempt: the variant as its learner sees it, what is saved, and what came of what was sent.
        Scopes as for the attempt. A variant of a set for practice is answered as `variants/{id}`."""
        attempt, is_staff = self.seen_attempt(attempt_id)
        wanted = self.asked(shapes.AskedItem)["variant"]
        return self.told(access.attempt_item_in(attempt, position), wanted=wanted, is_staff=is_staff)


class ItemAnswers(OfItem):
    scopes = {"GET": PRACTICE, "PUT": PRACTICE}

    @extend_schema(operation_id="read_saved_answers", responses={200: shapes.SavedAnswers}, parameters=[ETAG])
    def get(self, request: Request, attempt_id: UUID, position: int) -> Response:
        """What stands in the boxes of your item."""
        item, variant = self.item_and_variant(attempt_id, position)
        return self.answer(saved_told(item, variant), tag=saved_tag(item, variant))

    @extend_schema(
        operation_id="save_answers",
        request=shapes.SaveAnswers,
        responses={200: shapes.SavedAnswers, 409: DOCUMENT},
        parameters=[IF_MATCH, ETAG],
    )
    def put(self, request: Request, attempt_id: UUID, position: int) -> Response:
        """Save what stands in the boxes of your item; nothing is marked. `If-Match` is the tag of what you go on from.

        What is older or blank never replaces what is newer: 412 `set-aside`, and it is kept among the `asides` of the
        item. After the end: 409 `attempt-over`, and it is kept as a late draft.
        """
        item, variant = self.item_and_variant(attempt_id, position)
        on_variant, based_on = self._going_on_from(variant)
        asked = self.read(shapes.SaveAnswers)
        saved = save_answers(
            attempt_item=item,
            variant_id=on_variant,
            answers=asked["answers"],
            based_on=based_on,
            locale=asked["locale"],
            page=asked["client"],
        )
        if saved.kind == "aside":
            raise SetAside
        item, variant = self.item_and_variant(attempt_id, position)
        return self.answer(saved_told(item, variant), headers={"ETag": saved_tag(item, variant)})

    def _going_on_from(self, variant: Variant) -> tuple[str, int | None]:
        """Variant and revision that ``If-Match`` names, None for any; what is no tag of ours is older than
        everything."""
        said = self.request.headers.get("If-Match", "").strip()
        if not said:
            raise MatchWanted
        if said == "*":
            return str(variant.public_id), None
        found = _TAG.fullmatch(said)
        return (found[1], int(found[2])) if found else (str(variant.public_id), -1)


class CheckItem(OfItem):
    scopes = {"POST": PRACTICE}
    keeps_answers = False  # the domain keeps keys of answers, for ever

    @extend_schema(
        operation_id="check_item",
        request=shapes.CheckItem,
        responses={200: shapes.CheckedItem, 202: shapes.CheckedItem, 409: DOCUMENT},
        parameters=[ANSWER_KEY, PREFER, LOCATION],
    )
    def post(self, request: Request, attempt_id: UUID, position: int) -> Response:
        """Take a try at an item of a quiz; what was sent is saved as well.

        202 when it will be marked: the item at `Location` says how, as soon as the set tells results. 200 when it is
        marked, or when no try was used. 409 where none can be taken.
        """
        item, _ = self.item_and_variant(attempt_id, position)
        asked = self.read(shapes.CheckItem)
        checked = check_item(
            attempt_item=item,
            variant_id=str(asked["variant"]),
            answers=asked["answers"],
            based_on=asked["revision"],
            locale=asked["locale"],
            page=asked["client"],
            idempotency_key=request.headers.get("Idempotency-Key", ""),
            is_sure=asked["sure"],
        )
        return self._answered(item, checked, seconds_asked(request))

    def _answered(self, item: AttemptItem, checked: Any, wait: int) -> Response:
        variant, submission = variants_of(item)[-1], checked.submission
        headers = {"Location": reverse("api:attempt-item", args=[item.attempt.public_id, item.position])}
        if submission is None:
            return self.answer(checked_told(checked, variant, None), headers=headers)
        verdict = queries.verdict_within(submission, wait) if wait else queries.verdict_of(submission)
        if wait:
            headers["Preference-Applied"] = f"wait={wait}"
        told = verdict if standing_of(item.attempt).tells else None
        status = 202 if submission.state == Submission.State.PENDING else 200
        return self.answer(checked_told(checked, variant, told), status=status, headers=headers)


class ItemVariants(OfItem):
    scopes = {"POST": PRACTICE}

    @extend_schema(
        operation_id="draw_item_variant",
        request=shapes.AfterVariant,
        responses={200: shapes.Item, 409: DOCUMENT},
    )
    def post(self, request: Request, attempt_id: UUID, position: int) -> Response:
        """Another variant of an item, where the set has one for each try, or is for practice."""
        item, _ = self.item_and_variant(attempt_id, position)
        another_variant(attempt_item=item, after=str(self.read(shapes.AfterVariant)["after"]))
        return self.told(self.own_attempt_item(attempt_id, position))


class ItemHints(OfItem):
    scopes = {"POST": PRACTICE}

    @extend_schema(
        operation_id="take_item_hint",
        request=shapes.AskHint,
        responses={200: shapes.GivenHint, 409: DOCUMENT},
    )
    def post(self, request: Request, attempt_id: UUID, position: int) -> Response:
        """The next hint of a step, where the set has hints. Those that you took are told with the item."""
        item, _ = self.item_and_variant(attempt_id, position)
        asked = self.read(shapes.AskHint)
        variant = str(asked.pop("variant"))
        return self.answer(shapes.GivenHint(take_attempt_hint(attempt_item=item, variant_id=variant, **asked)).data)


class ItemAside(OfItem):
    scopes = {"POST": PRACTICE}

    @extend_schema(
        operation_id="deal_with_aside",
        request=shapes.DealAside,
        responses={200: shapes.Item, 409: DOCUMENT},
    )
    def post(self, request: Request, attempt_id: UUID, position: int, aside: int) -> Response:
        """Take up what was set aside, or leave it."""
        item, _ = self.item_and_variant(attempt_id, position)
        if self.read(shapes.DealAside)["take_up"]:
            take_up(attempt_item=item, aside=aside)
        else:
            leave_aside(attempt_item=item, aside=aside)
        return self.told(item)


class ItemReports(OfItem):
    scopes = {"GET": PRACTICE, "POST": PRACTICE}

    @extend_schema(operation_id="list_item_reports", responses={200: OwnReports})
    def get(self, request: Request, attempt_id: UUID, position: int) -> Response:
        """What you reported as wrong about an item, with the replies."""
        _, variant = self.item_and_variant(attempt_id, position)
        return self.answer(OwnReports({"results": own_reports(self.user, variant)}).data)

    @extend_schema(operation_id="report_item", request=shapes.TellFault, responses={201: OwnReport})
    def post(self, request: Request, attempt_id: UUID, position: int) -> Response:
        """Say that something is wrong with an item; the attempt goes on."""
        _, variant = self.item_and_variant(attempt_id, position)
        made = report_fault(learner=self.user, variant=variant, text=self.read(shapes.TellFault)["text"])
        return self.answer(OwnReport(made).data, status=201)
