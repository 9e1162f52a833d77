"""Events, and their delivery."""

from rest_framework import serializers

from exercises.courses.events import KINDS
from exercises.models import Delivery, Webhook

#: Named here for the schema, which calls each set of choices by a name of its own.
EVENT_KINDS, WEBHOOK_STATES, DELIVERY_STATES = list(KINDS), Webhook.State.values, Delivery.State.values


class Event(serializers.Serializer):
    id = serializers.UUIDField(help_text="The same in the feed, in every delivery and in every replay.")
    type = serializers.ChoiceField(choices=EVENT_KINDS)
    timestamp = serializers.DateTimeField()
    data: serializers.DictField = serializers.DictField(  # type: ignore[assignment]  # a field, not the data of this one
        help_text="Public ids, and what became otherwise; `learner` and `actor` are user names."
    )


class Feed(serializers.Serializer):
    results = Event(many=True)
    cursor = serializers.CharField(help_text="Ask again with it as `after`, now or later: nothing is missed.")
    next = serializers.URLField(allow_null=True, help_text="Where there is more at once; null at the end.")


class Statements(serializers.Serializer):
    statements = serializers.ListField(child=serializers.DictField(), help_text="xAPI statements, version 1.0.3.")
    cursor = serializers.CharField()
    next = serializers.URLField(allow_null=True)


class AskedFeed(serializers.Serializer):
    after = serializers.RegexField(r"^\d{1,18}$", required=False, default="0")
    type = serializers.CharField(required=False, default="", max_length=600)
    limit = serializers.IntegerField(required=False, default=100, min_value=1, max_value=100)

    def validate_type(self, said: str) -> list[str]:
        """The kinds that are named, with commas between."""
        kinds = [kind.strip() for kind in said.split(",") if kind.strip()]
        if unknown := sorted(set(kinds) - KINDS.keys()):
            raise serializers.ValidationError(f"There are no such kinds of events: {', '.join(unknown[:5])}.")
        return kinds


class WebhookFields(serializers.Serializer):
    url = serializers.CharField(max_length=500, help_text="https, and a public address.")
    types = serializers.ListField(
        child=serializers.ChoiceField(choices=EVENT_KINDS),
        required=False,
        default=list,
        max_length=100,
        help_text="Empty is every kind.",
    )


class WebhookChange(WebhookFields):
    is_paused = serializers.BooleanField(required=False, default=False)


class CourseWebhook(serializers.Serializer):
    id = serializers.UUIDField(source="public_id")
    url = serializers.CharField()
    types = serializers.ListField(source="kinds", child=serializers.CharField())
    state = serializers.ChoiceField(choices=WEBHOOK_STATES)
    why = serializers.CharField(help_text="Why it is disabled.")
    created_at = serializers.DateTimeField()
    failing_since = serializers.DateTimeField(allow_null=True)
    rotated_at = serializers.DateTimeField(allow_null=True)


class MadeWebhook(CourseWebhook):
    secret = serializers.CharField(help_text="Shown this once: `whsec_…`, for any Standard Webhooks library.")


class Webhooks(serializers.Serializer):
    results = CourseWebhook(many=True)


class Secret(serializers.Serializer):
    secret = serializers.CharField()


class Delivered(serializers.Serializer):
    id = serializers.UUIDField(source="public_id")
    event = serializers.UUIDField(source="event.public_id")
    type = serializers.CharField(source="event.kind")
    state = serializers.ChoiceField(choices=DELIVERY_STATES)
    is_replay = serializers.BooleanField()
    tries = serializers.IntegerField()
    due_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()
    delivered_at = serializers.DateTimeField(allow_null=True)
    last_tried_at = serializers.DateTimeField(allow_null=True)
    last_status = serializers.IntegerField(allow_null=True)
    last_answer = serializers.CharField(help_text="The first 500 characters, or why there was none.")
