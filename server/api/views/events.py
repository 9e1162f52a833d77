"""What happens in a course: its feed, and the addresses that it is delivered to."""

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from exercises.actions.delivering import signing, webhooks
from exercises.courses.rights import Right
from exercises.courses.xapi import statement_of
from exercises.models import Course, Delivery, Webhook
from exercises.queries import webhooks as hooks
from exercises.queries.events import FeedPage, feed
from server.api import paging
from server.api.addresses import Ref
from server.api.base import View
from server.api.paging import paged
from server.api.shapes import events as shapes

ASKED = [
    OpenApiParameter("after", str, description="The `cursor` of the page before; from the beginning without it."),
    OpenApiParameter("type", str, description="Only these kinds of events, with commas between."),
    OpenApiParameter("limit", {"type": "integer", "minimum": 1, "maximum": 100, "default": 100}),
]


class Events(View):
    scopes = {"GET": "events.read"}
    of_course = True

    @extend_schema(operation_id="list_events", responses={200: shapes.Feed}, parameters=ASKED)
    def get(self, request: Request, course_id: Ref) -> Response:
        """What happened in a course, oldest first, for thirty days. An event is there within seconds."""
        course = self.course(course_id, Right.READ_WORK)
        found = self._feed(course)
        return Response({"results": [signing.told(event) for event in found.events], **self._around(found)})

    def _feed(self, course: Course) -> FeedPage:
        wanted = self.asked(shapes.AskedFeed)
        return feed(course, after=int(wanted["after"]), kinds=wanted["type"], limit=wanted["limit"])

    def _around(self, found: FeedPage) -> dict[str, Any]:
        query = {**self.request.query_params.dict(), "after": str(found.position)}
        here = self.request.build_absolute_uri(self.request.path)
        return {"cursor": str(found.position), "next": None if found.is_end else f"{here}?{urlencode(query)}"}


class Statements(Events):
    @extend_schema(operation_id="list_statements", responses={200: shapes.Statements}, parameters=ASKED)
    def get(self, request: Request, course_id: Ref) -> Response:
        """What learners did in a course, as xAPI statements for a learning record store."""
        course = self.course(course_id, Right.READ_WORK)
        found = self._feed(course)
        home = request.build_absolute_uri("/").rstrip("/")
        told = (statement_of(signing.told(event), home=home, course=str(course.public_id)) for event in found.events)
        return Response({"statements": [one for one in told if one], **self._around(found)})


class Webhooks(View):
    scopes = {"GET": "webhooks.manage", "POST": "webhooks.manage"}
    of_course = True
    keeps_answers = False  # the secret

    @extend_schema(operation_id="list_webhooks", responses={200: shapes.Webhooks})
    def get(self, request: Request, course_id: Ref) -> Response:
        """The addresses that the events of a course are delivered to."""
        course = self.course(course_id, Right.MANAGE)
        return Response(shapes.Webhooks({"results": [row.webhook for row in hooks.webhooks_of(course)]}).data)

    @extend_schema(operation_id="make_webhook", request=shapes.WebhookFields, responses={201: shapes.MadeWebhook})
    def post(self, request: Request, course_id: Ref) -> Response:
        """Have the events of a course delivered to an address, from now on. The secret is told this once."""
        course = self.course(course_id, Right.MANAGE)
        asked = self.read(shapes.WebhookFields)
        made, secret = webhooks.make_webhook(actor=self.user, course=course, url=asked["url"], kinds=asked["types"])
        told = {**shapes.CourseWebhook(made).data, "secret": secret}
        return self.answer(told, status=201, headers={"Cache-Control": "no-store"})


class OfWebhook(View):
    """What is about one webhook of a course."""

    scopes = dict.fromkeys(("GET", "PUT", "POST", "DELETE"), "webhooks.manage")
    of_course = True

    def webhook(self, course_id: Ref, webhook_id: UUID) -> Webhook:
        """The webhook, for whoever manages its course. Raises Http404."""
        found = hooks.webhook_in(self.course(course_id, Right.MANAGE), webhook_id)
        if found is None:
            raise Http404("This course has no such webhook.")
        return found


class AWebhook(OfWebhook):
    @extend_schema(operation_id="read_webhook", responses={200: shapes.CourseWebhook})
    def get(self, request: Request, course_id: Ref, webhook_id: UUID) -> Response:
        """An address that events are delivered to, and how it is with it."""
        return Response(shapes.CourseWebhook(self.webhook(course_id, webhook_id)).data)

    @extend_schema(operation_id="change_webhook", request=shapes.WebhookChange, responses={200: shapes.CourseWebhook})
    def put(self, request: Request, course_id: Ref, webhook_id: UUID) -> Response:
        """Another address, other kinds, paused or going on."""
        webhook = self.webhook(course_id, webhook_id)
        asked = self.read(shapes.WebhookChange)
        changed = webhooks.change_webhook(
            actor=self.user, webhook=webhook, url=asked["url"], kinds=asked["types"], is_paused=asked["is_paused"]
        )
        return Response(shapes.CourseWebhook(changed).data)

    @extend_schema(operation_id="remove_webhook", responses={204: None})
    def delete(self, request: Request, course_id: Ref, webhook_id: UUID) -> Response:
        """Deliver nothing more there."""
        webhooks.remove_webhook(actor=self.user, webhook=self.webhook(course_id, webhook_id))
        return Response(status=204)


class WebhookSecret(OfWebhook):
    keeps_answers = False  # the secret

    @extend_schema(operation_id="rotate_webhook_secret", request=None, responses={200: shapes.Secret})
    def post(self, request: Request, course_id: Ref, webhook_id: UUID) -> Response:
        """A new secret, told this once. For a day deliveries are signed by the old one as well."""
        secret = webhooks.rotate_secret(actor=self.user, webhook=self.webhook(course_id, webhook_id))
        return self.answer({"secret": secret}, headers={"Cache-Control": "no-store"})


class Deliveries(OfWebhook):
    @extend_schema(
        operation_id="list_deliveries", responses={200: paged(shapes.Delivered)}, parameters=paging.PARAMETERS
    )
    def get(self, request: Request, course_id: Ref, webhook_id: UUID) -> Response:
        """What was delivered, or was to be, the newest first."""
        rows = hooks.delivered_to(self.webhook(course_id, webhook_id))
        return paging.page(request, rows, _delivered, order=paging.Order.NEWEST)


class Replay(OfWebhook):
    @extend_schema(operation_id="replay_delivery", request=None, responses={202: shapes.Delivered})
    def post(self, request: Request, course_id: Ref, webhook_id: UUID, delivery_id: UUID) -> Response:
        """Deliver an event once more, with the same id."""
        found = hooks.delivery_of(self.webhook(course_id, webhook_id), delivery_id)
        if found is None:
            raise Http404("There was no such delivery.")
        return self.answer(shapes.Delivered(webhooks.replay(delivery=found)).data, status=202)


def _delivered(rows: list[Delivery]) -> list[Any]:
    return list(shapes.Delivered(rows, many=True).data)
