"""The queue of scores: what is due is worked out, sent and read back, until it is there or somebody has to look."""

import datetime as dt
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.db.models import F, Q

from exercises import clock
from exercises.actions.due import after, in_turns, pass_behind, take_first
from exercises.actions.lms.resting import has_answered, has_failed, is_awake
from exercises.actions.lms.service_client import Denied, Unavailable, call_service, read_pages, refusal
from exercises.lti.grade_books import AnswerUnread, is_shown, results_of
from exercises.lti.scores import Said, body_of, next_stamp, to_send
from exercises.lti.services import RESULT_READ, RESULTS_TYPE, SCORE, SCORE_TYPE, asked_with, below, least
from exercises.models import LineItem, LmsScore, Membership, Registration
from exercises.outgoing import Answer
from exercises.queries.lms_scores import of_its_course, standings

#: Seconds until the second try of one score, the third and so on; five days altogether.
WAITS = (5, 30, 120, 600, 1800, 3600, *[2 * 3600] * 4, *[6 * 3600] * 6, *[12 * 3600] * 6)
#: ... of a timestamp that the platform calls older than what it has.
LATER = (2, 10, 60, *WAITS[3:])
#: Seconds that a row is held by the worker that sends it; and after which one that waits to be marked is looked at.
LEASE_SECONDS, LOOK_AGAIN_SECONDS = 60, 15
#: Seconds after which a platform lets others pass that wait.
SLICE_SECONDS = 1.0
MOST_KEPT = 500
#: Pages of results that are looked through for one person.
MOST_PAGES = 10
#: A comment that none of ours is.
ANOTHER = "\0"
_CONFLICT, _GONE = 409, (404, 410)
State = LmsScore.State


def send_due(seconds: float) -> int:
    """Send the scores that are due, one after the other, for about so many seconds; how many were looked at. A platform
    that takes its time keeps the others waiting for a call or two, not for all of its scores."""
    return in_turns(
        seconds, take=_claimed, work=_send, whose=lambda row: _registration(row).pk, share=SLICE_SECONDS,
        let_pass=_let_pass,
    )  # fmt: skip


def _let_pass(platform: int, seconds: float) -> None:
    now = clock.now()
    mine = Q(line_item__context__deployment__registration=platform)
    waiting = LmsScore.objects.filter(pk__in=_due(now).filter(mine).values("pk"), due_at__lte=now)
    pass_behind(_due(now).exclude(mine), waiting, seconds)


def is_anything_due() -> bool:
    """Whether more waits to be sent now. One query."""
    return _due(clock.now()).exists()


def _due(now: dt.datetime) -> Any:
    # A column that is still to be made has no address yet; of one that is gone there is nothing to send to.
    return LmsScore.objects.filter(
        is_awake("line_item__context__deployment__registration__"), of_its_course("line_item__"), due_at__lte=now,
        line_item__state=LineItem.State.ACTIVE,
        line_item__context__deployment__registration__state=Registration.State.ACTIVE,
    )  # fmt: skip


def _claimed() -> LmsScore | None:
    """The score that is due first, held for this worker by moving its time ahead; None if none is due.

    Those that failed least come first: one that a platform chokes on keeps no other waiting.
    """
    first = _due(clock.now()).order_by("tries", "due_at", "pk")
    pk = take_first(first, seconds=LEASE_SECONDS, tries=F("tries") + 1)
    if pk is None:
        return None
    rows = LmsScore.objects.select_related(
        "platform_user", "line_item__set_item", "line_item__problem_set__course",
        "line_item__context__deployment__registration",
    )  # fmt: skip
    return rows.filter(pk=pk).first()


def _send(row: LmsScore) -> None:
    column, person = row.line_item, row.platform_user
    standing = standings(column.problem_set, [person.user_id], item=column.set_item)[person.user_id]
    maximum = Fraction(column.maximum)
    before = row.sent if row.sent_version else _without_score(row.sent)
    said = to_send(standing.said, before, maximum)
    again = LOOK_AGAIN_SECONDS if standing.waits else 0
    if said is None:
        _settle_unsent(row, again)
        return
    if not _is_member(row):
        # It is owed still, and sent when they are back: ``sent_version`` stays behind.
        _let_go(row, is_done=True, state=State.SENT if row.sent else State.PENDING, tries=0)
        return
    now = clock.now()
    at = next_stamp(now, row.last_timestamp)
    if at is None:
        _let_go(row, wait=1.0, tries=row.tries - 1)
        return
    body = body_of(said, user=person.sub, maximum=maximum, at=at)
    # Kept before it is sent: a worker that is killed meanwhile leaves no time that is used twice.
    if not LmsScore.objects.filter(pk=row.pk, lease_token=row.lease_token).update(last_timestamp=at):
        return
    try:
        answer = _posted(row, body)
    except Unavailable as failure:
        _keep_failure(row, failure)
    except Denied as denied:
        _stop(row, denied)
    else:
        has_answered(_registration(row))
        _keep_answer(row, said, body, answer, again)


def _posted(row: LmsScore, body: Mapping[str, Any]) -> Answer:
    column = row.line_item
    if not column.context.scopes or not (scope := least([SCORE], column.context.scopes)):
        raise Denied(
            "The platform does not let this tool send scores: in its settings there the grade service is off. Switch "
            "it on, then open a link of the course once more."
        )
    return call_service(
        _registration(row), "POST", below(column.url, "scores"), scope=scope, body=body, kind=SCORE_TYPE
    )


def _keep_answer(row: LmsScore, said: Said, body: Mapping[str, Any], answer: Answer, again: int) -> None:
    """Write down what the platform answered, and what it shows now."""
    told: dict[str, Any] = {"last_status": answer.status, "last_answer": answer.text[:MOST_KEPT].replace("\0", "")}
    if _is_taken_as_older(answer):
        shown = _read_back(row)
        told |= _reading(shown)
        if shown is None or not is_shown(body, shown):
            said_why = "The platform has something newer, by its own clock, and takes this later."
            _keep_later(row, LATER, told, said_why)
            return
    elif not 200 <= answer.status < 300:
        _stop(row, refusal(answer))
        return
    else:
        told |= _reading(_read_back(row))
    share = said.score.as_integer_ratio() if said.score is not None else (None, None)
    told |= {
        "sent": dict(body), "sent_at": clock.now(), "sent_version": row.version,
        "score_numerator": share[0], "score_denominator": share[1], "activity_progress": said.activity,
        "grading_progress": said.grading, "comment": said.comment[:500], "submitted_at": said.submitted_at, "why": "",
    }  # fmt: skip
    _let_go(row, wait=again, is_done=not again, state=State.SENT, tries=0, **told)


def _is_taken_as_older(answer: Answer) -> bool:
    """Most answer 409; the consumer of Open edX answers 400 and speaks of the timestamp."""
    return answer.status == _CONFLICT or (answer.status == 400 and "timestamp" in answer.text.lower())


def _read_back(row: LmsScore) -> dict[str, Any] | None:
    """What the platform shows of somebody now; None where it does not tell. A score that has arrived has arrived,
    whatever becomes of this."""
    column, user = row.line_item, row.platform_user.sub
    if not (scope := least([RESULT_READ], column.context.scopes)):
        return None
    address = asked_with(below(column.url, "results"), user_id=user)
    try:
        # Some platforms pay no heed to whom it is about, and send everybody's.
        pages = read_pages(_registration(row), address, scope=scope, accept=RESULTS_TYPE, most=MOST_PAGES)
        found = next((one for page, _ in pages for one in results_of(page) if one.user == user), None)
    except (Unavailable, Denied, AnswerUnread):
        return None
    return found.plain() if found else {"score": None, "maximum": None, "comment": ""}


def _reading(shown: dict[str, Any] | None) -> dict[str, Any]:
    return {} if shown is None else {"shown": shown, "read_at": clock.now()}


def _settle_unsent(row: LmsScore, again: int) -> None:
    """There is nothing new to send: at most what stands there is looked up."""
    if row.sent is None:
        _let_go(row, wait=again, is_done=not again, state=State.PENDING, tries=0, sent_version=row.version)
        return
    reading = {} if row.read_at else _reading(_read_back(row))
    _let_go(row, wait=again, is_done=not again, state=State.SENT, tries=0, sent_version=row.version, **reading)


def _keep_failure(row: LmsScore, failure: Unavailable) -> None:
    """It is tried again later; and so is everything else for this platform, which is left in peace until then."""
    has_failed(_registration(row), failure)
    _keep_later(row, WAITS, {"last_status": failure.status}, failure.message, at_least=failure.wait)


def _keep_later(row: LmsScore, waits: tuple[int, ...], told: Mapping[str, Any], why: str, *, at_least: int = 0) -> None:
    if row.tries > len(waits):
        why = f"{why} It was tried for days and is not tried again by itself."
        _let_go(row, is_done=True, state=State.FAILED, why=why[:MOST_KEPT], **told)
        return
    wait = max(after(waits, row.tries), at_least)
    _let_go(row, wait=wait, state=State.PENDING, why=why[:MOST_KEPT], **told)


def _stop(row: LmsScore, denied: Denied) -> None:
    """The platform would say no again: somebody who teaches has to look."""
    told: dict[str, Any] = {"last_status": denied.status, "last_answer": denied.answer[:MOST_KEPT].replace("\0", "")}
    _let_go(row, is_done=True, state=State.FAILED, why=denied.message[:MOST_KEPT], **told)
    if denied.status in _GONE:
        why = "The platform says that this column was deleted there (404)."
        LineItem.objects.filter(pk=row.line_item_id).update(state=LineItem.State.GONE, why=why)


def _let_go(row: LmsScore, *, wait: float = 0.0, is_done: bool = False, **values: Any) -> None:
    """Write what came of it, if this worker still holds the row. What was wanted meanwhile is due at once."""
    with transaction.atomic():
        rows = LmsScore.objects.select_for_update(no_key=True).filter(pk=row.pk, lease_token=row.lease_token)
        held = rows.first()
        if held is None:
            return
        values["lease_token"] = None
        values["due_at"] = None if is_done else clock.now() + dt.timedelta(seconds=wait)
        if held.version != row.version:
            values |= {"state": State.PENDING, "due_at": clock.now() + dt.timedelta(seconds=1), "tries": 0, "why": ""}
            if values.get("sent_version"):
                # As far as it was counted then.
                values["sent_version"] = row.version
        LmsScore.objects.filter(pk=row.pk).update(**values)


def _without_score(sent: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """What was sent, as if it had said another score: so that the same is sent once more, and nothing that would erase
    a grade."""
    return None if sent is None else {**sent, "comment": ANOTHER}


def _is_member(row: LmsScore) -> bool:
    """Whether somebody still is a learner of the platform's course: of nobody else it takes a score. One query."""
    members = Membership.objects.filter(context=row.line_item.context_id, platform_user=row.platform_user_id)
    return members.filter(role="learner", status=Membership.Status.ACTIVE).exists()


def _registration(row: LmsScore) -> Registration:
    return row.line_item.context.deployment.registration
