"""What statistics cost: the pages that show them, and working them out, with many answers in the table.

`python -m tests.bench.statistics --full` measures them with a million answers, which takes a while to fill in.
"""

import json
import os
import sys
from functools import cache
from typing import Any

from tests.bench.figures import Bar, Figure, as_table, median, percentile
from tests.bench.on_postgres import printed_by

#: Answers in the table with ``--full``; without, as many as the figures of one set are made of.
FULL = 1_000_000
TOTAL = "BENCH_ANSWERS"
#: Milliseconds for a page.
BAR = 50


def statistics_page() -> Figure:
    """The 95th percentile of the page of a set, beside reading the figures that it shows."""
    return _once()[0]


def class_page() -> Figure:
    """The same of the view of a class."""
    return _once()[1]


def statistics_work() -> Figure:
    """What it takes to work the figures of a set out, beside reading its answers; and in what memory."""
    return _once()[2]


@cache
def _once() -> list[Figure]:
    return _figures(json.loads(printed_by("tallied")))


def _figures(spent: dict[str, Any]) -> list[Figure]:
    a_set = min(spent["answers"], spent["a_set"])
    floor = median(spent["floor"])
    pages = [
        Figure(
            name,
            percentile(spent[page], 0.95),
            "ms",
            floor,
            Bar("value", BAR),
            f"p95 of {len(spent[page])} with {spent['answers']} answers in the table; median "
            f"{median(spent[page]):.0f} ms; {spent[f'{page}_queries']} queries",
        )
        for name, page in (("statistics-page", "set_page"), ("class-page", "class_page"))
    ]
    told = (
        f"an answer, of {a_set} to a set, {1e6 * spent['items']['cpu'] / a_set:.0f} of it CPU of the worker; the class "
        f"{spent['class']['seconds']:.1f} s; peak {spent['peak']:.0f} MB, {spent['before']:.0f} before it began"
    )
    work = 1e6 * spent["items"]["seconds"] / a_set
    return [*pages, Figure("statistics-work", work, "µs", 1e6 * spent["read"], None, told)]


if __name__ == "__main__":
    for word in sys.argv[1:]:
        os.environ[TOTAL] = str(FULL if word == "--full" else int(word))
    print(as_table(_once()))
