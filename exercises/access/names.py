"""Finding things by what a program calls them. Whether its owner may do anything with them, others say."""

import uuid

from django.http import Http404

from exercises.models import Course, ExternalId, Problem, ProblemSet, User


def target_of(owner: User, kind: ExternalId.Kind, external_id: str) -> int:
    """The primary key of what a program of ``owner`` calls so. One query. Raises Http404."""
    named = ExternalId.objects.filter(owner=owner, kind=kind, external_id=external_id)
    found = named.values_list("target", flat=True).first()
    if found is None:
        raise Http404("There is nothing of that external id.")
    return found


def public_id_of(owner: User, kind: ExternalId.Kind, external_id: str) -> uuid.UUID:
    """Our id of a course or a problem set that a program of ``owner`` calls so. One query. Raises Http404."""
    named = ExternalId.objects.filter(owner=owner, kind=kind, external_id=external_id).values("target")
    if kind == ExternalId.Kind.COURSE:
        found = Course.objects.filter(pk__in=named).values_list("public_id", flat=True).first()
    else:
        found = ProblemSet.objects.filter(pk__in=named).values_list("public_id", flat=True).first()
    if found is None:
        raise Http404("There is nothing of that external id.")
    return found


def slug_of(owner: User, external_id: str) -> str:
    """The slug of a problem that a program of ``owner`` calls so. One query. Raises Http404."""
    named = ExternalId.objects.filter(owner=owner, kind=ExternalId.Kind.PROBLEM, external_id=external_id)
    found = Problem.objects.filter(pk__in=named.values("target")).values_list("slug", flat=True).first()
    if found is None:
        raise Http404("There is nothing of that external id.")
    return found
