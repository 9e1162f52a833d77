"""The one shape of errors."""

from rest_framework import serializers


class ProblemDocument(serializers.Serializer):
    """An error (RFC 9457)."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField(help_text="Stable, for programs.")
    detail = serializers.CharField(help_text="A sentence for people.")
    request_id = serializers.CharField(help_text="As in `X-Request-Id`: name it when you ask for help.")
    errors = serializers.DictField(  # type: ignore[assignment]
        required=False, help_text="What is wrong, by field."
    )
