"""The rules of docs/alerts.yml, held against what a running service tells while what they warn of happens."""

import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field

import yaml
from prometheus_client.parser import text_string_to_metric_families

from tests.load.injections import WORKERS, start_worker
from tests.load.service import METRICS_TOKEN, Loaded
from tests.stacks import ROOT

#: Seconds until an alert that should fire counts as missing.
PATIENCE = 180
#: Seconds between two readings that are to show nothing.
PAUSE = 3
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

    def lasting(self, ended: set[str] | None = None) -> set[str]:
        """Those of ``ended``, or of all, that do not stop within the patience. Of rates, what came between two
        readings counts."""
        before, began, left = self.read(), time.monotonic(), set(ended or self.rules)
        last = began
        while left and time.monotonic() - began < PATIENCE:
            time.sleep(PAUSE)
            now, at = self.read(), time.monotonic()
            left = {name for name in left if fires(self.rules[name], now, before, at - last)}
            before, last = now, at
        return left


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
platform = Registration.objects.create(issuer="https://lms.example", client_id="x", failing_since=now - hours)
deployment = Deployment.objects.create(registration=platform, deployment_id="1")
context = Context.objects.create(deployment=deployment, context_id="1", course=course, sync_due_at=now - hours)
person = PlatformUser.objects.create(registration=platform, sub="1", user=learner)
column = LineItem.objects.create(context=context, problem_set=made, due_at=now - hours)
LmsScore.objects.create(line_item=column, platform_user=person, due_at=now)
"""
NEGLECT = {
    "AnswersWait", "AttemptsOverdue", "EventsWait", "DeliveriesWait", "ScoresWait", "RostersWait", "ColumnsWait",
    "RegradesWait",
    "JobsWait", "AnswersGivenUp", "NoWorkers", "SweepsStopped",
}  # fmt: skip


#: ... and what somebody does about what the workers do not get done by themselves: the webhook is paused, the platform
#: switched off.
SEEN_TO = """
Webhook.objects.filter(course__title="Neglected").update(state=Webhook.State.PAUSED)
Registration.objects.filter(issuer="https://lms.example", client_id="x").update(state=Registration.State.OFF)
"""
Provocation = AbstractContextManager[Callable[[], None]]


def provoked(alerts: Alerts) -> Iterator[str]:
    """Make each thing happen that a rule warns of, and put it right: what the rules say wrongly, in words. Some five
    minutes."""
    provocations: tuple[tuple[set[str], Callable[[Loaded], Provocation]], ...] = (
        (NEGLECT, _neglected),
        ({"VerdictsSlow"}, _slow),
        ({"RedisDown"}, _without_redis),
        ({"DatabaseDown", "ServerErrors"}, _without_database),
        ({"NothingTold"}, _without_web),
        ({"CodesGuessed"}, _guessed),
    )
    unknown = set(alerts.rules).difference(*(names for names, _ in provocations))
    yield from (f"nothing makes the alert {name} fire" for name in sorted(unknown))
    yield from (f"the alert {name} fires while all is calm" for name in sorted(alerts.lasting()))
    for names, provocation in provocations:
        with provocation(alerts.service) as meanwhile:
            began = time.monotonic()
            missing = alerts.missing(names, meanwhile)
            fired = time.monotonic() - began
        began = time.monotonic()
        lasting = alerts.lasting(names)
        took = f"{fired:.0f} s, and stopped {time.monotonic() - began:.0f} s after it was put right"
        print(f"  {', '.join(sorted(names - missing))} fired within {took}", flush=True)
        yield from (f"the alert {name} did not fire" for name in sorted(missing))
        yield from (f"the alert {name} fires when all is well again" for name in sorted(lasting))


def _nothing() -> None:
    """What happens meanwhile, where nothing has to."""


@contextmanager
def _neglected(service: Loaded) -> Iterator[Callable[[], None]]:
    """No workers, and rows that have waited for hours."""
    for name in (*WORKERS, "outside"):
        service.stack.kill(name)
    service.stack.run(NEGLECTED)
    yield _nothing
    service.stack.start("outside")
    for name in WORKERS:
        start_worker(service.stack, name)
    service.stack.run(SEEN_TO)
    service.stack.manage("regrade", "--ungradable")


@contextmanager
def _without_redis(service: Loaded) -> Iterator[Callable[[], None]]:
    service.stack.redis.stop()
    yield _nothing
    service.stack.redis.start()


@contextmanager
def _without_database(service: Loaded) -> Iterator[Callable[[], None]]:
    """... and somebody who goes on asking for pages."""
    service.postgres.stop()
    yield lambda: _ask(service)
    service.postgres.start()


@contextmanager
def _without_web(service: Loaded) -> Iterator[Callable[[], None]]:
    service.stack.kill("web")
    yield _nothing
    service.stack.start("web")


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


#: Somebody with a second step, whose password leaked.
LEAKED = """
from allauth.mfa.totp.internal.auth import TOTP
TOTP.activate(User.objects.create_user("leaked", password="a password that leaked"), "JBSWY3DPEHPK3PXP")
"""


@contextmanager
def _guessed(service: Loaded) -> Iterator[Callable[[], None]]:
    service.stack.run(LEAKED)
    said = {"username": "leaked", "password": "a password that leaked", "otp": "no code", "label": "x"}
    body = json.dumps({**said, "scopes": ["practice"]}).encode()
    request = urllib.request.Request(
        f"{service.stack.url}/api/v1/tokens", body, {"Content-Type": "application/json"}, method="POST"
    )

    def guess() -> None:
        with suppress(urllib.error.URLError, OSError):
            urllib.request.urlopen(request, timeout=10).close()

    yield guess


def _ask(service: Loaded) -> None:
    """A page that a session is looked up for, which fails while the database is away."""
    request = urllib.request.Request(f"{service.stack.url}/", headers={"Cookie": f"sessionid={'s' * 32}"})
    with suppress(urllib.error.URLError, OSError):
        urllib.request.urlopen(request, timeout=10).close()
