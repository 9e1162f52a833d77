"""What is refused about webhooks, in words."""

from exercises.refusals import Refused


class WebhookRefused(Refused):
    """An address or a choice that will not do; ``field`` names what is wrong with it."""

    code = "webhook-refused"

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field
