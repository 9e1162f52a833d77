"""What evidence and mastery cost where verdicts are recorded."""

import json

from tests.bench.figures import Bar, Figure, median
from tests.bench.on_postgres import empty_postgres


def recording_with_mastery() -> Figure:
    """Milliseconds to record a batch of 500 verdicts, commit included; the floor is the same without evidence."""
    with empty_postgres() as printed:
        spent = json.loads(printed("recorded", "main()"))
    evidence, mastery = spent["rows"]
    said = (
        f"medians of {len(spent['kept'])} batches of 500 answers by 100 learners on PostgreSQL; "
        f"{evidence} rows of evidence a batch, {mastery} of mastery in all"
    )
    return Figure("recording-with-mastery", median(spent["kept"]), "ms", median(spent["floor"]), Bar("ratio", 2), said)
