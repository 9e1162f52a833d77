"""The rules of docs/alerts.yml, held against what a running service tells while what they warn of happens."""

import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import yaml
from prometheus_client.parser import text_string_to_metric_families

from tests.load.injections import WORKERS, start_worker
from tests.load.service import METRICS_TOKEN, Loaded
from tests.stacks import ROOT

#: Seconds until an alert that should fire counts as missing.
PATIENCE = 120
#: Figures by name and labels.
Figures = dict[tuple[str, frozenset[tuple[str, str]]], float]
_SIMPLE = re.compile(r"(max|min)\((\w+)(\{.*?\})?\) ([<>]) ([\d.]+)$")
_RATE = re.compile(r"sum\(rate\((\w+)(\{.*?\})?\[5m\]\)\) > ([\d.]+)$")
_QUANTILE = re.compile(r"histogram_quantile\(([\d.]+), sum by \(le\) \(rate\((\w+)\[5m\]\)\)\) > ([\d.]+)$")
_LABEL = re.compile(r'(\w+)(=~|=)"([^"]*)"')


def told_by(text: str) -> Figures:
    """What Prometheus would read."""
    found: Figures = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found[sample.name, frozenset(sample.labels.items())] = sample.value
    return found


def fires(expression: str, now: Figures, before: Figures, seconds: float) -> bool:
    """Whether a rule of ours holds: of the few forms that docs/alerts.yml uses, with rates between two readings so many
    seconds apart. Raises ValueError for any other form."""
    if expression.startswith("absent("):
        return not now
    if found := _SIMPLE.match(expression):
        how, name, labels, sign, limit = found.groups()
        values = list(_chosen(now, name, labels))
        if not values:
            return False
        value = max(values) if how == "max" else min(values)
        return value > float(limit) if sign == ">" else value < float(limit)
    if found := _RATE.match(expression):
        name, labels, limit = found.groups()
        return (sum(_chosen(now, name, labels)) - sum(_chosen(before, name, labels))) / seconds > float(limit)
    if found := _QUANTILE.match(expression):
        share, name, limit = found.groups()
        return _quantile(float(share), name, now, before) > float(limit)
    raise ValueError(f"{expression!r} is of no form that is known here.")


def _chosen(figures: Figures, name: str, labels: str | None) -> Iterator[float]:
    wanted = _LABEL.findall(labels or "")
    for (called, has), value in figures.items():
        own = dict(has)
        if called == name and all(
            re.fullmatch(said, own.get(label, "")) if how == "=~" else own.get(label) == said
            for label, how, said in wanted
        ):
            yield value


def _quantile(share: float, name: str, now: Figures, before: Figures) -> float:
    """The upper end of the bucket in which that share of what came between the readings lies; 0 if nothing came."""
    counts: dict[float, float] = {}
    for (called, labels), value in now.items():
        if called == name:
            bound = float(dict(labels)["le"])
            counts[bound] = counts.get(bound, 0.0) + value - before.get((called, labels), 0.0)
    total = max(counts.values(), default=0.0)
    return next((bound for bound, count in sorted(counts.items()) if total and count >= share * total), 0.0)


@dataclass
class Alerts:
    """What the rules say of a service: read again and again, with what was read first."""

    service: Loaded
    rules: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        groups = yaml.safe_load((ROOT / "docs" / "alerts.yml").read_text())["groups"]
        self.rules = {rule["alert"]: rule["expr"] for group in groups for rule in group["rules"]}

    def read(self) -> Figures:
        """What the web process tells now; nothing if it does not."""
        request = urllib.request.Request(
            f"{self.service.stack.url}/metrics", headers={"Authorization": f"Bearer {METRICS_TOKEN}"}
        )
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return told_by(answer.read().decode())
        except (urllib.error.URLError, OSError):
            return {}

    def missing(self, wanted: set[str], meanwhile: Callable[[], None] = lambda: None) -> set[str]:
        """Those of ``wanted`` that do not fire within the patience; ``meanwhile`` is done between two readings."""
        before, began, fired = self.read(), time.monotonic(), set[str]()
        while fired < wanted and time.monotonic() - began < PATIENCE:
            meanwhile()
            time.sleep(1)
            now, seconds = self.read(), time.monotonic() - began
            fired |= {name for name in wanted if fires(self.rules[name], now, before, seconds)}
        return wanted - fired


#: Run in the service while nobody works: one row that has waited too long in every queue.
NEGLECTED = """
import datetime as dt, uuid
from exercises import clock
now, hours = clock.now(), dt.timedelta(hours=3)
learner = User.objects.filter(username="answers-0").get()
variant = Variant.objects.filter(learner=learner).first()
old = {"variant": variant, "author": learner, "answers": {}, "locale": "en", "created_at": now - hours}
Submission.objects.create(**old, idempotency_key="waits", fingerprint="waits")
Submission.objects.create(
    **old, idempotency_key="given-up", fingerprint="given-up", state="ungradable", claimed_until=None
)
course = Course.objects.create(title="Neglected", time_zone="UTC", created_by=learner)
made = ProblemSet.objects.create(course=course, title="Over", mode="exam", published_at=now)
attempt = Attempt.objects.create(problem_set=made, learner=learner, number=1, began_at=now - hours, ends_at=now - hours)
event = Event.objects.create(course=course, kind="attempt.handed-in", at=now - hours, position=None, data={})
hook = Webhook.objects.create(course=course, owner=learner, url="https://nowhere.example/", secret=b"")
Delivery.objects.create(webhook=hook, event=event, due_at=now)
Job.objects.create(course=course, made_by=learner, kind="roster", text="", created_at=now - hours)
version = variant.version
RegradeEvent.objects.create(course=course, problem=variant.problem, version=version, reason="", created_at=now - hours)
platform = Registration.objects.create(issuer="https://lms.example", client_id="x")
deployment = Deployment.objects.create(registration=platform, deployment_id="1")
context = Context.objects.create(deployment=deployment, context_id="1", course=course, sync_due_at=now - hours)
person = PlatformUser.objects.create(registration=platform, sub="1", user=learner)
column = LineItem.objects.create(context=context, problem_set=made, due_at=now - hours)
LmsScore.objects.create(line_item=column, platform_user=person, due_at=now, last_timestamp=now - hours)
"""
NEGLECT = {
    "AnswersWait", "AttemptsOverdue", "EventsWait", "DeliveriesWait", "ScoresWait", "RostersWait", "ColumnsWait",
    "RegradesWait",
    "JobsWait", "AnswersGivenUp", "NoWorkers", "SweepsStopped",
}  # fmt: skip


def provoked(alerts: Alerts) -> list[str]:
    """Make each thing happen that a rule warns of; the names of rules that did not fire. Some five minutes."""
    service, missing = alerts.service, set(alerts.rules)
    with _without_workers(service):
        service.stack.run(NEGLECTED)
        missing -= NEGLECT - alerts.missing(NEGLECT)
    with _slow(service) as answer:
        missing -= {"VerdictsSlow"} - alerts.missing({"VerdictsSlow"}, answer)
    service.stack.redis.stop()
    missing -= {"RedisDown"} - alerts.missing({"RedisDown"})
    service.stack.redis.start()
    service.postgres.stop()
    wanted = {"DatabaseDown", "ServerErrors"}
    missing -= wanted - alerts.missing(wanted, lambda: _ask(service))
    service.postgres.start()
    service.stack.kill("web")
    missing -= {"NothingTold"} - alerts.missing({"NothingTold"})
    service.stack.start("web")
    return sorted(missing)


@contextmanager
def _without_workers(service: Loaded) -> Iterator[None]:
    for name in (*WORKERS, "outside"):
        service.stack.kill(name)
    yield
    service.stack.start("outside")
    for name in WORKERS:
        start_worker(service.stack, name)


@contextmanager
def _slow(service: Loaded) -> Iterator[Callable[[], None]]:
    """Workers who come to each answer late."""
    code = """
import datetime as dt, uuid
from exercises import clock
from exercises.tasks import grade_pending
variant = Variant.objects.filter(learner__username="answers-1").first()
Submission.objects.create(
    variant=variant, author=variant.learner, answers={"p": "0.5"}, checked=["p"], locale="en",
    idempotency_key=uuid.uuid4().hex, fingerprint=uuid.uuid4().hex, created_at=clock.now() - dt.timedelta(seconds=20),
)
grade_pending.delay()
"""

    def send() -> None:
        service.stack.run(code)

    yield send


def _ask(service: Loaded) -> None:
    """A page, which fails while the database is away."""
    try:
        urllib.request.urlopen(f"{service.stack.url}/api/v1/problems", timeout=10).close()
        urllib.request.urlopen(f"{service.stack.url}/health/ready", timeout=10).close()
    except (urllib.error.URLError, OSError):
        return
