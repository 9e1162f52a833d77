"""Who is in a course: lists of its people, one of them, its groups, and the roster as it goes out."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Count, F, Prefetch, Q, QuerySet, Value
from django.db.models.functions import Coalesce, Lower, NullIf

from exercises.courses.rights import Right, roles_with
from exercises.courses.roster import Person
from exercises.models import Course, Enrolment, Group, Role

#: Of what is typed into a search.
MOST_SEARCHED = 100
#: People on one page of a list.
PEOPLE_A_PAGE = 50


@dataclass(frozen=True)
class Sought:
    """Which people are sought. ``role`` and ``group`` (a primary key) narrow the list where they are given;
    ``dropped`` shows those who left in place of those who are there."""

    text: str = ""
    role: str = ""
    group: int | None = None
    dropped: bool = False


@dataclass(frozen=True)
class Counts:
    """How many are in a course, by role, and how many left."""

    learners: int
    staff: int
    dropped: int


class NotOne(ValueError):
    """A text that means nobody, or more than one; the message says so, and what to write."""


class Known:
    """Some people of a course, found by what is written of them: the user name, else the e-mail address, else the
    number of the institution. Capitals and small letters are alike, except where two user names differ in nothing else.
    """

    def __init__(self, rows: Iterable[Enrolment]) -> None:
        """The enrolments come with their users."""
        self._exact: dict[str, list[Enrolment]] = defaultdict(list)
        self._by: dict[tuple[str, str], list[Enrolment]] = defaultdict(list)
        for row in rows:
            self._exact[row.user.get_username()].append(row)
            for kind, name in (
                ("username", row.user.get_username()), ("email", row.user.email), ("number", row.external_id),
            ):  # fmt: skip
                self._by[kind, name.casefold()].append(row)

    def called(self, username: str = "", email: str = "", number: str = "") -> list[Enrolment]:
        """Those whom the first of these means that means anybody; an empty one means nobody."""
        said = (("username", username), ("email", email), ("number", number))
        exact = self._exact.get(username, []) if username else []
        return exact or next((found for kind, name in said if name and (found := self._found(kind, name))), [])

    def one(self, text: str) -> Enrolment:
        """The one whom a text means, whichever it is. Raises NotOne."""
        said = text.strip()
        found = self.called(said, said, said)
        if not found:
            raise NotOne(f"No learner of this course is called “{said[:60]}”.")
        if len(found) > 1:
            raise NotOne(f"“{said[:60]}” fits more than one learner: write the user name.")
        return found[0]

    def _found(self, kind: str, name: str) -> list[Enrolment]:
        return self._by.get((kind, name.casefold()), [])


def learners_known(course: Course) -> Known:
    """The learners who are in a course now, to be found one after the other. One query."""
    return Known(learners_in(course).select_related("user"))


def learner_meant(course: Course, text: str) -> Enrolment:
    """The one learner of a course whom a text means, as ``Known`` says it. One query. Raises NotOne."""
    said = text.strip()
    named = Q(user__username__iexact=said) | Q(user__email__iexact=said) | Q(external_id__iexact=said)
    return Known(learners_in(course).filter(named).select_related("user")).one(said)


def learners_in(course: Course) -> QuerySet[Enrolment]:
    """Those who learn in a course now. No query."""
    return Enrolment.objects.filter(course=course, dropped_at=None, role__in=roles_with(Right.SIT))


def people_of(course: Course, sought: Sought, *, page: int) -> Page[Enrolment]:
    """One page of the people of a course, with their users and groups, by name. Three queries; a page there is not is
    the nearest."""
    rows = searched(Enrolment.objects.filter(course=course, dropped_at__isnull=not sought.dropped), sought.text)
    if sought.role:
        rows = rows.filter(role=sought.role)
    if sought.group is not None:
        rows = rows.filter(groups=sought.group)
    named = Prefetch("groups", queryset=Group.objects.order_by("name"))
    return Paginator(by_name(rows).select_related("user").prefetch_related(named), PEOPLE_A_PAGE).get_page(page)


def searched(rows: QuerySet[Enrolment], text: str) -> QuerySet[Enrolment]:
    """Those of the enrolments in whose name, username, e-mail or number every word of a text stands. No query."""
    # PostgreSQL takes no NUL.
    for word in text[:MOST_SEARCHED].replace("\0", " ").split():
        rows = rows.filter(
            Q(name__icontains=word)
            | Q(user__username__icontains=word)
            | Q(user__email__icontains=word)
            | Q(external_id__icontains=word)
        )
    return rows


def by_name(rows: QuerySet[Enrolment]) -> QuerySet[Enrolment]:
    """The enrolments by the name on the roster; who has none stands where their username does. No query."""
    return rows.order_by(Lower(Coalesce(NullIf(F("name"), Value("")), F("user__username"))), "pk")


def counts_of(course: Course) -> Counts:
    """How many are in a course. One query."""
    present = Q(dropped_at=None)
    found = Enrolment.objects.filter(course=course).aggregate(
        learners=Count("pk", filter=present & Q(role=Role.LEARNER)),
        staff=Count("pk", filter=present & ~Q(role=Role.LEARNER)),
        dropped=Count("pk", filter=~present),
    )
    return Counts(**found)


def enrolments_of(course: Course, *, is_all: bool = False) -> QuerySet[Enrolment]:
    """Everybody in a course with their users and groups, with ``is_all`` also those who left. No query yet; two."""
    present = Q() if is_all else Q(dropped_at=None)
    return Enrolment.objects.filter(present, course=course).select_related("user").prefetch_related("groups")


def groups_of(course: Course) -> list[Group]:
    """The groups of a course by name, each with ``present``, how many of its members are still there. One query."""
    present = Count("members", filter=Q(members__dropped_at=None))
    return list(Group.objects.filter(course=course).annotate(present=present).order_by("name"))


def roster_of(course: Course) -> list[Person]:
    """Everybody who is in a course as lines of a roster; read in again they change nothing. Two queries."""
    rows = by_name(Enrolment.objects.filter(course=course, dropped_at=None)).select_related("user")
    return [
        Person(
            line=place, username=row.user.username, email=row.user.email, name=row.name, role=row.role,
            groups=tuple(sorted(group.name for group in row.groups.all())), external_id=row.external_id,
            time_factor=row.time_factor,
        )
        for place, row in enumerate(rows.prefetch_related("groups"), 2)
    ]  # fmt: skip
