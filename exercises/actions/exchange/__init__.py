"""Problems and sets out of the house and into it."""

from exercises.actions.exchange.exporting import export_problems, export_set
from exercises.actions.exchange.importing import Imported, import_file
from exercises.actions.exchange.refused import ExchangeRefused
from exercises.actions.exchange.uploads import keep_upload, kept_upload

__all__ = [
    "ExchangeRefused",
    "Imported",
    "export_problems",
    "export_set",
    "import_file",
    "keep_upload",
    "kept_upload",
]
