"""What everything costs with a million answers in the table: `python -m tests.bench.million`.

Filling them in takes some minutes. For each page, list and job: queries, milliseconds in the server, of CPU in the web
process and in PostgreSQL, blocks that PostgreSQL looks at; then each query that passes over a large table, or reads far
more than it gives.
"""

from tests.bench.on_postgres import printed_by


def main() -> None:
    """Print what the process came to that does it."""
    print(printed_by("million_told"))


if __name__ == "__main__":
    main()
