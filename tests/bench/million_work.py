"""What workers do again and again, and what is sent to the service: each measured as a page is, and undone."""

from collections.abc import Callable, Iterator
from typing import Any

from django.db import connection
from django.urls import reverse

from exercises import tasks
from exercises.actions import claim as claiming
from exercises.actions import figures
from exercises.actions.evidence import refold
from exercises.actions.feed import place_events
from exercises.actions.lms.outbox import want_attempts, want_set
from exercises.actions.mark import mark_submissions
from exercises.actions.record import record_verdicts
from exercises.actions.regrading.deciding import make_regrade
from exercises.actions.regrading.work import work_on
from exercises.actions.sitting.hand_in import hand_in_overdue
from exercises.models import Problem, Submission, Variant
from exercises.queries.standing import backlogs, given_up, latest_waits, stopped_scores
from server.tasks import clear_sessions, clear_tokens
from tests.bench.million_asks import Asked, measured
from tests.bench.million_places import SLUG, Places
from tests.bench.million_rows import insert

#: Answers that wait in the queue.
WAITING = 500
#: So few seconds that each turn is one batch.
A_TURN = 0.0


def wait(count: int) -> None:
    """So many answers wait, one of each of so many learners, on variants that they were just shown."""
    latest = (
        "(SELECT DISTINCT ON (learner_id) * FROM exercises_variant WHERE attempt_item_id IS NULL "
        f"ORDER BY learner_id DESC, id DESC LIMIT {count}) AS v JOIN exercises_submission s ON s.variant_id = v.id "
        "AND s.idempotency_key = 'first'"
    )
    insert(
        Variant, latest, learner_id="v.learner_id", problem_id="v.problem_id", version_id="v.version_id",
        number="v.number + 1000", seed="v.seed", parameters="v.parameters", asked="v.asked", digest="'waits'",
        created_at="clock_timestamp()",
    )  # fmt: skip
    insert(
        Submission,
        "exercises_variant w JOIN exercises_variant v ON v.learner_id = w.learner_id AND v.number = w.number - 1000 "
        "AND v.problem_id = w.problem_id JOIN exercises_submission s ON s.variant_id = v.id "
        "AND s.idempotency_key = 'first' WHERE w.digest = 'waits' ORDER BY w.id",
        variant_id="w.id", author_id="w.learner_id", answers="s.answers", checked="s.checked", locale="'en'",
        idempotency_key="'waits'", fingerprint="md5(s.id::text) || md5('waits')", created_at="clock_timestamp()",
    )  # fmt: skip


def jobs(places: Places) -> dict[str, Callable[[], Any]]:
    """What workers do, by what it is called."""
    nightly: dict[str, Callable[[], Any]] = {
        "forget-events": tasks.forget_events, "clear-kept-answers": tasks.clear_kept_answers,
        "clear-launches": tasks.clear_launches, "forget-what-is-over": tasks.forget_what_is_over,
        "look-at-platforms": tasks.look_at_platforms, "tend-tool-keys": tasks.tend_tool_keys,
        "clear-sessions": clear_sessions, "clear-tokens": clear_tokens, "sweep-exams": tasks.sweep_exams,
        "want-figures": tasks.want_stale_figures, "fold-difficulties": tasks.fold_difficulties,
    }  # fmt: skip
    return {
        "sweep-pending": tasks.sweep_pending,
        "claim": claiming.claim_pending,
        "give-up-lost": claiming.give_up_lost,
        "hand-in-overdue": hand_in_overdue,
        "place-events": place_events,
        "follow-events": tasks.follow_events,
        "follow-platforms": tasks.follow_platforms,
        "read-rosters": tasks.read_rosters,
        "sweep-regrades": tasks.sweep_regrades,
        "settle-rulings": tasks.settle_rulings,
        "sweep-figures": tasks.sweep_figures,
        "work-on-jobs": tasks.work_on_jobs,
        "metrics": lambda: (backlogs(), given_up()),
        "operating": lambda: (backlogs(), given_up(), stopped_scores(), latest_waits()),
        "want-attempt": lambda: want_attempts([places.over.pk]),
        "want-set": lambda: want_set(places.over.problem_set),
        "fold": lambda: refold([places.learner.pk], is_check=True),
        "figures-set": lambda: figures.work_on_figures(
            figures.want_figures(course=places.course, problem_set=places.over.problem_set).pk, seconds=A_TURN
        ),
        "figures-class": lambda: figures.work_on_figures(figures.want_figures(course=places.course).pk, seconds=A_TURN),
        **nightly,
    }


def worked(places: Places, only: Callable[[str], bool] = lambda name: True) -> Iterator[Asked]:
    """Everything that workers do, by itself."""
    for name, job in jobs(places).items():
        if only(name):
            yield measured(Asked(name, "worker"), job)
    if only("grade-500"):
        wait(WAITING)
        connection.cursor().execute("ANALYZE exercises_submission")
        yield measured(Asked("claim-500", "worker"), claiming.claim_pending)
        yield measured(Asked("grade-500", "worker"), _graded)
        Variant.objects.filter(digest="waits").delete()
    if only("regrade"):
        yield measured(Asked("regrade", "worker"), lambda: _regraded(places))


def _graded() -> None:
    claim = claiming.claim_pending()
    recorded = record_verdicts(claim, mark_submissions(claim.submissions))
    if not claim.submissions or recorded != len(claim.submissions):
        raise RuntimeError("Not all of the answers were recorded.")


def _regraded(places: Places) -> None:
    """The first turn of a regrade of everything in the course that is of one problem."""
    problem = Problem.objects.select_related("current").get(slug=SLUG)
    assert problem.current is not None
    event = make_regrade(
        course=places.course, actor=places.teacher, problem=problem, version=problem.current, problem_set=None,
        reason="x", never_lower=False,
    )  # fmt: skip
    work_on(event.pk, seconds=A_TURN)


def sent(places: Places, only: Callable[[str], bool] = lambda name: True) -> Iterator[Asked]:
    """What learners and teachers send."""
    browser = places.browsers["B"]
    variant = Variant.objects.get(attempt_item__attempt=places.open)
    at = {"attempt_id": places.open.public_id, "position": 1}
    typed = {"p": "0.31", "loss": "1.17", "answer-p": "0.31", "answer-loss": "1.17"}
    own = [places.variant.public_id]
    key = {"Authorization": f"Bearer {places.tokens['B']}", "Idempotency-Key": "again-and-again"}
    said = {"answers": {"p": "0.31", "loss": "1.17"}, "locale": "en"}
    calls: dict[str, Callable[[], Any]] = {
        "POST frontend:answers": lambda: browser.post(
            reverse("frontend:answers", args=own), {**typed, "idempotency_key": "x"}, headers={"HX-Request": "true"}
        ),
        "POST frontend:draw": lambda: browser.post(reverse("frontend:draw", args=[SLUG]), {}),
        "POST frontend:reveal": lambda: browser.post(reverse("frontend:reveal", args=own), {}),
        "POST frontend:attempt-save": lambda: browser.post(
            reverse("frontend:attempt-save", kwargs=at),
            {**typed, "variant": str(variant.public_id), "based_on": "0", "version": "0"},
        ),
        "POST frontend:attempt-check": lambda: browser.post(
            reverse("frontend:attempt-check", kwargs=at),
            {**typed, "variant": str(variant.public_id), "based_on": "0", "version": "0"},
        ),
        "POST frontend:attempt-hand-in": lambda: browser.post(
            reverse("frontend:attempt-hand-in", args=[places.open.public_id]), {}
        ),
        "POST api:answers": lambda: browser.post(
            reverse("api:answers", args=own), said, content_type="application/json", headers=key
        ),
        "POST frontend:today": lambda: browser.post(reverse("frontend:today"), {}),
        "POST frontend:grade-override": lambda: places.browsers["A"].post(
            reverse("frontend:grade-override", args=[places.over.problem_set.public_id, places.ids["member"]]),
            {"score": "1", "reason": "x"},
        ),
    }
    for name, call in calls.items():
        if only(name):
            yield measured(Asked(name, "sent"), call)
