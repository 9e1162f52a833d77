"""Keys for programs."""

from rest_framework import serializers

from exercises.actions.tokens import LIFETIME, LONGEST_LIFETIME
from exercises.scopes import PRACTICE, SCOPES


class NewToken(serializers.Serializer):
    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=200, trim_whitespace=False)
    otp = serializers.CharField(
        max_length=20, required=False, default="", allow_blank=True,
        help_text="The code of the authenticator app, or a recovery code, where the account has a second step.",
    )  # fmt: skip
    label = serializers.CharField(  # type: ignore[assignment]  # a field of ours, not the label of this one
        max_length=80, required=False, default="", help_text="What it is for, for yourself."
    )
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=list(SCOPES)),
        required=False,
        default=[PRACTICE],
        allow_empty=False,
        max_length=len(SCOPES),
        help_text="What it may be used for. It never opens more than you may do.",
    )
    course = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="Limits it to one course that you are in."
    )
    days = serializers.IntegerField(
        required=False, default=LIFETIME, min_value=1, max_value=LONGEST_LIFETIME, help_text="How long it holds."
    )


class Token(serializers.Serializer):
    id = serializers.UUIDField(source="public_id")
    head = serializers.CharField(help_text="Its first characters, by which you know it again.")
    label = serializers.CharField()  # type: ignore[assignment]
    scopes = serializers.ListField(child=serializers.CharField())
    course = serializers.UUIDField(source="course.public_id", allow_null=True, default=None)
    last_used_at = serializers.DateTimeField(allow_null=True, help_text="To the minute.")
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class IssuedToken(Token):
    token = serializers.CharField(help_text="Shown this once. Send it as `Authorization: Bearer …`.")
