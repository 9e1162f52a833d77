"""A million answers in minutes: a course is filled through the models once, and PostgreSQL copies that many times."""

from typing import Any

from django.db import connection
from django.db.models import Max, Min

from exercises.models import Attempt, AttemptItem, Grading, ProblemSet, SetItem, Submission, User, Variant

#: Somebody else's, in turn: learners follow one another.
LEARNER = "{{first}} + ({} - {{first}} + k * {{Attempt}}) % {{learners}}"
#: What is new about the k-th copy of a row; {Model} is how far the keys of a model have come by then.
NEW: dict[Any, dict[str, str]] = {
    Attempt: {
        "public_id": "gen_random_uuid()",
        "learner_id": LEARNER.format("learner_id"),
        "number": "number + k",
    },
    AttemptItem: {"attempt_id": "attempt_id + k * {Attempt}"},
    Variant: {
        "public_id": "gen_random_uuid()",
        "learner_id": LEARNER.format("learner_id"),
        "attempt_item_id": "attempt_item_id + k * {AttemptItem}",
        "number": "number + k * 1000000",
        "created_at": "created_at + k * interval '1 hour'",
    },
    Submission: {
        "public_id": "gen_random_uuid()",
        "author_id": LEARNER.format("author_id"),
        "variant_id": "variant_id + k * {Variant}",
        "created_at": "created_at + k * interval '1 hour'",
        "graded_at": "graded_at + k * interval '1 hour'",
    },
    Grading: {"submission_id": "submission_id + k * {Submission}"},
}
#: Where each copy is of a set of its own: sets and items follow one another.
APART = {Attempt: {"problem_set_id": "problem_set_id + k"}, AttemptItem: {"item_id": "item_id + k"}}


def copy(times: int, *, is_apart: bool = False) -> None:
    """Copy all attempts with everything in them so many times, an hour later each time; with ``is_apart`` each into the
    next set, which must be there and hold one item."""
    if is_apart and ProblemSet.objects.count() != SetItem.objects.count():
        raise RuntimeError("The sets do not hold one item each.")
    reached = {model.__name__: model.objects.aggregate(last=Max("pk"))["last"] for model in NEW}
    learners = User.objects.filter(is_instructor=False)
    reached |= {"first": learners.aggregate(first=Min("pk"))["first"], "learners": learners.count()}
    with connection.cursor() as cursor:
        for model, new in NEW.items():
            told = new | (APART.get(model, {}) if is_apart else {})
            told |= {"id": f"id + k * {{{model.__name__}}}"}
            columns = [field.column for field in model._meta.concrete_fields]
            values = [told.get(column, column).format(**reached) for column in columns]
            table = model._meta.db_table
            cursor.execute(
                f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)} "
                f"FROM generate_series(1, {times}) AS k, {table} ORDER BY k, id"
            )
            cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), MAX(id)) FROM {table}")
