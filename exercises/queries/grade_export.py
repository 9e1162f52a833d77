"""Grade books as CSV, line by line: memory stays flat however many learners there are."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import islice

from exercises.course_rules import zone_of
from exercises.courses.cells import BOM
from exercises.courses.grade_csv import WHO, csv_line, decimal, percent_cell, percent_heading
from exercises.courses.wording import moment_in_words
from exercises.models import Attempt, Course, Enrolment, ProblemSet
from exercises.queries.grade_roster import learners_of
from exercises.queries.gradebook import Cell, book_rows, key_of, maxima
from exercises.queries.set_grades import ItemCell, set_rows
from exercises.queries.set_items import items_with_columns

#: Learners that are read together.
CHUNK = 200


def course_csv(course: Course, sets: Sequence[ProblemSet], *, with_bom: bool = False) -> Iterator[str]:
    """The grade book of a course: a line for each learner, for each set the percentage and the points.

    The sets come as from ``gradebook.sets_of``.
    """
    points = maxima(sets)
    heads = [
        head
        for one in sets
        for head in (percent_heading(one.title, key_of(one)), f"{one.title}: points of {_plain(points[one.pk])}")
    ]
    yield (BOM if with_bom else "") + csv_line([*WHO, *heads])
    for chunk in _chunks(course):
        for row in book_rows(sets, chunk):
            cells = [text for one, cell in zip(sets, row.cells, strict=True) for text in _scores(cell, points[one.pk])]
            yield csv_line([*_who(row.enrolment), *cells])


def set_csv(problem_set: ProblemSet, *, with_bom: bool = False) -> Iterator[str]:
    """The grade book of one set: a line for each learner, then the whole set and each item."""
    items = items_with_columns(problem_set)
    points = maxima([problem_set])[problem_set.pk]
    whole = [
        percent_heading(problem_set.title, key_of(problem_set)),
        f"points of {_plain(points)}",
        "state",
        "handed in",
        "days late",
        "attempts",
    ]
    heads = [
        head
        for place, item in enumerate(items, start=1)
        for head in (f"{place} {item.problem.title}: percent", f"{place} {item.problem.title}: tries")
    ]
    yield (BOM if with_bom else "") + csv_line([*WHO, *whole, *heads])
    for chunk in _chunks(problem_set.course):
        rows = set_rows(problem_set, items, chunk)
        moments = _handed_in(problem_set, [row.whole for row in rows])
        for row in rows:
            cells = [text for item in row.items for text in _item(item)]
            handed_in = moments(row.whole)
            about = [state_words(row.whole), handed_in, str(row.whole.late_days), str(row.whole.attempts)]
            yield csv_line([*_who(row.enrolment), *_scores(row.whole, points), *about, *cells])


def state_words(cell: Cell) -> str:
    """The state of a cell in words, such as "handed in, set by hand"."""
    words = [cell.state.replace("-", " ")]
    if cell.late_days:
        words.append("late")
    if cell.is_extended:
        words.append("extension")
    if cell.is_overridden:
        words.append("set by hand")
    if cell.is_withheld:
        words.append("withheld")
    return ", ".join(words)


def _chunks(course: Course) -> Iterator[list[Enrolment]]:
    rows = learners_of(course).iterator(chunk_size=CHUNK)
    while chunk := list(islice(rows, CHUNK)):
        yield chunk


def _who(enrolment: Enrolment) -> tuple[str, str, str, str]:
    user = enrolment.user
    return user.get_username(), user.email, enrolment.external_id, enrolment.name


def _scores(cell: Cell, points: Fraction) -> tuple[str, str]:
    return percent_cell(cell.score), "" if cell.score is None else decimal(cell.score * points)


def _item(item: ItemCell | None) -> tuple[str, str]:
    return ("", "") if item is None else (percent_cell(item.score), str(item.tries))


def _handed_in(problem_set: ProblemSet, cells: Sequence[Cell]) -> Callable[[Cell], str]:
    """When the attempts that count were handed in, in the zone of the course. One query."""
    ids = [cell.attempt for cell in cells if cell.attempt]
    rows = Attempt.objects.filter(public_id__in=ids, handed_in_at__isnull=False)
    zone = zone_of(problem_set.course)
    known = {
        one: moment_in_words(at, zone) for one, at in rows.order_by().values_list("public_id", "handed_in_at") if at
    }
    return lambda cell: known.get(cell.attempt, "") if cell.attempt else ""


def _plain(points: Fraction) -> str:
    """Points in a heading, without noughts at their end."""
    return decimal(points).rstrip("0").rstrip(".")
