"""What is kept about people, counted; and accounts that nobody uses."""

import datetime as dt

from django.db.models import Exists, OuterRef, Q, QuerySet

from exercises import clock
from exercises.models import (
    AccessToken,
    Attempt,
    CardMemory,
    Client,
    Deck,
    Enrolment,
    Evidence,
    FaultReport,
    PlatformUser,
    Problem,
    Review,
    Submission,
    User,
)

_YEAR = dt.timedelta(days=365.25)


def kept_about(person: User) -> list[tuple[str, int]]:
    """How much of each kind is kept about somebody, in words. One query a kind."""
    return [
        ("courses", Enrolment.objects.filter(user=person).count()),
        ("attempts at problem sets", Attempt.objects.filter(learner=person).count()),
        ("answers, as typed and with their verdicts", Submission.objects.filter(author=person).count()),
        ("closed steps, from which your progress follows", Evidence.objects.filter(learner=person).count()),
        ("flashcards learnt", CardMemory.objects.filter(learner=person).count()),
        ("ratings of flashcards", Review.objects.filter(learner=person).count()),
        ("fault reports", FaultReport.objects.filter(learner=person).count()),
        ("identities on learning platforms", PlatformUser.objects.filter(user=person).count()),
        (
            "keys for programs",
            AccessToken.objects.filter(user=person).count() + Client.objects.filter(user=person).count(),
        ),
        (
            "problems and decks of your own",
            Problem.objects.filter(owner=person).count() + Deck.objects.filter(owner=person).count(),
        ),
    ]


def idle_accounts(years: float) -> QuerySet[User]:
    """Accounts that nobody has used for so many years, the oldest first: nobody signed in, answered, reviewed, launched
    or came with a key. Those that run the service are not among them. No query yet; one."""
    since = clock.now() - years * _YEAR
    uses = (
        Submission.objects.filter(author=OuterRef("pk"), created_at__gte=since),
        Review.objects.filter(learner=OuterRef("pk"), at__gte=since),
        Attempt.objects.filter(learner=OuterRef("pk"), began_at__gte=since),
        PlatformUser.objects.filter(user=OuterRef("pk"), seen_at__gte=since),
        AccessToken.objects.filter(user=OuterRef("pk"), last_used_at__gte=since),
        Client.objects.filter(user=OuterRef("pk"), last_used_at__gte=since),
    )
    rows = User.objects.filter(is_active=True, is_staff=False, is_superuser=False, date_joined__lt=since)
    rows = rows.filter(Q(last_login=None) | Q(last_login__lt=since))
    for use in uses:
        rows = rows.exclude(Exists(use))
    return rows.order_by("pk")
