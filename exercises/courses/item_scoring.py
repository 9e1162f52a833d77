"""What the answers to one item of an attempt come to, by the mode of its set: pure, as everything in this room."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from exercises.courses.rules import Rules, days_late, late_share
from exercises.courses.scoring import UNDECIDED, Decisions, StepMark, tries_score, verdict_score


@dataclass(frozen=True)
class Sent:
    """One graded answer: every asked step with its mark, by the verdict that counts, and what was decided about it.

    ``plain`` is what the marks come to by themselves, where somebody knows that already.
    """

    variant: int
    at: dt.datetime
    marks: tuple[StepMark, ...]
    decisions: Decisions = UNDECIDED
    plain: Fraction | None = None

    @property
    def score(self) -> Fraction:
        """In [0, 1], decisions included."""
        if self.plain is not None and self.decisions is UNDECIDED:
            return self.plain
        return verdict_score(self.marks, self.decisions)


@dataclass(frozen=True)
class ItemScore:
    """What an item comes to: the tries that count, its score in [0, 1] or None for nothing yet, and how many days late
    the answer was that counts."""

    tries: int = 0
    score: Fraction | None = None
    days_late: int = 0


def practised(sent: Sequence[Sent]) -> ItemScore:
    """The best variant, each by the best mark of every step. Every answer is a try."""
    of_variant: dict[int, list[Sent]] = defaultdict(list)
    for one in sent:
        of_variant[one.variant].append(one)
    best = max(map(_best_of, of_variant.values()), default=None)
    return ItemScore(len(sent), best)


def tried(sent: Sequence[Sent], rules: Rules, until: dt.datetime | None = None) -> ItemScore:
    """The best of the tries, in the order in which they were sent, each by what it is worth and by what is left of it
    late. None counts as sent after ``until``, when the attempt was handed in, or counts as handed in."""
    moments = [one.at if until is None else min(one.at, until) for one in sent]
    earned = [_part(one.score, late_share(rules, at)) for one, at in zip(sent, moments, strict=True)]
    if not earned:
        return ItemScore()
    score = tries_score(earned, rules.credits)
    worth = zip(earned, rules.credits, moments, strict=False)
    best_at = next(at for share, credit, at in worth if _part(share, credit) == score)
    return ItemScore(min(len(sent), len(rules.credits)), score, days_late(rules, best_at))


def _part(share: Fraction, of: Fraction) -> Fraction:
    """Their product: most shares are whole, and to multiply by 1 takes as long as by anything."""
    return share if of == 1 else share * of


def handed_over(sent: Sequence[Sent]) -> ItemScore:
    """The last answer of all, whole: of an exam there is one, of what was entered from paper the last correction.

    What it loses for being late, it loses with the attempt.
    """
    return ItemScore(1, sent[-1].score) if sent else ItemScore()


def decisions_of(
    rulings: Iterable[tuple[str, str, str, str, str]], *, digest: str, overridden: Mapping[str, Fraction]
) -> Decisions:
    """What was decided about the steps of an item, for one variant: rulings as (kind, step, note, read as, digest)."""
    notes, answers, discounted = set(), set(), set()
    for kind, step, note, read_as, of_digest in rulings:
        if kind == "discount":
            discounted.add(step)
        elif kind == "accept" and note:
            notes.add((step, note))
        elif kind == "accept" and of_digest == digest:
            answers.add((step, read_as))
    return Decisions(frozenset(notes), frozenset(answers), frozenset(discounted), dict(overridden))


def _best_of(answers: Sequence[Sent]) -> Fraction:
    """The score of one variant by the best mark of every step, with what was decided about each worked in."""
    found: dict[str, StepMark] = {}
    for one in answers:
        for mark in one.marks:
            credit = one.decisions.credit_of(mark)
            if mark.step not in found or found[mark.step].credit < credit:
                found[mark.step] = StepMark(mark.step, mark.weight, credit)
    # What counts for nobody does so on every answer alike.
    return verdict_score(list(found.values()), Decisions(discounted=answers[0].decisions.discounted))
