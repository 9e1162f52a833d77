"""What an export tells of the account itself, of keys and platforms, and of what its person did for others."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from oauth2_provider.models import get_access_token_model

from exercises.actions.privacy.batches import has_acted, in_batches, rows_of, singular
from exercises.actions.privacy.kinds import links_of
from exercises.actions.privacy.told import LATER, Rows
from exercises.actions.privacy.withholding import Withheld
from exercises.models import AccessToken, Client, ExternalId, LmsScore, PlatformUser, User

#: What an act is called by, and when it was done, where its row says so.
_NAMED_BY = ("deed", "kind", "state", "title", "url", "name")
_AT = ("at", "created_at", "edited_at", "settled_at", "decided_at", "seen_at")


def account(person: User, _: Withheld) -> Rows:
    yield {
        "username": person.username, "first_name": person.first_name, "last_name": person.last_name,
        "email": person.email, "has_password": person.has_usable_password(), "joined_at": person.date_joined,
        "last_signed_in_at": person.last_login, "is_active": person.is_active,
        "may_write_problems": person.is_instructor,
        "runs_the_service": person.is_staff or person.is_superuser,
        "addresses": list(EmailAddress.objects.filter(user=person).values("email", "verified", "primary")),
        "second_steps": list(Authenticator.objects.filter(user=person).values("type", "created_at", "last_used_at")),
    }  # fmt: skip


def keys(person: User, _: Withheld) -> Rows:
    for token in AccessToken.objects.filter(user=person).select_related("course").order_by("pk"):
        yield {
            "kind": "token", "name": token.label, "scopes": token.scopes, "course": token.course and str(token.course),
            "made_at": token.created_at, "ends_at": token.expires_at, "revoked_at": token.revoked_at,
            "last_used_at": token.last_used_at,
        }  # fmt: skip
    for client in Client.objects.filter(user=person).select_related("course").order_by("pk"):
        yield {
            "kind": "system", "name": client.name, "scopes": client.scopes, "made_at": client.created,
            "course": client.course and str(client.course), "last_used_at": client.last_used_at,
        }  # fmt: skip
    for issued in get_access_token_model().objects.filter(user=person).order_by("pk"):
        yield {"kind": "token of a system", "made_at": issued.created, "ends_at": issued.expires}


def platforms(person: User, withheld: Withheld) -> Rows:
    rows = PlatformUser.objects.filter(user=person).select_related("registration").order_by("pk")
    for row in rows.prefetch_related("memberships__context"):
        yield {
            "platform": row.registration.name, "sub": row.sub, "name": row.name, "email": row.email,
            "account_made_by_launch": row.is_made_here, "since": row.created_at, "seen_at": row.seen_at,
            "courses": [
                {"course": str(one.context), "roles": one.roles, "status": one.status, "seen_at": one.seen_at}
                for one in row.memberships.all()
            ],
            "scores": [_score(one, withheld) for one in _scores(row)],
        }  # fmt: skip


def _scores(row: PlatformUser) -> list[LmsScore]:
    return list(LmsScore.objects.filter(platform_user=row).select_related("line_item").order_by("pk"))


def _score(row: LmsScore, withheld: Withheld) -> dict[str, Any]:
    is_hidden = withheld.hides_set(row.line_item.problem_set_id)
    return {
        "column": row.line_item.label, "state": row.state, "sent_at": row.sent_at,
        "sent": LATER if is_hidden else row.sent, "shown": LATER if is_hidden else row.shown,
        "comment": LATER if is_hidden else row.comment,
    }  # fmt: skip


def names(person: User, _: Withheld) -> Rows:
    for row in ExternalId.objects.filter(owner=person).order_by("pk"):
        yield {"given_by": "you", "to": row.kind, "name": row.external_id, "at": row.created_at}
    for row in ExternalId.objects.filter(kind=ExternalId.Kind.PERSON, target=person.pk).exclude(owner=person):
        yield {"given_by": "a program of the institution", "to": "you", "name": row.external_id, "at": row.created_at}


def acts(person: User, _: Withheld) -> Rows:
    """What somebody did, without whom it was done to: that is in the exports of others."""
    for label, path, link in links_of("goes", "act", has_acted=has_acted(person)):
        if link.file == "acts.json":
            for batch in in_batches(rows_of(label).filter(**{path: person})):
                for row in batch:
                    yield {"thing": singular(label), "as": path.replace("_", " "), **_act(row)}


def _act(row: Any) -> dict[str, Any]:
    at = next((value for name in _AT if (value := getattr(row, name, None)) is not None), None)
    what = next((value for name in _NAMED_BY if isinstance(value := getattr(row, name, None), str) and value), "")
    return {"what": what, "at": at}
