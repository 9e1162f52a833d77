"""Keys for programs."""

from rest_framework import serializers


class NewToken(serializers.Serializer):
    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=200, trim_whitespace=False)
    label = serializers.CharField(  # type: ignore[assignment]  # a field of ours, not the label of this one
        max_length=80, required=False, default="", help_text="What it is for, for yourself."
    )


class Token(serializers.Serializer):
    id = serializers.UUIDField(source="public_id")
    label = serializers.CharField()  # type: ignore[assignment]
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class IssuedToken(Token):
    token = serializers.CharField(help_text="Shown this once. Send it as `Authorization: Bearer …`.")
