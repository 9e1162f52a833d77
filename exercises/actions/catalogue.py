"""Bringing the tables in step with the files of the catalogue."""

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from django.db import transaction

from exercises import catalogue
from exercises.models import Problem, ProblemVersion
from grader import problem as grader_problem
from grader.errors import ProblemError

SLUG = re.compile(r"[A-Za-z0-9_-]{1,80}")
MOST_TITLE = 200


@dataclass
class Synced:
    """What a sync did, by slug; ``faults`` says what is wrong with the files that cannot be used."""

    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    retired: list[str] = field(default_factory=list)
    faults: dict[str, str] = field(default_factory=dict)


def sync_catalogue(slugs: Iterable[str] | None = None, source: Callable[[str], str] = catalogue.source) -> Synced:
    """Store each built-in problem whose text is new as a new version, and retire those whose file is gone.

    Each file by itself: a broken one keeps its last good version, is marked with its fault, and hides no other. Safe to
    run again, and by several processes at once. ``slugs`` and ``source`` stand for another catalogue, whole: what it
    does not hold is retired.
    """
    report = Synced()
    wanted = list(catalogue.slugs() if slugs is None else slugs)
    order = {skill.id: place for place, skill in enumerate(catalogue.skills())}
    taken = set(Problem.objects.filter(slug__in=wanted, owner__isnull=False).values_list("slug", flat=True))
    for slug in wanted:
        if slug in taken:
            report.faults[slug] = "An author here has a problem of this address: give the file another name."
        else:
            _sync_one(slug, source, order, report)
    gone = Problem.objects.filter(built_in=True, retired=False).exclude(slug__in=wanted)
    report.retired = sorted(gone.values_list("slug", flat=True))
    gone.update(retired=True)
    return report


def _sync_one(slug: str, source: Callable[[str], str], order: dict[str, int], report: Synced) -> None:
    if not SLUG.fullmatch(slug):
        report.faults[slug] = "The file's name is the problem's address: letters, digits, - and _ only, 80 at most."
        return
    try:
        text = source(slug)
        loaded = grader_problem.load(text)
    except (ProblemError, OSError, UnicodeDecodeError) as error:
        _mark_broken(slug, str(error), report)
        return
    named = (*loaded.skills, *(mistake.skill for mistake in loaded.mistakes if mistake.skill))
    if unknown := [skill for skill in named if skill not in order]:
        _mark_broken(slug, f"skills: {', '.join(unknown)}: not in skills.yaml, which names them all.", report)
        return
    if len(loaded.title) > MOST_TITLE:
        _mark_broken(slug, f"title: keep it to {MOST_TITLE} characters; this has {len(loaded.title)}.", report)
        return
    with transaction.atomic():
        problem, is_new = Problem.objects.select_for_update(of=("self",)).get_or_create(
            slug=slug, defaults={"title": loaded.title, "built_in": True}
        )
        version = _version_of(problem, text)
        is_changed = problem.current_id != version.pk
        problem.title = loaded.title
        problem.summary = loaded.summary
        problem.skills = list(loaded.skills)
        # Problems stand in the order of the map: after every skill they need.
        problem.position = max((order[skill] for skill in loaded.skills), default=len(order))
        problem.current = version
        problem.built_in = True
        problem.retired = False
        problem.fault = ""
        problem.save()
    (report.added if is_new else report.changed if is_changed else report.unchanged).append(slug)


def _version_of(problem: Problem, text: str) -> ProblemVersion:
    """The version that has this very text, written now if there is none. The problem must be locked."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    latest = problem.versions.order_by("-number").first()
    return problem.versions.get_or_create(
        digest=digest, defaults={"source": text, "number": latest.number + 1 if latest else 1}
    )[0]


def _mark_broken(slug: str, fault: str, report: Synced) -> None:
    report.faults[slug] = fault
    Problem.objects.update_or_create(
        slug=slug,
        defaults={"fault": fault, "built_in": True},
        create_defaults={"title": slug, "fault": fault, "built_in": True},
    )
