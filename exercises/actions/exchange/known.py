"""Which texts are here already: what comes in again is not copied, and forks find their originals."""

from collections.abc import Iterable, Sequence

from django.db.models import Q

from exercises.access import usable_problems
from exercises.actions.authoring.problems import begin_problem
from exercises.actions.catalogue import MOST_TITLE
from exercises.exchange.own.bundle import Origin, digest_of
from exercises.models import Problem, ProblemDraft, ProblemVersion, User

ORIGINAL = "Came along as the original of a fork that was imported."


class Known:
    """Problems by the digest of the text that stands for them: what they publish now, or a draft that never was."""

    def __init__(self, author: User) -> None:
        self.author = author
        self._current: dict[str, Problem] = {}
        self._versions: dict[str, ProblemVersion] = {}

    def look_up(self, digests: Iterable[str]) -> None:
        """Find what is here of these. Two queries; one's own go before those of others, the older before the newer."""
        wanted = set(digests)
        usable = usable_problems(self.author).values("pk")
        versions = ProblemVersion.objects.select_related("problem__current").filter(
            Q(problem__in=usable) | Q(problem__owner=self.author), digest__in=sorted(wanted), adapted_from=None
        )
        for version in sorted(versions, key=lambda one: (one.problem.owner_id != self.author.pk, one.pk)):
            self._versions.setdefault(version.digest, version)
            if version.problem.current_id == version.pk and not version.problem.retired:
                self._current.setdefault(version.digest, version.problem)
        drafts = ProblemDraft.objects.select_related("problem").filter(
            problem__owner=self.author, problem__current=None, problem__retired=False
        )
        for draft in drafts.order_by("pk"):
            digest = digest_of(draft.source)
            if digest in wanted:
                self._current.setdefault(digest, draft.problem)

    def current(self, digest: str) -> Problem | None:
        """The problem that says just this now; None where there is none."""
        return self._current.get(digest)

    def version(self, digest: str) -> ProblemVersion | None:
        """A version of this text, also one that is not current any more."""
        return self._versions.get(digest)

    def add(self, digest: str, problem: Problem) -> None:
        """A problem that was begun just now with this text."""
        self._current[digest] = problem

    def add_version(self, version: ProblemVersion) -> None:
        """A version that was written just now."""
        self._versions[version.digest] = version


def keep_origins(author: User, origins: Sequence[Origin], known: Known) -> ProblemVersion | None:
    """The version that a fork began with, with those before it: found here, or kept as retired problems of the author's
    own, from which nothing is drawn. They say what the fork came from, and under which licence. ``known`` was asked for
    them before. Raises AuthoringRefused. Eight queries for each that is new."""
    before: ProblemVersion | None = None
    for origin in reversed(origins):
        digest = origin.digest
        before = known.version(digest) or _kept(author, origin, digest, before, known)
    return before


def _kept(author: User, origin: Origin, digest: str, before: ProblemVersion | None, known: Known) -> ProblemVersion:
    head = origin.head
    title = "".join(sign for sign in head.title if sign.isprintable())[:MOST_TITLE].strip() or "Original"
    problem = begin_problem(
        author=author, title=title, source=origin.source, licence=origin.licence, forked_from=before,
        skills=head.skills, summary=head.summary,
    )  # fmt: skip
    # Retired and without a current version: it went through no check here, so nobody may draw from it.
    problem.retired = True
    problem.save(update_fields=["retired"])
    version = ProblemVersion.objects.create(
        problem=problem, number=1, source=origin.source, digest=digest, summary=ORIGINAL
    )
    known.add_version(version)
    return version
