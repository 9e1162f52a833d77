"""A service that has been used for half a year: a million answers, of which PostgreSQL makes nearly all by itself.

One course of 1,000 learners sat 30 sets, many small courses sat a few each, everybody practised, and the first learner
of the large course has practised for years. ``tiny`` is a course with one of each. What is made here fits together as
far as pages and workers look, but was never worked out: mastery does not follow from the evidence.
"""

from contextlib import nullcontext
from dataclasses import dataclass

from django.db import connection

from exercises import clock
from exercises.actions import sync_catalogue, sync_decks
from exercises.models import (
    Attempt,
    AttemptItem,
    Course,
    Enrolment,
    Evidence,
    Grading,
    Mastery,
    ProblemSet,
    Role,
    SetItem,
    Submission,
    User,
    Variant,
)
from tests.bench.million_around import DAYS, YEARS_OF_DAYS, surround
from tests.bench.million_rows import DRAWN_FROM, VARIANTS, insert, people, prototypes, run, without_indexes


@dataclass(frozen=True)
class Shape:
    """How much of everything there is. The sets of the large course hold five items each, but for the first."""

    learners: int = 1_000
    sets: int = 30
    items: int = 30
    courses: int = 200
    class_size: int = 50
    small_sets: int = 5
    small_items: int = 4
    #: Variants that the first learner has practised on, and everybody else.
    long_practice: int = 12_000
    practice: int = 10
    #: Reviews of cards by the first learner.
    reviews: int = 20_000


MILLION = Shape()
#: What a learner's place in ``learner`` is hashed with, so that not everybody gets the same in the same order.
MIXED = 7919


@dataclass(frozen=True)
class World:
    """What was made: the large course and the one with one of each, with their teachers and a learner of each."""

    large: Course
    tiny: Course
    teacher: User
    tina: User
    learner: User
    tim: User


def fill(shape: Shape, *, is_alone: bool = True) -> World:
    """Fill an empty database. ``is_alone``: nobody else is connected, so that what refers to what need not be checked,
    which takes most of the time; it needs a superuser."""
    sync_catalogue()
    sync_decks()
    if is_alone:
        run("SET session_replication_role = replica")
        run("SET work_mem = '256MB'")
        run("SET maintenance_work_mem = '512MB'")
    prototypes()
    with without_indexes(Attempt, AttemptItem, Variant, Submission, Grading, Evidence) if is_alone else nullcontext():
        world = _people_and_sets(shape)
        _sat()
        _practised(shape, world)
        _answered()
        _shown()
    surround(shape, world)
    if is_alone:
        run("RESET work_mem")
        run("SET session_replication_role = DEFAULT")
    run("VACUUM ANALYZE" if is_alone else "ANALYZE")
    return world


def _people_and_sets(shape: Shape) -> World:
    teacher = User.objects.create_user("alice", password=None, is_instructor=True)
    tina = User.objects.create_user("tina", password=None, is_instructor=True)
    User.objects.create_superuser("root", password=None)
    large = Course.objects.create(title="A large course", created_by=teacher)
    before = people(shape.learners + shape.courses * shape.class_size + 1, first="learner")
    insert(
        Course, f"generate_series(1, {shape.courses}) AS k", title="'Course ' || k", created_by_id=str(teacher.pk),
        created_at=f"clock_timestamp() - k * interval '1 hour' - interval '{DAYS} days'",
    )  # fmt: skip
    tiny = Course.objects.create(title="A tiny course", created_by=tina)
    first, tim = User.objects.get(username="learner-1"), User.objects.order_by("-pk")[0]
    world = World(large, tiny, teacher, tina, first, tim)
    _enrolled(shape, world, before)
    for course, sets in (
        (f"id = {large.pk}", shape.sets),
        (f"id = {tiny.pk}", 1),
        (f"id > {large.pk} AND id < {tiny.pk}", shape.small_sets),
    ):
        _sets(course, sets)
    _items(shape, world)
    return world


def _enrolled(shape: Shape, world: World, before: int) -> None:
    """In the order of their keys: the large course first, then the small ones, and the tiny one. The first learner and
    the teacher are in thirty."""
    small = shape.courses * shape.class_size
    insert(
        Enrolment, f"generate_series(1, {shape.learners}) AS k", course_id=str(world.large.pk),
        user_id=f"{before} + k", name="'Learner ' || k",
    )  # fmt: skip
    insert(
        Enrolment, f"generate_series(0, {small - 1}) AS k", course_id=f"{world.large.pk} + 1 + k / {shape.class_size}",
        user_id=f"{before + shape.learners} + 1 + k", name="'Learner ' || k",
    )  # fmt: skip
    Enrolment.objects.create(course=world.tiny, user=world.tim, name="Tim")
    for course in Course.objects.filter(pk__gt=world.large.pk, pk__lt=world.tiny.pk).order_by("pk")[:29]:
        Enrolment.objects.create(course=course, user=world.learner)
        Enrolment.objects.create(course=course, user=world.teacher, role=Role.INSTRUCTOR)
    Enrolment.objects.create(course=world.large, user=world.teacher, role=Role.INSTRUCTOR)
    Enrolment.objects.create(course=world.tiny, user=world.tina, role=Role.INSTRUCTOR)


def _sets(course: str, sets: int) -> None:
    """So many quizzes in the courses of a condition, one after the other."""
    began = f"'{clock.now()}'::timestamptz - interval '{DAYS} days'"
    insert(
        ProblemSet, f"exercises_course, generate_series(0, {sets - 1}) AS k WHERE {course} ORDER BY k, id",
        course_id="id", title="'Set ' || k + 1", position="k", mode="'quiz'", credits="""'["1", "1/2"]'""",
        published_at=began, pass_mark="'1/2'", opens_at=f"{began} + interval '1 day' * k * {DAYS / sets}",
        due_at=f"{began} + interval '1 day' * (k + 1) * {DAYS / sets}",
    )  # fmt: skip


def _items(shape: Shape, world: World) -> None:
    slugs = ", ".join(f"'{slug}'" for slug in sorted(DRAWN_FROM))
    many = (
        f"CASE s.course_id WHEN {world.large.pk} THEN CASE s.position WHEN 0 THEN {shape.items} ELSE 5 END "
        f"WHEN {world.tiny.pk} THEN 1 ELSE {shape.small_items} END"
    )
    insert(
        SetItem,
        f"exercises_problemset s, generate_series(0, {shape.items - 1}) AS k, "
        f"(SELECT array_agg(id ORDER BY slug) AS all_of FROM exercises_problem WHERE slug IN ({slugs})) AS p "
        f"WHERE k < {many} ORDER BY s.id, k",
        problem_set_id="s.id", position="k", problem_id=f"p.all_of[1 + (k + s.position) % {len(DRAWN_FROM)}]",
    )  # fmt: skip


def _sat() -> None:
    """Every learner sat every set of their courses, at some time while it was open; one in twenty twice."""
    mixed = f"e.user_id * {MIXED} % 997"
    began = f"s.opens_at + (s.due_at - s.opens_at) * ({mixed} / 1000.0)"
    insert(
        Attempt,
        "exercises_problemset s JOIN exercises_enrolment e ON e.course_id = s.course_id AND e.role = 'learner', "
        "generate_series(1, 2) AS n WHERE n = 1 OR (e.user_id + s.id) % 20 = 0 "
        f"ORDER BY s.opens_at, {mixed}",
        problem_set_id="s.id", learner_id="e.user_id", number="n", began_at=began,
        handed_in_at=f"{began} + interval '1 hour'", handed_in_by="'learner'",
        receipt="upper(substr(md5(s.id || '-' || e.user_id || '-' || n), 1, 9))",
        score_numerator="(e.user_id + s.id) % 13", score_denominator="12", updated_at="s.due_at",
    )  # fmt: skip
    insert(
        AttemptItem,
        "exercises_attempt a JOIN exercises_setitem i ON i.problem_set_id = a.problem_set_id "
        "JOIN exercises_problem p ON p.id = i.problem_id ORDER BY a.id, i.position",
        attempt_id="a.id", item_id="i.id", position="i.position + 1", weight="1", version_id="p.current_id", tries="2",
        score_numerator="(a.id + i.id) % 3", score_denominator="2", saved_version="1",
        saved_at="a.began_at + interval '20 minutes'",
    )  # fmt: skip


def _practised(shape: Shape, world: World) -> None:
    """The variants: those of the attempts and those of practice, in the order in which they were drawn."""
    run("CREATE TEMPORARY TABLE place (learner bigint, item bigint, problem_id bigint, number int, at timestamptz)")
    run(
        "INSERT INTO place SELECT a.learner_id, ai.id, i.problem_id, 1000000 + ai.id, "
        "a.began_at + ai.position * interval '1 minute' FROM exercises_attemptitem ai "
        "JOIN exercises_attempt a ON a.id = ai.attempt_id JOIN exercises_setitem i ON i.id = ai.item_id"
    )
    days = f"CASE u.id WHEN {world.learner.pk} THEN {YEARS_OF_DAYS} ELSE {DAYS} END"
    many = (
        f"CASE u.id WHEN {world.learner.pk} THEN {shape.long_practice} WHEN {world.tim.pk} THEN 1 "
        f"ELSE {shape.practice} END"
    )
    run(
        "INSERT INTO place SELECT u.id, NULL, d.problem_id, k, "
        f"clock_timestamp() - interval '1 day' * {days} "
        f"* (((u.id * {MIXED} + k * 104729) % 100003) / 100003.0) "
        f"FROM exercises_user u, generate_series(1, {many}) AS k, drawn d "
        f"WHERE u.username LIKE 'learner-%' AND d.n = (u.id + k) % {len(DRAWN_FROM) * VARIANTS}"
    )
    insert(
        Variant,
        "(SELECT *, row_number() OVER (PARTITION BY problem_id ORDER BY at) AS turn FROM place) AS w "
        f"JOIN drawn d ON d.problem_id = w.problem_id AND d.n % {VARIANTS} = w.turn % {VARIANTS} ORDER BY w.at",
        learner_id="w.learner", problem_id="d.problem_id", version_id="d.version_id", number="w.number", seed="d.n",
        parameters="d.parameters", asked="d.asked", attempt_item_id="w.item", created_at="w.at",
        digest="md5(w.learner || '-' || w.number || '-' || d.n) || md5(d.n::text)",
    )  # fmt: skip


def _answered() -> None:
    """Two answers on each variant, a slip and then the right one, with their verdicts."""
    sent = "v.created_at + k * interval '3 minutes'"
    insert(
        Submission,
        f"exercises_variant v JOIN drawn d ON d.n = v.seed, generate_series(1, 2) AS k ORDER BY {sent}",
        variant_id="v.id", author_id="v.learner_id", answers="CASE k WHEN 1 THEN d.wrong ELSE d.answers END",
        checked="d.asked", locale="'en'", idempotency_key="CASE k WHEN 1 THEN 'first' ELSE 'last' END",
        fingerprint="md5(v.id || '-' || k) || md5(k::text)", created_at=sent,
        state="'graded'", claimed_until="NULL", graded_at=f"{sent} + interval '1 second'",
    )  # fmt: skip
    run("ANALYZE exercises_submission")
    first = "s.idempotency_key = 'first'"
    insert(
        Grading,
        "exercises_submission s JOIN exercises_variant v ON v.id = s.variant_id "
        "JOIN drawn d ON d.n = v.seed ORDER BY s.id",
        submission_id="s.id", verdict=f"CASE WHEN {first} THEN d.wrong_verdict ELSE d.verdict END",
        score_numerator=f"CASE WHEN {first} THEN d.wrong_up ELSE 1 END", version_id="v.version_id",
        score_denominator=f"CASE WHEN {first} THEN d.wrong_down ELSE 1 END", grader_version="'1'", reason="'first'",
        created_at="s.graded_at",
    )  # fmt: skip


def _shown() -> None:
    """Every step of every variant is closed by its last answer; and where that leaves everybody, more or less."""
    insert(
        Evidence,
        "exercises_submission s JOIN exercises_variant v ON v.id = s.variant_id JOIN drawn_step d ON d.n = v.seed "
        "WHERE s.idempotency_key = 'last' ORDER BY s.id",
        learner_id="v.learner_id", problem_id="v.problem_id", variant_id="v.id", step="d.step", submission_id="s.id",
        reason="'right'", skill="d.skill", closed_at="s.created_at", study_day="s.created_at::date", correctness="1",
        tries="2", hints="0", e="0.7", w="1", b="0", g="0", predicted="0.6", is_first="v.number = 1", is_check="false",
        model_version="'1'",
    )  # fmt: skip
    insert(
        Mastery,
        "(SELECT learner_id, skill, count(*) AS n, max(closed_at) AS last_at FROM exercises_evidence "
        "GROUP BY learner_id, skill) AS e",
        learner_id="e.learner_id", skill="e.skill", mean="1.5", variance="0.3", weight="e.n", last_at="e.last_at",
        steps="e.n", failures="0", unaided_right="e.n / 2", has_second_variant="true", level="'proficient'",
        since="e.last_at - interval '30 days'", highest="'proficient'", highest_at="e.last_at - interval '30 days'",
    )  # fmt: skip


def sizes() -> dict[str, tuple[int, int, int]]:
    """Rows, bytes and bytes of indexes of each table, the largest first."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, reltuples::bigint, pg_total_relation_size(oid), pg_indexes_size(oid) FROM pg_class "
            "WHERE relkind = 'r' AND relname LIKE 'exercises_%' ORDER BY 3 DESC"
        )
        return {name: (rows, total, indexes) for name, rows, total, indexes in cursor.fetchall()}
