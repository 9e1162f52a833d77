"""The form by which somebody has themself erased."""

from typing import Any

from django import forms

from exercises.models import User


class EraseForm(forms.Form):
    """One's own name, so that it happens by no slip, and the password of whoever has one."""

    name = forms.CharField(
        max_length=150, label="Your user name", widget=forms.TextInput(attrs={"autocomplete": "off"}), strip=True,
        error_messages={"required": "Type your user name."},
    )  # fmt: skip
    password = forms.CharField(
        max_length=200, label="Your password", strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        error_messages={"required": "Type your password."},
    )  # fmt: skip

    def __init__(self, *args: Any, user: User, **options: Any) -> None:
        super().__init__(*args, **options)
        if not user.has_usable_password():
            del self.fields["password"]

    @property
    def said(self) -> dict[str, str]:
        """What was typed; the form is valid."""
        return {"name": self.cleaned_data["name"], "password": self.cleaned_data.get("password", "")}
