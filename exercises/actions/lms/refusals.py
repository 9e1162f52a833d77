"""What is refused about connections to platforms."""

from exercises.refusals import Refused


class ConnectionRefused(Refused):
    """A connection, or a part of it, that will not do; ``field`` names what is wrong, "" is the whole."""

    code = "connection-refused"

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class LinkRefused(ConnectionRefused):
    """An account that cannot be linked."""

    code = "link-refused"
