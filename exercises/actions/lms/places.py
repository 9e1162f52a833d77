"""Courses and links of a platform, and what they lead to here."""

import uuid
from collections.abc import Sequence

from django.db import transaction

from exercises import clock
from exercises.actions.audit import noted
from exercises.actions.courses.locks import lock_course_in_use
from exercises.actions.courses.making import CourseFields, create_course
from exercises.actions.lms.columns import make_again, own_column
from exercises.actions.lms.outbox import want_column
from exercises.actions.lms.people import follow_roles
from exercises.actions.lms.refusals import ConnectionRefused
from exercises.lti.launch import ContextSaid, LinkSaid, Services
from exercises.lti.services import LINE_ITEM
from exercises.models import (
    Context,
    Course,
    Deployment,
    Enrolment,
    LineItem,
    PlatformUser,
    ProblemSet,
    ResourceLink,
    SetItem,
    User,
)


def keep_context(deployment: Deployment, said: ContextSaid, services: Services) -> Context:
    """The context of a launch, with whatever its services need from the very first launch on. A launch that says
    nothing of a service takes nothing away. Inside the caller's transaction."""
    found, _ = Context.objects.select_related("course").get_or_create(
        deployment=deployment, context_id=said.id, defaults={"title": said.title}
    )
    found.title = said.title or found.title
    found.memberships_url = services.memberships_url or found.memberships_url
    found.lineitems_url = services.lineitems_url or found.lineitems_url
    found.scopes = list(services.scopes) or found.scopes
    found.seen_at = clock.now()
    found.save(update_fields=["title", "memberships_url", "lineitems_url", "scopes", "seen_at"])
    return found


def keep_link(
    context: Context, said: LinkSaid, *, lineitem_url: str = "", wanted: str = "", history: Sequence[str] = ()
) -> ResourceLink:
    """The link of a launch. Where it says which set it was made for, or that it was copied from a link that is known
    (``history``, the latest first), it leads there. Inside the caller's transaction."""
    found, _ = ResourceLink.objects.select_related("problem_set", "set_item", "line_item").get_or_create(
        context=context, link_id=said.id, defaults={"title": said.title}
    )
    found.context = context
    found.title = said.title or found.title
    found.lineitem_url = lineitem_url or found.lineitem_url
    if found.problem_set is None and context.course_id is not None:
        found.problem_set = (_set_in(context, wanted) if wanted else None) or _set_before(context, history)
    found.save(update_fields=["title", "lineitem_url", "problem_set"])
    couple(found)
    return found


def connect_context(*, actor: User, person: PlatformUser, context: Context, course: Course) -> None:
    """Let a course of the platform lead to a course here that the actor manages; they are in it from then on, and
    everybody else as they come. Raises ConnectionRefused where it leads somewhere already, and CourseRefused for a
    course that is put away."""
    with transaction.atomic():
        found = Context.objects.select_for_update(of=("self",)).get(pk=context.pk)
        if found.course_id is not None and found.course_id != course.pk:
            raise ConnectionRefused("Somebody has connected this course meanwhile: open the link once more.")
        if found.course_id is not None:
            return
        locked = lock_course_in_use(course)
        found.course, found.connected_by = locked, actor
        found.save(update_fields=["course", "connected_by"])
        noted(
            course=locked, actor=actor, deed="lms-connected", about=str(found),
            after={"platform": found.deployment.registration.name, "context": found.context_id},
        )  # fmt: skip
        follow_roles(found, person)


def connect_new_course(*, actor: User, person: PlatformUser, context: Context, fields: CourseFields) -> Course:
    """Make a course for a course of the platform and let that lead to it. Raises CourseRefused as ``create_course``,
    and ConnectionRefused."""
    with transaction.atomic():
        course = create_course(author=actor, fields=fields)
        connect_context(actor=actor, person=person, context=context, course=course)
    return course


def come_in(*, context: Context, person: PlatformUser) -> Enrolment | None:
    """The place that somebody has in the course of a context; None if it is none.

    Who was launched before the course was connected comes in now, by what their platform said then. Whoever is or was
    in it already stays what they are here, whatever page they open: what was changed by hand holds until the next
    launch.
    """
    if context.course_id is None:
        return None
    found = Enrolment.objects.filter(course=context.course_id, user=person.user_id).first()
    if found is not None:
        return found if found.dropped_at is None else None
    with transaction.atomic():
        return follow_roles(context, person)


def disconnect_context(*, actor: User, context: Context) -> None:
    """Let a course of the platform lead nowhere; people stay in the course as they are, links are chosen anew. Pressed
    twice, it is done once."""
    with transaction.atomic():
        found = Context.objects.select_for_update(of=("self",)).select_related("course").get(pk=context.pk)
        if found.course is None:
            return
        noted(course=found.course, actor=actor, deed="lms-disconnected", about=str(found))
        found.course = None
        found.save(update_fields=["course"])
        found.links.update(problem_set=None, set_item=None, line_item=None)
        found.line_items.update(state=LineItem.State.REFUSED, why="The course of the platform was disconnected here.")


def choose_set(*, actor: User, link: ResourceLink, problem_set: ProblemSet, item: SetItem | None = None) -> None:
    """Let a link open a set of the course that its context leads to, or one item of it. Raises ConnectionRefused for a
    set of another course."""
    with transaction.atomic():
        found = ResourceLink.objects.select_for_update(of=("self",)).select_related("context__course").get(pk=link.pk)
        course = found.context.course
        if course is None or problem_set.course_id != course.pk or (item and item.problem_set_id != problem_set.pk):
            raise ConnectionRefused("This set is not one of the course that the link is in.", "problem_set")
        if found.problem_set_id == problem_set.pk and found.set_item_id == (item.pk if item else None):
            return
        found.problem_set, found.set_item = problem_set, item
        found.save(update_fields=["problem_set", "set_item"])
        couple(found)
        noted(
            course=course, actor=actor, deed="lms-link", about=f"{found} → {problem_set}", problem_set=problem_set
        )  # fmt: skip


def couple(link: ResourceLink) -> None:
    """Where a link has a column in the platform's grade book and a set, let the scores of that set go there; where it
    has none, and the platform lets us make columns, one of ours. Inside the caller's transaction; at most three queries
    where nothing is new."""
    if link.problem_set is None or link.problem_set.course_id != link.context.course_id:
        return
    if not link.lineitem_url:
        if link.context.lineitems_url and LINE_ITEM in link.context.scopes:
            _keep_column(link, own_column(link.context, link.problem_set, link.set_item))
        return
    item, is_new = LineItem.objects.get_or_create(
        context=link.context, url=link.lineitem_url,
        defaults={
            "problem_set": link.problem_set, "set_item_id": link.set_item_id, "is_coupled": True,
            "label": link.title[:255],
        },
    )  # fmt: skip
    if not is_new and (item.problem_set_id, item.set_item_id) != (link.problem_set_id, link.set_item_id):
        if item.problem_set.course_id != link.problem_set.course_id:
            # What was told of the people of another course is nothing to those of this one.
            item.scores.all().delete()
        item.problem_set, item.set_item_id = link.problem_set, link.set_item_id
        item.save(update_fields=["problem_set", "set_item"])
        is_new = True
    if item.state in (LineItem.State.GONE, LineItem.State.REFUSED):
        # The platform names it again, so that it is worth another try.
        make_again(item)
    elif is_new:
        want_column(item)
    _keep_column(link, item)


def _keep_column(link: ResourceLink, item: LineItem) -> None:
    if link.line_item_id != item.pk:
        link.line_item = item
        link.save(update_fields=["line_item"])


def _set_before(context: Context, history: Sequence[str]) -> ProblemSet | None:
    """The set of the latest link that this one was copied from, if it is known here, or the copy of that set."""
    if not history:
        return None
    before = ResourceLink.objects.filter(
        context__deployment__registration=context.deployment.registration_id, link_id__in=history
    ).exclude(problem_set=None)
    known = dict(before.values_list("link_id", "problem_set__public_id"))
    found = next((known[link_id] for link_id in history if link_id in known), None)
    return _set_in(context, str(found)) if found else None


def _set_in(context: Context, said: str) -> ProblemSet | None:
    """The set of that public id in the course of a context, or, in a course that was copied, the copy of it."""
    try:
        wanted = uuid.UUID(said)
    except ValueError:
        return None
    rows = ProblemSet.objects.filter(course=context.course_id, retired=False)
    return rows.filter(public_id=wanted).first() or rows.filter(copied_from__public_id=wanted).first()
