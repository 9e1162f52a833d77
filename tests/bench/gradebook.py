"""How long the server takes for a page of the grade books of a course with 1,000 learners and 30 sets of 30 items."""

import json

from tests.bench.figures import Bar, Figure, median, percentile
from tests.bench.on_postgres import printed_by

#: Milliseconds for a page.
BAR = 50


def gradebook() -> Figure:
    """The 95th percentile of the grade book of the course; the floor is to read its attempts and nothing else."""
    spent = json.loads(printed_by("booked"))
    book, items, averages = spent["book"], spent["items"], spent["averages"]
    told = (
        f"p95 of {len(book)} pages of 50 learners by 30 sets, out of 1,000; median "
        f"{median(book):.0f} ms; the averages of all, which it asks for then, {percentile(averages, 0.95):.0f} ms; "
        f"one set by 30 items {percentile(items, 0.95):.0f} ms; "
        f"{spent['queries']} queries for 50 learners and for one"
    )
    return Figure("gradebook", percentile(book, 0.95), "ms", median(spent["floor"]), Bar("value", BAR), told)
