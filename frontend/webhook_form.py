"""The form of a webhook: where events go, and which."""

from typing import Any

from django import forms

from exercises.actions.delivering.webhooks import LONGEST
from exercises.courses.events import KINDS
from exercises.models import Webhook


class WebhookForm(forms.Form):
    """An address of another program, and the kinds of events that it is told."""

    url = forms.CharField(
        max_length=LONGEST, label="Address", widget=forms.URLInput(attrs={"autocomplete": "off"}),
        help_text="Events are sent there by POST. It begins with https:// and can be reached from anywhere.",
    )  # fmt: skip
    kinds = forms.MultipleChoiceField(
        required=False,
        label="Events",
        widget=forms.CheckboxSelectMultiple,
        choices=[(kind, f"{kind}: {words}") for kind, words in KINDS.items()],
        help_text="With none ticked it is told all of them, also kinds that come later.",
    )

    @staticmethod
    def initial_of(webhook: Webhook) -> dict[str, Any]:
        """What it is now."""
        return {"url": webhook.url, "kinds": webhook.kinds}
