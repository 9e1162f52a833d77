"""Filling tables by what PostgreSQL makes up itself: columns are named in SQL, and those that are not have defaults."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, models
from django.db.models import NOT_PROVIDED

from exercises import clock
from exercises.models import Problem, User
from grader.checking import typed_value
from grader.marking import Task, mark_batch
from grader.problem import load
from grader.sampling import draw, read_parameters
from grader.solution import lanes_of

#: What is drawn from, and the variants of each; whoever is given one is given it as thousands of others are.
DRAWN_FROM = ("masked-token-loss", "softmax-distribution", "neg-log", "nsp-loss", "mlm-average", "head-shapes")
VARIANTS = 40
#: For ``by_sql``: values that go on from one row to the next, or differ in all.
RANDOM_ID, NOW = "gen_random_uuid()", "clock_timestamp()"


def run(statement: str, *values: Any) -> None:
    """Run one statement."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values or None)


def table(model: Any) -> str:
    """The table of a model."""
    return str(model._meta.db_table)


def insert(model: Any, source: str, /, **columns: str) -> None:
    """INSERT … SELECT: what these columns hold, in SQL over ``source``, which is whatever comes after FROM."""
    names, told, given = [], [], []
    for field in model._meta.concrete_fields:
        if field.column in columns:
            names.append(field.column)
            told.append(columns[field.column])
        elif not field.primary_key:
            sql, values = _default(field)
            names.append(field.column)
            told.append(sql)
            given += values
    for name, sql in columns.items():
        told[names.index(name)] = sql.replace("%", "%%") if given else sql
    source = source.replace("%", "%%") if given else source
    run(f"INSERT INTO {table(model)} ({', '.join(names)}) SELECT {', '.join(told)} FROM {source}", *given)


def _default(field: Any) -> tuple[str, list[Any]]:
    if field.default is uuid.uuid4:
        return RANDOM_ID, []
    if getattr(field, "auto_now_add", False):
        return NOW, []
    if field.default is NOT_PROVIDED and field.null:
        return "NULL", []
    value = field.get_db_prep_save(field.get_default(), connection)
    return ("NULL", []) if value is None else (f"%s::{field.db_type(connection).split(' CHECK')[0]}", [value])


def prototypes() -> None:
    """A temporary table of variants with a wrong and a right answer to each, and their verdicts; and one of their
    steps. ``n`` counts them from 0."""
    run("CREATE TEMPORARY TABLE drawn_step (n int, step text, skill text)")
    run(
        "CREATE TEMPORARY TABLE drawn (n int PRIMARY KEY, problem_id bigint, version_id bigint, parameters jsonb, "
        "asked jsonb, wrong jsonb, wrong_verdict jsonb, wrong_up bigint, wrong_down bigint, "
        "answers jsonb, verdict jsonb)"
    )
    rows: list[tuple[Any, ...]] = []
    steps: list[tuple[Any, ...]] = []
    for problem in Problem.objects.filter(slug__in=DRAWN_FROM).select_related("current").order_by("slug"):
        _draw_some(problem, rows, steps)
    json = models.JSONField().get_db_prep_save
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO drawn VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            [[json(one, connection) if isinstance(one, dict | list) else one for one in row] for row in rows],
        )
        cursor.executemany("INSERT INTO drawn_step VALUES (%s, %s, %s)", steps)
    run("ANALYZE drawn")


def _draw_some(row: Problem, rows: list[tuple[Any, ...]], steps: list[tuple[Any, ...]]) -> None:
    assert row.current is not None
    problem = load(row.current.source)
    asked = [step for step in problem.asked if not step.optional]
    names = [step.name for step in asked]
    for seed in range(VARIANTS):
        parameters = draw(problem, seed)
        drawn = read_parameters(problem, parameters)
        lanes = lanes_of(problem, drawn)
        right = {step.name: typed_value(step, drawn, lanes.values[step.name][0, 0], step.digits) for step in asked}
        wrong = right | {asked[0].name: _slip(right[asked[0].name])}
        slipped, whole = mark_batch(problem, [Task(parameters, said, "en", names) for said in (wrong, right)])
        n = len(rows)
        rows.append(
            (n, row.pk, row.current_id, parameters, names, wrong, slipped.to_json(), slipped.score.numerator,
             slipped.score.denominator, right, whole.to_json())
        )  # fmt: skip
        steps += [(n, step.name, step.skill or row.skills[0]) for step in asked]


def _slip(typed: str | list[str]) -> str | list[str]:
    """Some other answer of the same form."""
    if isinstance(typed, list):
        return typed[::-1]
    return "0.123" if "x" not in typed else "2 x 3"


def people(count: int, *, first: str) -> int:
    """So many learners, whose names begin with ``first``; the primary key before theirs, which follow one another."""
    before = User.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    insert(
        User, f"generate_series(1, {count}) AS k", id=f"{before} + k", username=f"'{first}-' || k",
        email=f"'{first}-' || k || '@example.org'", date_joined=f"'{clock.now():%Y-%m-%d}'::date - interval '1 year'",
        password="'!'",
    )  # fmt: skip
    follow(User)
    return before


@contextmanager
def without_indexes(*models_: Any) -> Iterator[None]:
    """Fill these tables with no indexes but those of their constraints, and make the others anew after it: one row at a
    time they take several times as long."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid) FROM pg_index i "
            "LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.conrelid = i.indrelid "
            "WHERE i.indrelid = ANY(%s::regclass[]) AND c.oid IS NULL",
            [[table(model) for model in models_]],
        )
        found = cursor.fetchall()
    for name, _ in found:
        run(f"DROP INDEX {name}")
    yield
    for _, made in found:
        run(made)


def follow(*models_: Any) -> None:
    """Let the keys of a model go on behind those that were given."""
    for model in models_:
        run(f"SELECT setval(pg_get_serial_sequence('{table(model)}', 'id'), MAX(id)) FROM {table(model)}")
