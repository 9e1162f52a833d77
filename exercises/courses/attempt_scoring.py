"""What a place of an attempt and the attempt as a whole come to, once all about them is read: pure, as all here."""

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from exercises.courses.item_scoring import ItemScore, Sent, handed_over, practised, tried
from exercises.courses.rules import GRACE, Mode, Rules, days_late, late_share
from exercises.courses.scoring import Decisions, StepMark, compensated_score, weighs

#: What a numerator or denominator may be at most; and what a share that needs more is rounded down to parts of, which
#: tenths, thirds, sevenths and so on are whole numbers of: it stays on its side of any pass mark.
MOST_STORED = 2**63 - 1
PARTS = 720720 * 10**12
_NOTHING = Fraction(0)
_WHOLE = Fraction(1)


@dataclass(frozen=True, slots=True)
class Sitting:
    """One attempt as far as its score goes by it.

    on_paper   it was entered by those who teach
    ended_at   when it was handed in, or counts as handed in; None before
    """

    mode: Mode
    rules: Rules
    is_over: bool
    on_paper: bool = False
    ended_at: dt.datetime | None = None

    @property
    def is_quiz(self) -> bool:
        """Whether its items are tried one by one, each try late or not by itself."""
        return self.mode == "quiz" and not self.on_paper


@dataclass(frozen=True, slots=True)
class Part:
    """One place within its attempt.

    helps    it is compensated: it counts for whom it raises the score
    counts   something of it is left that counts for anybody
    """

    weight: Fraction
    score: ItemScore
    helps: bool = False
    counts: bool = True


def place_score(
    sent: Sequence[Sent], sitting: Sitting, *, by_hand: Fraction | None = None, waits: bool = False
) -> ItemScore:
    """What one place comes to by its graded answers, in the order of sending; a score ``by_hand`` outranks them.

    Left out of an attempt that is over, it is 0. What could not be marked (``waits``) is not: it costs nothing, and
    waits for staff.
    """
    if sitting.is_quiz:
        found = tried(sent, sitting.rules, sitting.ended_at)
    elif sitting.mode == "practice" and not sitting.on_paper:
        closes_at = sitting.rules.closes_at
        found = practised([one for one in sent if closes_at is None or one.at <= closes_at + GRACE])
    else:
        found = handed_over(sent)
    if by_hand is not None:
        return replace(found, score=by_hand)
    if found.score is None and sitting.is_over and not waits:
        return replace(found, score=_NOTHING)
    return found


def attempt_score(
    sitting: Sitting, parts: Sequence[Part], *, is_marked: bool, waits: bool = False, by_hand: Fraction | None = None
) -> tuple[Fraction | None, int]:
    """What an attempt comes to, and how many days late it counts as; a score ``by_hand`` outranks its places.

    None as long as nothing of one that goes on ``is_marked``, or where all of it still ``waits`` to be.
    """
    share, days = _WHOLE, max((part.score.days_late for part in parts), default=0)
    if sitting.ended_at is not None and sitting.mode != "practice" and not sitting.is_quiz:
        share, days = late_share(sitting.rules, sitting.ended_at), days_late(sitting.rules, sitting.ended_at)
    if by_hand is not None:
        return fitting(by_hand), days
    if waits or not (sitting.is_over or is_marked):
        return None, days
    counting = [(part.weight, part.score.score) for part in parts if part.counts and not part.helps]
    compensated = [(part.weight, part.score.score) for part in parts if part.helps]
    return fitting(compensated_score(counting, compensated) * share), days


def is_anything_left(variants: Collection[Iterable[tuple[str, Fraction]] | None], gone: frozenset[str]) -> bool:
    """Whether an item still counts for somebody who had these variants, given as their steps with weights, once the
    steps that are ``gone`` count for nobody. None is one whose steps are not known."""
    decided = Decisions(discounted=gone)
    return not variants or any(
        steps is None or weighs([StepMark(name, weight, _NOTHING) for name, weight in steps], decided)
        for steps in variants
    )


def fitting(share: Fraction | None) -> Fraction | None:
    """The share itself, or, where its numerator or denominator is too large for the tables, the next one below that
    is not."""
    if share is None or share.denominator <= MOST_STORED:
        return share
    return Fraction(share.numerator * PARTS // share.denominator, PARTS)
