"""Taking an answer: read first, stored as pending, and a worker woken once it is committed."""

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from django.db import transaction
from django.db.models import Q

from exercises.actions.draft import lock_and_keep_draft
from exercises.actions.left import LEFT, is_left_behind
from exercises.actions.typed import clean_answers, clean_locale, clean_steps, fingerprint, read_all
from exercises.actions.wake import wake_after_commit
from exercises.limits import MOST_ANSWERS
from exercises.loading import problem_of
from exercises.models import Submission, User, Variant
from exercises.refusals import AnswersRefused, LeftCourse, TriedTooOften, VariantClosed
from grader.reading import Reading

MOST_KEY_CHARACTERS = 64
CLOSED = "The solution of this variant was shown, so it is closed. What you typed is kept; draw another variant."
TOO_MANY = (
    f"You have sent {MOST_ANSWERS} answers to this variant, and no more are taken. Look at the solution, or draw "
    "another variant."
)

Kind = Literal["queued", "answered-now", "already-tried", "duplicate"]


@dataclass(frozen=True)
class Sent:
    """What became of an answer.

    queued         stored, and a worker will mark it
    answered-now   nothing to mark was readable: ``readings`` say what to mend; nothing is stored but the draft
    already-tried  the same answer was sent before on this variant: ``submission`` is that one
    duplicate      this very form was sent before: ``submission`` is what came of it

    ``readings`` holds every asked step, read as typed; ``checked`` the steps that go to the grader.
    """

    kind: Kind
    submission: Submission | None
    readings: Mapping[str, Reading]
    checked: tuple[str, ...] = ()


def send_answer(
    *,
    learner: User,
    variant: Variant,
    answers: Mapping[str, Any],
    checked: Collection[str] | None = None,
    locale: str = "en",
    idempotency_key: str = "",
) -> Sent:
    """Take the learner's answers to ``checked`` steps (None: all) of their own variant.

    ``answers`` maps step names to typed text, or to a list of texts. Steps that are typed but not checked are carried
    forward. A step that cannot be read blocks only itself. Whatever was typed is kept as the variant's draft, also when
    it is not marked. ``idempotency_key`` is one for each rendered form; without it every call is a form of its own.

    Raises AnswersRefused for what is no answer to this problem, VariantClosed after the solution was shown, LeftCourse
    in a set of a course that the learner was taken out of, and TriedTooOften after more answers on one variant than
    anybody needs.
    """
    _refuse_others(learner, variant, idempotency_key)
    problem = problem_of(variant)
    typed = clean_answers(problem, answers)
    wanted = clean_steps(problem, checked)
    locale = clean_locale(locale)
    readings = read_all(problem, variant.parameters, typed, locale)
    marked = tuple(name for name in wanted if readings[name].status != "unreadable")
    answer = Submission(
        variant=variant,
        author=learner,
        answers=typed,
        checked=None if variant.asked is None and len(marked) == len(readings) else list(marked),
        locale=locale,
        idempotency_key=idempotency_key or uuid.uuid4().hex,
        fingerprint=fingerprint(readings, marked),
    )
    is_readable = any(readings[name].status == "read" for name in marked)
    kind, submission = _stored_or_refused(answer, is_readable=is_readable)
    return Sent(kind, submission, readings, marked)


def _refuse_others(learner: User, variant: Variant, idempotency_key: str) -> None:
    if variant.learner_id != learner.pk:
        raise AnswersRefused("This variant was drawn for somebody else.")
    if len(idempotency_key) > MOST_KEY_CHARACTERS or not idempotency_key.isprintable():
        raise AnswersRefused(f"An idempotency key has at most {MOST_KEY_CHARACTERS} characters, all of them printable.")


def _stored_or_refused(answer: Submission, *, is_readable: bool) -> tuple[Kind, Submission | None]:
    """What ``_store`` says, as far as it is no refusal: these are raised with the draft committed."""
    kind, submission = _store(answer, is_readable=is_readable)
    if kind == "left":
        raise LeftCourse(LEFT)
    if kind == "closed":
        raise VariantClosed(CLOSED)
    if kind == "too-many":
        raise TriedTooOften(TOO_MANY)
    return kind, submission


def _store(
    answer: Submission, *, is_readable: bool
) -> tuple[Kind | Literal["left", "closed", "too-many"], Submission | None]:
    """Keep the draft, and the answer itself if it is new and can be marked. One transaction of five queries, six in a
    set."""
    with transaction.atomic():
        lock_and_keep_draft(answer.variant, answer.answers)
        earlier = _earlier(answer) if is_readable else None
        if earlier is not None:
            is_same_form = earlier.idempotency_key == answer.idempotency_key
            return ("duplicate" if is_same_form else "already-tried"), earlier
        if is_left_behind(answer.variant):
            return "left", None
        if answer.variant.is_closed:
            return "closed", None
        if not is_readable:
            return "answered-now", None
        # Every page reads all of them to say how the steps stand.
        if answer.variant.submissions.count() >= MOST_ANSWERS:
            return "too-many", None
        answer.save(force_insert=True)
        wake_after_commit(answer)
    return "queued", answer


def _earlier(answer: Submission) -> Submission | None:
    """The submission that says the same on this variant, rather the one of this form than another.

    One that could not be marked does not count: its learner may try again, but not by a double click.
    """
    same = Submission.objects.filter(variant=answer.variant, fingerprint=answer.fingerprint)
    found = same.filter(Q(idempotency_key=answer.idempotency_key) | ~Q(state=Submission.State.UNGRADABLE))
    return max(found, key=lambda row: (row.idempotency_key == answer.idempotency_key, -row.pk), default=None)
