"""Reading the roster of a platform's course, a page at a time, in turns of a few seconds.

It is a difference: who is new comes in, who is something else becomes it, who is not on it any more is dropped, and
nobody's work is ever deleted. A row that cannot be read, or that is refused, is named and spoils no other.
"""

import datetime as dt
import hashlib
import time
from collections.abc import Collection, Iterable
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import F, Q

from exercises import clock
from exercises.actions.audit import noted
from exercises.actions.due import in_turns, pass_behind, take_first
from exercises.actions.lms.outbox import want_person
from exercises.actions.lms.people import follow_roles, keep_membership, person_of
from exercises.actions.lms.refusals import ConnectionRefused
from exercises.actions.lms.resting import has_answered, has_failed, is_awake
from exercises.actions.lms.service_client import Denied, Unavailable, read_page
from exercises.lti.refusals import LaunchRefused
from exercises.lti.roles import course_role
from exercises.lti.rosters import Member
from exercises.lti.rosters import read_page as read_members
from exercises.lti.services import MEMBERS_READ, MEMBERS_TYPE, asked_with
from exercises.models import Context, Membership, PlatformUser, Registration, ResourceLink, User
from exercises.refusals import Refused

#: Members that are looked at together, and of whom those that moved share a transaction.
BATCH = 100
#: Seconds that a course is held by the worker that reads it.
LEASE_SECONDS = 60
#: Seconds after which a platform lets others pass that wait.
SLICE_SECONDS = 1.0
#: Seconds until it is tried again after a failure, by the number of those.
WAITS = (30, 300, 1800, 3600, 4 * 3600)
#: Pages of one roster, and faults that are named.
MOST_PAGES, MOST_FAULTS = 1000, 50
ENDLESS = "The roster of the platform leads in a circle, or has more than a thousand pages. Nobody was dropped."
#: More than half of so many would be dropped: somebody has to say so first.
FEW = 10
Status = Membership.Status


def ask_for_roster(
    *, actor: User, context: Context, link: ResourceLink | None = None, drops_many: bool = False
) -> None:
    """Let the roster be read, soon: all of it, or who is at one ``link``, which drops nobody. ``drops_many``: also
    where more than half would be. Raises ConnectionRefused where the platform offers none."""
    if context.course is None:
        raise ConnectionRefused("This course of the platform leads to no course here yet: connect it first.")
    if not context.memberships_url:
        raise ConnectionRefused(
            "The platform offers no roster to this tool: in its settings there, let it retrieve members, then open a "
            "link of the course once more."
        )
    begun = {"state": "going-on", "link": link.link_id if link else "", "drops_many": drops_many}
    with transaction.atomic():
        Context.objects.filter(pk=context.pk).update(sync_due_at=clock.now(), sync_lease_token=None, sync_report=begun)
        noted(course=context.course, actor=actor, deed="lms-roster", about=str(context))


def ask_for_all_rosters() -> int:
    """Let all rosters be read again; how many. For a task of the night."""
    rows = Context.objects.filter(course__archived_at=None, sync_due_at=None).exclude(course=None)
    rows = rows.exclude(memberships_url="").filter(deployment__registration__state=Registration.State.ACTIVE)
    return rows.update(sync_due_at=clock.now(), sync_report={"state": "going-on"})


def read_rosters(seconds: float) -> int:
    """Go on with the rosters that are due, for about so many seconds; how many pages were looked at. A platform that
    takes its time keeps the others waiting for a page or two, not for all of its courses."""
    ends = time.monotonic() + seconds
    return in_turns(
        seconds, take=_claimed, work=lambda context: _go_on(context, ends), share=SLICE_SECONDS, let_pass=_let_pass,
        whose=lambda context: context.deployment.registration_id,
    )  # fmt: skip


def is_roster_due() -> bool:
    """Whether there is more to read now. One query."""
    return _due(clock.now()).exists()


def _due(now: dt.datetime) -> Any:
    return Context.objects.filter(is_awake("deployment__registration__"), sync_due_at__lte=now).exclude(course=None)


def _let_pass(platform: int, seconds: float) -> None:
    now = clock.now()
    mine = Q(deployment__registration=platform)
    waiting = Context.objects.filter(pk__in=_due(now).filter(mine).values("pk"), sync_due_at__lte=now)
    pass_behind(_due(now).exclude(mine), waiting, seconds, prefix="sync_")


def _claimed() -> Context | None:
    first = _due(clock.now()).order_by("sync_due_at", "pk")
    pk = take_first(first, seconds=LEASE_SECONDS, prefix="sync_")
    if pk is None:
        return None
    rows = Context.objects.select_related("course", "deployment__registration")
    return rows.filter(pk=pk).first()


def _go_on(context: Context, ends: float) -> None:
    """One page of a roster, or as much of it as there is time for."""
    registration = context.deployment.registration
    work = _begun(context)
    try:
        page, following = read_page(registration, work["url"], scope=MEMBERS_READ, accept=MEMBERS_TYPE)
    except Unavailable as failure:
        has_failed(registration, failure)
        _keep_failure(context, work, failure.message)
        return
    except Denied as denied:
        _end(context, work, why=denied.message)
        return
    has_answered(registration)
    found = read_members(page)
    if found is None:
        _end(context, work, why="What the platform sent is no roster.")
        return
    if work["at"] == 0:
        work["faults"] = [*work["faults"], *found.faults][:MOST_FAULTS]
        work["failed"] += len(found.faults)
    while work["at"] < len(found.members):
        some = found.members[work["at"] : work["at"] + BATCH]
        _keep(context, some, work)
        work["at"] += len(some)
        if time.monotonic() > ends and work["at"] < len(found.members):
            _hold(context, work)
            return
    read = [*work.get("read", []), _short(work["url"])]
    work |= {"at": 0, "pages": work["pages"] + 1, "url": following, "tries": 0, "read": read}
    if not following:
        _finish(context, work)
    elif work["pages"] < MOST_PAGES and _short(following) not in read:
        _hold(context, work)
    else:
        _end(context, work, why=ENDLESS)


def _short(url: str) -> str:
    """What tells one page of a roster from another."""
    return hashlib.sha256(url.encode()).hexdigest()[:12]


def _begun(context: Context) -> dict[str, Any]:
    """How far it is; from the beginning, where it was not begun."""
    kept = context.sync_report or {}
    if kept.get("url"):
        return dict(kept)
    link = kept.get("link", "")
    url = asked_with(context.memberships_url, rlid=link) if link else context.memberships_url
    return {
        "state": "going-on", "url": url, "link": link, "drops_many": bool(kept.get("drops_many")), "at": 0, "pages": 0,
        "tries": 0, "began": clock.now().isoformat(), "seen": 0, "came": 0, "changed": 0, "dropped": 0, "failed": 0,
        "faults": [],
    }  # fmt: skip


def _keep(context: Context, members: Collection[Member], work: dict[str, Any]) -> None:
    """Bring these members in line. Three queries where nothing moved."""
    rows = Membership.objects.filter(
        context=context, platform_user__sub__in=[one.person.sub for one in members]
    ).select_related("platform_user__user")
    known = {row.platform_user.sub: row for row in rows}
    enrolled = set(
        context.course.enrolments.filter(  # type: ignore[union-attr]
            dropped_at=None, user__in=[row.platform_user.user_id for row in known.values()]
        ).values_list("user_id", flat=True)
    )
    same = []
    for one in members:
        row = known.get(one.person.sub)
        if row is not None and _is_same(row, one, is_in=row.platform_user.user_id in enrolled):
            same.append(row.pk)
        else:
            _move(context, one, row, work)
    Membership.objects.filter(pk__in=same).update(seen_at=clock.now())
    work["seen"] += len(members)


def _is_same(row: Membership, said: Member, *, is_in: bool) -> bool:
    person, is_active = row.platform_user, row.status == Status.ACTIVE
    names = (said.person.name or person.name, said.person.email or person.email)
    should_be_in = bool(said.is_active and row.role)
    return (
        is_active == said.is_active
        # Not the words: launches say roles in full, the roster of Moodle in short.
        and row.role == course_role(said.roles)
        and names == (person.name, person.email)
        and is_in == should_be_in
    )


def _move(context: Context, said: Member, before: Membership | None, work: dict[str, Any]) -> None:
    """One member who is new, or something else than before."""
    try:
        with transaction.atomic():
            person = person_of(context.deployment.registration, said.person)
            status = Status.ACTIVE if said.is_active else Status.INACTIVE
            was_there = before is not None and before.status == Status.ACTIVE
            now = keep_membership(context, person, roles=said.roles, status=status)
            follow_roles(context, person)
            if said.is_active:
                want_person(context, person, is_back=before is not None and not was_there)
    except (LaunchRefused, Refused, DatabaseError) as refused:
        work["failed"] += 1
        why = getattr(refused, "message", "it could not be stored.")
        work["faults"] = [*work["faults"], f"{said.person.name or said.person.sub}: {why}"][:MOST_FAULTS]
        if before is not None:
            # Nobody is dropped for a fault of ours.
            Membership.objects.filter(pk=before.pk).update(seen_at=clock.now())
        return
    if said.is_active and not was_there:
        work["came"] += 1
    elif was_there and not said.is_active:
        work["dropped"] += 1
    elif before is None or (before.role, before.status) != (now.role, now.status):
        work["changed"] += 1


def _finish(context: Context, work: dict[str, Any]) -> None:
    """Drop who was not on the roster; unless they are so many that somebody has to look first, or rows were not
    readable, which may have been theirs."""
    began = dt.datetime.fromisoformat(work["began"])
    gone = Membership.objects.filter(context=context, status=Status.ACTIVE, seen_at__lt=began)
    count = 0 if work["link"] else gone.count()
    why = ""
    if count and work["failed"]:
        why = f"{count} are not on the roster. Since rows of it could not be read, nobody was dropped."
    elif count > (FEW if work["seen"] else 0) and count > work["seen"] and not work["drops_many"]:
        why = f"{count} of {count + work['seen']} are not on the roster any more. Nobody was dropped: look at it first."
    elif count:
        _drop(context, gone.values_list("platform_user_id", flat=True), work)
    _end(context, work, why=why, left=count if why else 0)


def _drop(context: Context, people: Iterable[int], work: dict[str, Any]) -> None:
    for person in PlatformUser.objects.select_related("user", "registration").filter(pk__in=list(people)):
        with transaction.atomic():
            Membership.objects.filter(context=context, platform_user=person).update(status=Status.INACTIVE)
            follow_roles(context, person)
        work["dropped"] += 1


def _hold(context: Context, work: dict[str, Any]) -> None:
    """Keep how far it is, for the next turn."""
    _held(context).update(sync_due_at=clock.now(), sync_lease_token=None, sync_report=work)


def _keep_failure(context: Context, work: dict[str, Any], why: str) -> None:
    """Try it again later, from where it stands."""
    work["tries"] += 1
    if work["tries"] > len(WAITS):
        _end(context, work, why=f"{why} Nobody was dropped.")
        return
    wait = dt.timedelta(seconds=WAITS[work["tries"] - 1])
    _held(context).update(sync_due_at=clock.now() + wait, sync_lease_token=None, sync_report={**work, "why": why})


def _end(context: Context, work: dict[str, Any], *, why: str = "", left: int = 0) -> None:
    names = ("seen", "came", "changed", "dropped", "failed", "faults", "pages", "link")
    report = {name: work[name] for name in names} | {"state": "failed" if why else "done", "why": why, "left": left}
    synced = clock.now() if work["pages"] else F("synced_at")
    _held(context).update(sync_due_at=None, sync_lease_token=None, sync_report=report, synced_at=synced)


def _held(context: Context) -> Any:
    return Context.objects.filter(pk=context.pk, sync_lease_token=context.sync_lease_token)
