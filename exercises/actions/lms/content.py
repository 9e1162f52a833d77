"""Answering a platform that asked for content: the links that were chosen, signed."""

import secrets
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

from exercises.actions.audit import noted
from exercises.actions.lms.columns import points_of
from exercises.actions.lms.refusals import ConnectionRefused
from exercises.actions.lms.service_client import Unavailable, signed
from exercises.lti.content import Chosen, content_item, response_claims, takes_links
from exercises.lti.launch import DeepLinkingSettings
from exercises.models import Context, ProblemSet, User

#: Links in one answer.
MOST = 100


@dataclass(frozen=True)
class Response:
    """What a browser is to post to the platform, and where."""

    address: str
    token: str
    count: int


def settings_kept(kept: object) -> DeepLinkingSettings | None:
    """What the platform asked for, as a session keeps it; None where it keeps none."""
    if not isinstance(kept, Mapping):
        return None
    names = {one.name for one in fields(DeepLinkingSettings)}
    said: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in kept.items() if name in names
    }
    return DeepLinkingSettings(**said)


def answer_with_links(
    *,
    actor: User,
    context: Context,
    asked: DeepLinkingSettings,
    problem_sets: Iterable[ProblemSet],
    with_columns: bool,
    launch_url: str,
) -> Response:
    """Answer with a link for each of these sets of the context's course, in their order; with a column where it is
    wanted and taken. Raises ConnectionRefused for what the platform did not ask for."""
    chosen = list(problem_sets)
    course = context.course
    if not takes_links(asked):
        raise ConnectionRefused("The platform asks for something else than links to exercises.")
    if course is None or any(one.course_id != course.pk for one in chosen):
        raise ConnectionRefused("These sets are not of the course that is connected.", "problem_sets")
    if not chosen:
        raise ConnectionRefused("Choose a set.", "problem_sets")
    if len(chosen) > (MOST if asked.accept_multiple else 1):
        most = f"at most {MOST} links" if asked.accept_multiple else "one link"
        raise ConnectionRefused(f"The platform takes {most} at once.", "problem_sets")
    has_columns = with_columns and asked.accept_lineitem
    items = [content_item(_chosen(one, has_column=has_columns), launch_url=launch_url) for one in chosen]
    response = _signed(context, asked, items)
    for one in chosen:
        noted(course=course, actor=actor, deed="lms-content", about=f"{one} → {context}", problem_set=one)
    return response


def answer_with_nothing(*, context: Context, asked: DeepLinkingSettings) -> Response:
    """Go back to the platform without a link. Raises ConnectionRefused."""
    return _signed(context, asked, [])


def _signed(context: Context, asked: DeepLinkingSettings, items: list[dict[str, Any]]) -> Response:
    deployment = context.deployment
    claims = response_claims(
        asked, items, issuer=deployment.registration.issuer, client_id=deployment.registration.client_id,
        deployment_id=deployment.deployment_id, nonce=secrets.token_urlsafe(24), now=int(time.time()),
    )  # fmt: skip
    try:
        return Response(asked.return_url, signed(claims, deployment.registration), len(items))
    except Unavailable as broken:
        raise ConnectionRefused(broken.message) from None


def _chosen(problem_set: ProblemSet, *, has_column: bool) -> Chosen:
    return Chosen(
        public_id=str(problem_set.public_id), title=problem_set.title,
        maximum=Fraction(points_of(problem_set)) if has_column else None, opens_at=problem_set.opens_at,
        closes_at=problem_set.closes_at, due_at=problem_set.due_at,
    )  # fmt: skip
