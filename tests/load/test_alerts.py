"""The rules of docs/alerts.yml as the run of faults reads them, and how it finds what is wrong."""

import pytest
import yaml
from django.apps import apps

from exercises.actions import draw_variant, sync_catalogue
from exercises.models import User
from exercises.queries.standing import backlogs
from tests.exercises.world import MASKED
from tests.load.alerts import NEGLECT, NEGLECTED, SEEN_TO, Figures, fires, told_by
from tests.load.faults import Counted
from tests.load.injections import FAULTS, schedule
from tests.stacks import ROOT

RULES = {
    rule["alert"]: rule["expr"] for rule in yaml.safe_load((ROOT / "docs/alerts.yml").read_text())["groups"][0]["rules"]
}
CALM = """
# TYPE gym_waiting_seconds gauge
gym_waiting_seconds{queue="answers"} 2
# TYPE gym_database_up gauge
gym_database_up 1
# TYPE gym_requests counter
gym_requests_total{door="pages",method="GET",status="200"} 90
gym_requests_total{door="pages",method="GET",status="503"} 4
# TYPE gym_verdict_seconds histogram
gym_verdict_seconds_bucket{le="0.5"} 90
gym_verdict_seconds_bucket{le="10.0"} 100
gym_verdict_seconds_bucket{le="+Inf"} 100
"""


def later(**changed: str) -> Figures:
    text = CALM
    for old, new in changed.items():
        text = text.replace(
            {"waits": "} 2", "up": "up 1", "failed": "} 4", "slow": '"10.0"} 100', "all": '"+Inf"} 100'}[old], new
        )
    return told_by(text)


@pytest.mark.parametrize(
    ("alert", "changed"),
    [
        ("AnswersWait", {"waits": "} 31"}),
        ("DatabaseDown", {"up": "up 0"}),
        ("ServerErrors", {"failed": "} 6"}),
        ("VerdictsSlow", {"slow": '"10.0"} 150', "all": '"+Inf"} 150'}),
    ],
)
def test_a_rule_fires_by_what_it_warns_of_and_not_before(alert: str, changed: dict[str, str]) -> None:
    calm = told_by(CALM)
    assert not fires(RULES[alert], calm, calm, 10)
    assert fires(RULES[alert], later(**changed), calm, 10)


def test_silence_is_an_alert_of_its_own() -> None:
    assert fires(RULES["NothingTold"], {}, {}, 1)
    assert not fires(RULES["NothingTold"], told_by(CALM), {}, 1)


def test_every_rule_is_of_a_form_that_is_known_and_is_provoked() -> None:
    for expression in RULES.values():
        fires(expression, told_by(CALM), told_by(CALM), 1)
    with pytest.raises(ValueError, match="no form"):
        fires("rate(gym_requests_total[5m]) > 1", {}, {}, 1)
    assert set(RULES) >= NEGLECT


@pytest.mark.django_db
def test_where_all_is_neglected_every_queue_is_late() -> None:
    sync_catalogue(["masked"], lambda slug: MASKED)
    draw_variant(learner=User.objects.create(username="answers-0"), slug="masked")
    exec(NEGLECTED, {model.__name__: model for model in apps.get_models()})
    assert [backlog.name for backlog in backlogs() if not backlog.is_late] == []
    # A webhook that is paused and a platform that is switched off are owed nothing for now.
    exec(SEEN_TO, {model.__name__: model for model in apps.get_models()})
    late = {backlog.name for backlog in backlogs() if backlog.is_late}
    assert late == {"answers", "attempts", "events", "regrades", "jobs"}


def test_the_same_seed_gives_the_same_faults_and_a_long_run_every_kind() -> None:
    assert schedule(100, 7) == schedule(100, 7) != schedule(100, 8)
    assert {fault for _, fault in schedule(100, 7)} == set(FAULTS)
    assert len(schedule(100, 7)) == 100


@pytest.mark.parametrize(
    ("counted", "said"),
    [
        (Counted({"a": "1"}, {"1": ("graded", 1)}, 0, 0), None),
        (Counted({"a": "1"}, {}, 0, 0), "not stored"),
        (Counted({}, {"1": ("graded", 2)}, 0, 0), "2 times"),
        (Counted({}, {"1": ("pending", 0)}, 0, 0), "pending"),
        (Counted({"a": "1", "b": "1"}, {"1": ("graded", 1)}, 0, 0), "one submission"),
        (Counted({}, {}, 1, 0), "two submissions"),
        (Counted({}, {}, 0, 2), "nobody who lives"),
    ],
)
def test_what_was_lost_doubled_or_left_over_is_found(counted: Counted, said: str | None) -> None:
    found = counted.wrong()
    assert (not found) if said is None else said in found[0]
