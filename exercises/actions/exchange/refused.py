"""What is refused to whoever exports or imports."""

from exercises.exchange.report import Report
from exercises.refusals import Refused


class ExchangeRefused(Refused):
    """Nothing was exported or imported; ``report`` says of each entry why, where there is more than one sentence."""

    code = "exchange-refused"

    def __init__(self, message: str, report: Report | None = None) -> None:
        super().__init__(message)
        self.report = report
