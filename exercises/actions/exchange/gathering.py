"""What is exported: problems with their texts and ancestry, sets with their items. Who may have it, ``access`` says."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import Q

from exercises.access import usable_problems
from exercises.actions import draw
from exercises.exchange.own.bundle import (
    MOST_ANCESTORS,
    Authored,
    Bundle,
    BundledItem,
    BundledPool,
    BundledSet,
    Origin,
    digest_of,
)
from exercises.exchange.report import Entry
from exercises.exchange.variants import Chosen
from exercises.models import Course, Problem, ProblemDraft, ProblemSet, SetItem, User, WithdrawnVariant
from exercises.queries.set_items import items_in_use
from exercises.queries.set_obstacles import version_of
from exercises.set_rows import base_of, details_of
from grader.errors import ProblemError
from grader.problem import load

UNREADABLE = "its text cannot be read ({fault}): mend it first."
NO_TEXT = "there is no version of it any more."
NOT_SHARED = "its author does not share it, so its text stays here."


@dataclass(frozen=True)
class Text:
    """The text of a problem that is exported: what is published, or the draft of what never was."""

    problem: Problem
    source: str
    number: int | None


def texts_of(problems: Iterable[Problem]) -> list[Text]:
    """The texts of problems that were found with their current version. One query, for drafts."""
    there = list(problems)
    unpublished = [problem.pk for problem in there if problem.current is None]
    drafts = {}
    if unpublished:
        drafts = dict(ProblemDraft.objects.filter(problem__in=unpublished).values_list("problem_id", "source"))
    return [
        Text(problem, problem.current.source, problem.current.number)
        if problem.current
        else Text(problem, drafts.get(problem.pk, ""), None)
        for problem in there
    ]


def chosen_problems(problems: Iterable[Problem]) -> list[Chosen]:
    """These problems, as exports of variants take them. Two queries."""
    texts = texts_of(problems)
    withdrawn = _withdrawn([text.problem.pk for text in texts], None)
    return [
        Chosen(
            key=text.problem.slug,
            title=text.problem.title,
            source=text.source,
            version=text.number,
            licence=text.problem.licence,
            withdrawn=withdrawn(text.problem.pk),
        )
        for text in texts
    ]


def chosen_items(problem_set: ProblemSet) -> list[Chosen]:
    """The items of a set, as exports of variants take them. Three queries."""
    items = items_in_use(problem_set)
    withdrawn = _withdrawn({item.problem_id for item in items}, problem_set.course)
    sources = {text.problem.pk: text.source for text in texts_of(item.problem for item in items)}
    found = []
    for place, item in enumerate(items, start=1):
        version = version_of(item)
        found.append(
            Chosen(
                key=f"{place}-{item.problem.slug}",
                title=item.problem.title,
                source=version.source if version else sources[item.problem_id],
                version=version.number if version else None,
                asked=None if item.asked is None else tuple(item.asked),
                weight=Fraction(item.share),
                licence=item.problem.licence,
                withdrawn=withdrawn(item.problem_id),
            )
        )
    return found


def bundle_of_problems(reader: User, problems: Iterable[Problem]) -> tuple[Bundle, list[Entry]]:
    """These problems for our own file, and what stays out of it. As many queries as generations, and two."""
    sound, left_out = _readable(texts_of(problems))
    origins = _origins(reader, [text.problem for text in sound])
    return Bundle(tuple(_authored(text, origins) for text in sound)), left_out


def bundle_of_set(reader: User, problem_set: ProblemSet) -> tuple[Bundle, list[Entry]]:
    """A set for our own file, with its problems as far as the reader could put them into a set by themselves, and what
    stays out of it. As many queries as generations of forks, and five."""
    items = items_in_use(problem_set)
    usable = set(
        usable_problems(reader).filter(pk__in=[item.problem_id for item in items]).values_list("pk", flat=True)
    )
    own = {item.problem_id for item in items if item.problem.owner_id == reader.pk}
    texts = {text.problem.pk: text for text in texts_of({item.problem_id: item.problem for item in items}.values())}
    kept: list[tuple[SetItem, Text]] = []
    left_out: list[Entry] = []
    for item in items:
        if item.problem_id not in usable | own:
            left_out.append(Entry(item.problem.title, fault=NOT_SHARED))
            continue
        base = base_of(item)
        text = Text(item.problem, base.source, base.number) if base else texts[item.problem_id]
        sound, faults = _readable([text])
        left_out += faults
        kept += [(item, one) for one in sound]
    origins = _origins(reader, [text.problem for _, text in kept])
    problems = {digest_of(text.source): _authored(text, origins) for _, text in kept}
    made = BundledSet(
        details_of(problem_set),
        tuple(BundledPool(pool.name, pool.choose, pool.weight) for pool in problem_set.pools.all()),
        tuple(_bundled(item, text) for item, text in kept),
    )
    return Bundle(tuple(problems.values()), (made,)), left_out


def _bundled(item: SetItem, text: Text) -> BundledItem:
    return BundledItem(
        digest=digest_of(text.source),
        is_pinned=base_of(item) is not None,
        weight=item.weight,
        variants=item.variants,
        asked=None if item.asked is None else tuple(item.asked),
        pool=item.pool.name if item.pool else None,
        adaptation=item.adaptation,
    )


def _readable(texts: Sequence[Text]) -> tuple[list[Text], list[Entry]]:
    """Those that can be read again, and why the others stay out."""
    sound, left_out = [], []
    for text in texts:
        try:
            load(text.source)
            sound.append(text)
        except ProblemError as error:
            words = UNREADABLE.format(fault=error.faults[0]) if text.source else NO_TEXT
            left_out.append(Entry(text.problem.title, fault=words))
    return sound, left_out


def _authored(text: Text, origins: Mapping[int, tuple[Origin, ...]]) -> Authored:
    title = load(text.source).title
    return Authored(title, text.source, text.problem.licence, origins.get(text.problem.pk, ()))


def _origins(reader: User, problems: Sequence[Problem]) -> dict[int, tuple[Origin, ...]]:
    """The texts that problems were forked from, back to the first, as far as the reader may see them: those of
    problems that they may use, and what their own problems began with. One query a generation."""
    chains: dict[int, list[Origin]] = defaultdict(list)
    # Whose chain goes on at which problem.
    at: dict[int, set[int]] = defaultdict(set)
    for problem in problems:
        at[problem.pk].add(problem.pk)
    for _ in range(MOST_ANCESTORS):
        rows = Problem.objects.filter(pk__in=list(at), forked_from__isnull=False).select_related("forked_from__problem")
        later: dict[int, set[int]] = defaultdict(set)
        for row in rows:
            version = row.forked_from
            if version is None or not (row.owner_id == reader.pk or _may_see(reader, version.problem)):
                continue
            for first in at[row.pk]:
                chains[first].append(Origin(version.source, version.problem.licence))
                later[version.problem_id].add(first)
        if not later:
            break
        at = later
    return {first: tuple(chain) for first, chain in chains.items()}


def _may_see(reader: User, problem: Problem) -> bool:
    return problem.owner_id in (None, reader.pk) or problem.is_shared


def _withdrawn(
    problems: Collection[int], course: Course | None
) -> Callable[[int], Callable[[Mapping[str, Any]], bool]]:
    """For each problem, whether a variant with these parameters is given to nobody any more. One query."""
    here = Q(course=None) | Q(course=course) if course is not None else Q(course=None)
    rows = WithdrawnVariant.objects.filter(here, problem__in=problems).values_list("problem_id", "digest")
    digests: dict[int, set[str]] = defaultdict(set)
    for problem, digest in rows:
        digests[problem].add(digest)

    def of(problem: int) -> Callable[[Mapping[str, Any]], bool]:
        there = digests[problem]
        return lambda parameters: bool(there) and draw.digest_of(parameters) in there

    return of
