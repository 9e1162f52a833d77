"""Columns in the grade books of platforms: their own, which links bring along, and ours, which are made there once."""

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from exercises import clock
from exercises.actions.audit import noted
from exercises.actions.due import in_turns, pass_behind, take_first
from exercises.actions.lms.outbox import want_column
from exercises.actions.lms.refusals import ConnectionRefused
from exercises.actions.lms.resting import has_answered, has_failed, is_awake
from exercises.actions.lms.service_client import Denied, Unavailable, call_service, read_pages, refusal
from exercises.lti.content import TAG
from exercises.lti.grade_books import AnswerUnread, Column, column_of, columns_of, read_json
from exercises.lti.scores import number
from exercises.lti.services import LINE_ITEM, LINE_ITEM_READ, LINE_ITEM_TYPE, LINE_ITEMS_TYPE, asked_with, least
from exercises.models import Context, LineItem, ProblemSet, Registration, ResourceLink, SetItem, User
from exercises.queries.gradebook import maxima
from exercises.queries.lms_scores import of_its_course
from exercises.queries.set_items import items_in_use

#: Seconds after which a column that a worker was making is another one's to make.
LEASE_SECONDS = 60
#: Seconds after which a platform lets others pass that wait.
SLICE_SECONDS = 1.0
#: Of one grade book.
MOST_PAGES = 20
State = LineItem.State
NO_SERVICE = (
    "The platform does not let this tool make columns: in its settings there, let the grade service manage columns, "
    "then open a link of the course once more."
)

ELSEWHERE = (
    "This column is of a set of another course than the platform's leads to now: open a link of the set there, and the "
    "column follows it."
)


def own_column(context: Context, problem_set: ProblemSet, item: SetItem | None = None) -> LineItem:
    """The column of ours for a set, or for one item of it: made at the platform soon, once however often it is asked
    for. Inside the caller's transaction; at most three queries."""
    name = f"{problem_set.title}: {item.problem.title}" if item else problem_set.title
    of_item = f"-{item.pk}" if item else ""
    found, is_new = LineItem.objects.get_or_create(
        context=context, problem_set=problem_set, set_item=item, is_coupled=False,
        defaults={
            "resource_id": f"{problem_set.public_id}{of_item}", "tag": TAG, "label": name[:255],
            "maximum": points_of(problem_set, item), "state": State.WANTED,
        },
    )  # fmt: skip
    if not is_new and found.state in (State.GONE, State.REFUSED):
        make_again(found)
    elif is_new:
        want_column(found)
    return found


def ask_for_column(*, actor: User, context: Context, problem_set: ProblemSet, item: SetItem | None = None) -> LineItem:
    """Let the platform have a column for a set of the context's course, or one item. Raises ConnectionRefused."""
    course = context.course
    if course is None or problem_set.course_id != course.pk:
        raise ConnectionRefused("This set is not one of the course that is connected.", "problem_set")
    if not context.lineitems_url or LINE_ITEM not in context.scopes:
        raise ConnectionRefused(NO_SERVICE)
    with transaction.atomic():
        column = own_column(context, problem_set, item)
        noted(
            course=course, actor=actor, deed="lms-column", about=f"{column} in {context}", problem_set=problem_set
        )  # fmt: skip
    return column


def ask_for_item_columns(*, actor: User, column: LineItem) -> int:
    """Let the platform have a column for each item of the set of a column; how many items there are. Raises
    ConnectionRefused."""
    context = Context.objects.select_related("course").get(pk=column.context_id)
    items = items_in_use(column.problem_set)
    for item in items:
        ask_for_column(actor=actor, context=context, problem_set=column.problem_set, item=item)
    return len(items)


def make_again(column: LineItem) -> None:
    """Take up a column that was gone or refused: one of ours is looked for, and made where there is none; one of the
    platform's is tried once more. Everything in it is sent again. Raises ConnectionRefused for one that is of a course
    that the platform's leads to no more."""
    if column.context.course_id != column.problem_set.course_id:
        raise ConnectionRefused(ELSEWHERE)
    with transaction.atomic():
        column.state, column.why = State.ACTIVE, ""
        column.due_at, column.lease_token = clock.now(), None
        if not column.is_coupled:
            column.state, column.url = State.WANTED, ""
        column.save(update_fields=["state", "why", "due_at", "lease_token", "url"])
        column.scores.update(sent_version=0)
        want_column(column)


def points_of(problem_set: ProblemSet, item: SetItem | None = None) -> Decimal:
    """The maximum of a column: the points of its set or item; a hundred where there are none yet, or parts of
    one, which Open edX does not take."""
    points = item.share * item.variants if item else maxima([problem_set])[problem_set.pk]
    return Decimal(points.numerator) if points.denominator == 1 and 0 < points < 10**7 else Decimal(100)


def tend_columns(seconds: float) -> int:
    """Make the columns that are wanted, and look at those that were not looked at lately, for about so many seconds;
    how many. A platform that takes its time keeps the others waiting for a call or two, not for all of its columns."""
    return in_turns(
        seconds, take=_claimed, work=_tend, whose=lambda column: _registration(column).pk, share=SLICE_SECONDS,
        let_pass=_let_pass,
    )  # fmt: skip


def look_at_all() -> int:
    """Let all columns be looked at again: they are renamed, and count up to something else. For a task of the night."""
    return LineItem.objects.filter(state=State.ACTIVE, due_at=None).update(due_at=clock.now())


def _due() -> QuerySet[LineItem]:
    registration = "context__deployment__registration"
    return LineItem.objects.filter(
        is_awake(f"{registration}__"), of_its_course(), due_at__lte=clock.now(), state__in=(State.WANTED, State.ACTIVE),
        **{f"{registration}__state": Registration.State.ACTIVE},
    )  # fmt: skip


def _let_pass(platform: int, seconds: float) -> None:
    mine = Q(context__deployment__registration=platform)
    waiting = LineItem.objects.filter(pk__in=_due().filter(mine).values("pk"), due_at__lte=clock.now())
    pass_behind(_due().exclude(mine), waiting, seconds)


def _claimed() -> LineItem | None:
    """The column that is due first, held for this worker; None if none is due."""
    pk = take_first(_due().order_by("due_at", "pk"), seconds=LEASE_SECONDS)
    rows = LineItem.objects.select_related("context__deployment__registration", "problem_set")
    return None if pk is None else rows.filter(pk=pk).first()


def _tend(column: LineItem) -> None:
    registration = _registration(column)
    try:
        if column.state == State.WANTED:
            _keep_made(column, _found(column) or _made(column))
        else:
            _look(column)
    except Unavailable as failure:
        has_failed(registration, failure)
        # The platform rests; then it is this one's turn again.
        _held(column).update(due_at=clock.now(), lease_token=None, why=failure.message[:500])
        return
    except Denied as denied:
        state = State.GONE if denied.status in (404, 410) and column.state == State.ACTIVE else State.REFUSED
        why = "The platform says that this column was deleted there (404)." if state == State.GONE else denied.message
        # Not over what somebody has asked for while the platform was saying no.
        _held(column).update(state=state, why=why[:500])
    has_answered(registration)
    _held(column).update(due_at=None, lease_token=None)


def _held(column: LineItem) -> QuerySet[LineItem]:
    """The column, as long as this worker holds it: whoever wants it looked at meanwhile takes it away."""
    return LineItem.objects.filter(pk=column.pk, lease_token=column.lease_token)


def _registration(column: LineItem) -> Registration:
    return column.context.deployment.registration


def _found(column: LineItem) -> Column | None:
    """The column, where the platform has it already: a call whose answer was lost makes no second one."""
    context = column.context
    scope = least([LINE_ITEM_READ, LINE_ITEM], context.scopes)
    if not context.lineitems_url or not scope:
        raise Denied(NO_SERVICE)
    asked = asked_with(context.lineitems_url, resource_id=column.resource_id, tag=column.tag)
    for one in _columns(context, asked, scope):
        if (one.resource_id, one.tag) == (column.resource_id, column.tag):
            return one
    return None


def _columns(context: Context, asked: str, scope: str) -> Iterator[Column]:
    registration = context.deployment.registration
    try:
        pages = read_pages(registration, asked, scope=scope, accept=LINE_ITEMS_TYPE, most=MOST_PAGES)
        for page, _ in pages:
            yield from columns_of(page)
    except AnswerUnread as unread:
        raise Denied(unread.message) from None


def _made(column: LineItem) -> Column:
    context = column.context
    if LINE_ITEM not in context.scopes:
        raise Denied(NO_SERVICE)
    body: dict[str, Any] = {
        "label": column.label, "scoreMaximum": number(Fraction(column.maximum)), "resourceId": column.resource_id,
        "tag": column.tag,
    }  # fmt: skip
    links = ResourceLink.objects.filter(context=context, problem_set=column.problem_set_id, set_item=column.set_item_id)
    if link := links.order_by("pk").first():
        body["resourceLinkId"] = link.link_id
    answer = call_service(
        context.deployment.registration, "POST", context.lineitems_url, scope=LINE_ITEM, body=body,
        kind=LINE_ITEM_TYPE, accept=LINE_ITEM_TYPE,
    )  # fmt: skip
    if answer.status not in (200, 201):
        raise refusal(answer)
    try:
        return column_of(read_json(answer.text))
    except AnswerUnread as unread:
        raise Denied(unread.message, status=answer.status) from None


def _keep_made(column: LineItem, found: Column) -> None:
    try:
        with transaction.atomic():
            # Not where the course was disconnected meanwhile.
            LineItem.objects.filter(pk=column.pk, state=State.WANTED).update(
                url=found.url, label=found.label or column.label, maximum=_maximum(column, found), why="",
                state=State.ACTIVE,
            )  # fmt: skip
    except IntegrityError:
        # It is the very column that a link brought along: one is enough.
        column.delete()


def _look(column: LineItem) -> None:
    """Follow a column that was renamed or counts up to something else. One that we may not look at is left as it is."""
    scope = least([LINE_ITEM_READ, LINE_ITEM], column.context.scopes)
    if not scope:
        return
    registration = column.context.deployment.registration
    answer = call_service(registration, "GET", column.url, scope=scope, accept=LINE_ITEM_TYPE)
    if answer.status in (401, 403):
        return
    if answer.status != 200:
        raise refusal(answer)
    try:
        found = column_of(read_json(answer.text))
    except AnswerUnread:
        return
    maximum = _maximum(column, found)
    has_moved = maximum != column.maximum
    column.label, column.maximum, column.why = found.label or column.label, maximum, ""
    column.save(update_fields=["label", "maximum", "why"])
    if has_moved:
        with transaction.atomic():
            want_column(column)


def _maximum(column: LineItem, found: Column) -> Decimal:
    if found.maximum is None:
        return column.maximum
    return (Decimal(found.maximum.numerator) / Decimal(found.maximum.denominator)).quantize(Decimal("0.0001"))
