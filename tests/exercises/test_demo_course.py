"""The course of the demo world: something to see on every page of a course, made by the product's own actions."""

import random

import pytest

from exercises.actions import sync_catalogue
from exercises.management.demo_course import NAMES, DemoCourse
from exercises.models import (
    Attempt,
    AuditEntry,
    Enrolment,
    Evidence,
    Extension,
    FaultReport,
    Figures,
    Override,
    ProblemSet,
    Submission,
    User,
)

pytestmark = pytest.mark.usefixtures("servers", "published")


def test_it_holds_thirty_learners_and_sets_in_all_modes(alice: User, bob: User) -> None:
    sync_catalogue()
    assistant, observer = (
        User.objects.create_user(name, email=f"{name}@example.org", password="x") for name in ("dave", "eve")
    )
    User.objects.filter(pk=bob.pk).update(email="bob@example.org")
    bob.refresh_from_db()
    DemoCourse(alice, random.Random("1")).make(learner=bob, assistant=assistant, observer=observer)

    roles = list(Enrolment.objects.values_list("role", flat=True))
    assert roles.count("learner") == 30 == len(NAMES) + 1
    assert {role: roles.count(role) for role in ("instructor", "assistant", "observer")} == {
        "instructor": 1,
        "assistant": 1,
        "observer": 1,
    }
    sets = {made.title.partition(":")[0]: made for made in ProblemSet.objects.filter(published_at__isnull=False)}
    assert {made.mode for made in sets.values()} == {"practice", "quiz", "exam"}
    # Whoever looks at it as Bob has something to sit, and whoever looks as Alice something to see.
    assert not Attempt.objects.filter(learner=bob).exists()
    assert Attempt.objects.filter(problem_set=sets["Midterm"], score_numerator__isnull=False).count() == 27
    assert sets["Midterm"].released_at is not None
    scores = {attempt.score for attempt in Attempt.objects.filter(problem_set=sets["Quiz 1"])}
    assert len(scores) > 8
    assert Attempt.objects.filter(problem_set=sets["Quiz 1"], late_days=1).exists()
    assert 0 < Attempt.objects.filter(problem_set=sets["Quiz 2"]).count() < 27
    assert set(Submission.objects.values_list("state", flat=True)) == {"graded"}
    for kind in (Extension, Override, FaultReport, Evidence, AuditEntry):
        assert kind.objects.exists(), kind
    assert Figures.objects.filter(computed_at__isnull=False).exclude(kind=Figures.Kind.SHOWN).count() == 5
    # Everything was done at its time, not now.
    days = {at.date() for at in Submission.objects.values_list("created_at", flat=True)}
    assert len(days) > 10
