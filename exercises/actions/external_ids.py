"""What programs call our things: given once, in the transaction that makes the thing."""

from collections.abc import Callable
from typing import TypeVar

from django.db import IntegrityError, transaction
from django.db.models import Model

from exercises.models import ExternalId, User
from exercises.refusals import Refused

Thing = TypeVar("Thing", bound=Model)


class NameTaken(Refused):
    """The program calls another of our things so already, or this one otherwise."""

    code = "external-id-taken"


def put_named(
    *,
    owner: User,
    kind: ExternalId.Kind,
    external_id: str,
    make: Callable[[], Thing],
    change: Callable[[int], Thing],
) -> tuple[Thing, bool]:
    """Change the thing that a program calls so, or make one and call it so; the thing, and whether it was made.

    ``change`` gets the primary key. Both are actions; ``make`` runs in one transaction with its naming, so that of two
    programs at once one makes it and the other changes it.
    """
    named = ExternalId.objects.filter(owner=owner, kind=kind, external_id=external_id)
    target = named.values_list("target", flat=True).first()
    if target is None:
        try:
            with transaction.atomic():
                thing = make()
                ExternalId.objects.create(owner=owner, kind=kind, external_id=external_id, target=thing.pk)
        except IntegrityError:
            target = named.values_list("target", flat=True).first()
            if target is None:  # another rule of the tables than that of names
                raise
        else:
            return thing, True
    return change(target), False


def give_external_id(*, owner: User, kind: ExternalId.Kind, external_id: str, target: int) -> None:
    """Let a program call something that is there already so; the same again changes nothing. Raises NameTaken."""
    try:
        with transaction.atomic():
            ExternalId.objects.get_or_create(owner=owner, kind=kind, external_id=external_id, target=target)
    except IntegrityError:
        raise NameTaken(
            f"The external id {external_id!r} is given to something else, or this has another one already."
        ) from None
