"""What platforms are to be told: one row for each column and person, counted up in the transaction of whatever moved
their score. What it says is worked out when it is sent, so that of many changes only the last one goes out."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping

from django.db import transaction
from django.db.models import Case, F, Q, QuerySet, Value, When

from exercises import clock
from exercises.actions.audit import noted
from exercises.models import (
    Attempt,
    Context,
    LineItem,
    LmsScore,
    Membership,
    Override,
    PlatformUser,
    ProblemSet,
    Role,
    User,
)
from exercises.queries.lms_scores import of_its_course

#: What comes within so long goes out together.
DEBOUNCE = dt.timedelta(seconds=2)
TOLD = (LineItem.State.WANTED, LineItem.State.ACTIVE)
_BATCH = 500


def want_attempts(attempts: Iterable[int]) -> None:
    """Let platforms be told what these attempts come to, inside the transaction that changed it. One query where no
    platform keeps a column for their sets, none where there is no attempt; at most six, however many there are.

    Rows are taken after attempts, in one order.
    """
    wanted = list(attempts)
    if not wanted:
        return
    rows = Attempt.objects.filter(
        pk__any_of=wanted, is_preview=False, problem_set__line_items__state__in=TOLD
    ).order_by()
    want_pairs(rows.values_list("problem_set_id", "learner_id").distinct())


def want_pairs(pairs: Iterable[tuple[int, int]]) -> None:
    """... what these learners have in these sets, given as (set, learner). As ``want_attempts``."""
    learners: dict[int, set[int]] = defaultdict(set)
    for problem_set, learner in pairs:
        learners[problem_set].add(learner)
    if learners:
        _want(LineItem.objects.filter(problem_set__in=list(learners), state__in=TOLD), learners)


def want_set(problem_set: ProblemSet) -> None:
    """... what everybody has in a set: results were released, or count in another way. One query."""
    rows = LmsScore.objects.filter(line_item__problem_set=problem_set, line_item__state__in=TOLD)
    _count_up(sorted(rows.values_list("pk", flat=True)))


def want_column(column: LineItem) -> None:
    """... a column whatever there is so far: it is new there, was missing for a while, or is another set's now. Nine
    queries at most."""
    if column.state in TOLD:
        _count_up(sorted(column.scores.values_list("pk", flat=True)))
        _want(LineItem.objects.filter(pk=column.pk), {column.problem_set_id: _worked_at(column.problem_set_id)})


def want_person(context: Context, person: PlatformUser, *, is_back: bool = False) -> None:
    """... what somebody has in the sets of a course already, who came from the platform only now, or is back. One query
    where there is no column, three where nothing is missing."""
    columns = list(LineItem.objects.filter(context=context, state__in=TOLD))
    if not columns:
        return
    rows = LmsScore.objects.filter(line_item__in=columns, platform_user=person)
    owed = rows.filter(due_at=None, sent_version__lt=F("version")).exclude(state=LmsScore.State.FAILED)
    _count_up(sorted((rows if is_back else owed).values_list("pk", flat=True)))
    has_attempt = Q(attempts__learner=person.user_id, attempts__is_preview=False)
    sets = ProblemSet.objects.filter(has_attempt, line_items__in=columns)
    known = LmsScore.objects.filter(platform_user=person).values("line_item")
    missing = sets.exclude(line_items__in=known).distinct().values_list("pk", flat=True)
    want_pairs((pk, person.user_id) for pk in missing)


def resend(*, actor: User, column: LineItem, score: int | None = None, only_failed: bool = False) -> int:
    """Send one ``score`` of a column once more, those that failed, or all of them, whatever the platform was told; how
    many. One transaction, with its entry in the audit trail."""
    rows = LmsScore.objects.filter(of_its_course("line_item__"), line_item=column)
    if score is not None:
        rows = rows.filter(pk=score)
    if only_failed:
        rows = rows.filter(state=LmsScore.State.FAILED)
    with transaction.atomic():
        pks = sorted(rows.values_list("pk", flat=True))
        LmsScore.objects.filter(pk__any_of=pks).update(sent_version=0)
        _count_up(pks, after=dt.timedelta())
        course = column.problem_set.course
        noted(
            course=course, actor=actor, deed="lms-resend", about=f"{column}: {len(pks)}", problem_set=column.problem_set
        )
    return len(pks)


def read_again(column: LineItem) -> int:
    """Look up what the platform shows in a column; of how many people. It is read by the sender, soon."""
    rows = LmsScore.objects.filter(line_item=column, state=LmsScore.State.SENT, lease_token=None)
    LineItem.objects.filter(pk=column.pk).update(due_at=clock.now(), lease_token=None)
    return rows.update(read_at=None, due_at=clock.now())


def _worked_at(problem_set: int) -> set[int]:
    rows = Attempt.objects.filter(problem_set=problem_set, is_preview=False).order_by()
    given = Override.objects.filter(problem_set=problem_set, item=None, withdrawn_at=None).order_by()
    return {*rows.values_list("learner_id", flat=True), *given.values_list("learner_id", flat=True)}


def _want(columns: QuerySet[LineItem], learners: Mapping[int, Iterable[int]]) -> None:
    """Count up the rows of these learners in these columns, by set; those that are missing are made. Only who is a
    learner of the platform's course and still in it has a place in its grade book."""
    found = list(columns.filter(of_its_course()))
    users = {learner for several in learners.values() for learner in several}
    if not found or not users:
        return
    members = Membership.objects.filter(
        context__in={one.context_id for one in found}, platform_user__user__any_of=sorted(users), role=Role.LEARNER,
        status=Membership.Status.ACTIVE,
    ).order_by()  # fmt: skip
    people: dict[tuple[int, int], list[int]] = defaultdict(list)
    for context, person, user in members.values_list("context_id", "platform_user_id", "platform_user__user_id"):
        people[context, user].append(person)
    wanted = sorted(
        (column.pk, person)
        for column in found
        for learner in learners.get(column.problem_set_id, ())
        for person in people.get((column.context_id, learner), ())
    )
    if not wanted:
        return
    now = clock.now()
    LmsScore.objects.bulk_create(
        [LmsScore(line_item_id=column, platform_user_id=person, version=0, due_at=now) for column, person in wanted],
        ignore_conflicts=True, batch_size=_BATCH,
    )  # fmt: skip
    pairs = set(wanted)
    rows = LmsScore.objects.filter(
        line_item__in={column for column, _ in pairs}, platform_user__any_of=sorted({person for _, person in pairs})
    ).order_by("pk")
    pks = [pk for pk, *pair in rows.values_list("pk", "line_item_id", "platform_user_id") if tuple(pair) in pairs]
    _count_up(pks)


def _count_up(pks: list[int], *, after: dt.timedelta = DEBOUNCE) -> None:
    """Let these be sent soon; one that is being sent just now will be looked at once more after that."""
    for start in range(0, len(pks), _BATCH):
        some = pks[start : start + _BATCH]
        # Taken in one order: two regrades never wait for one another.
        held = LmsScore.objects.select_for_update(no_key=True).filter(pk__any_of=some).order_by("pk")
        LmsScore.objects.filter(pk__any_of=list(held.values_list("pk", flat=True))).update(
            version=F("version") + 1, state=LmsScore.State.PENDING, tries=0, why="",
            due_at=Case(When(lease_token=None, then=Value(clock.now() + after)), default=F("due_at")),
        )  # fmt: skip
