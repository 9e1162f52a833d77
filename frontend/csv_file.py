"""A table as a file to keep."""

from django.http import HttpResponse

from exercises.courses.cells import BOM


def csv_file(text: str, name: str) -> HttpResponse:
    """The table as ``name``.csv, with the mark by which every spreadsheet reads it as UTF-8."""
    return HttpResponse(
        BOM + text,
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.csv"'},
    )
