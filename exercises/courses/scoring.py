"""What an attempt earns, in exact fractions: from the marks of steps to the score of a set, and how it is shown."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

_NOTHING = Fraction(0)
_WHOLE = Fraction(1)


@dataclass(frozen=True)
class StepMark:
    """One asked step of one submission: what it weighs, what the grader gave it, and why.

    A step that was left blank is one with a credit of 0.
    """

    step: str
    weight: Fraction
    credit: Fraction
    note: str = ""
    read_as: str = ""


@dataclass(frozen=True)
class Decisions:
    """What people decided about the steps of an item, as far as it concerns one learner's variant.

    accepted_notes    (step, note): whoever was marked so gets full credit
    accepted_answers  (step, what it was read as): that very answer gets full credit
    discounted        steps that count for nobody
    overridden        the credit of a step, set by hand for this learner: outranks all but that it counts for nobody
    """

    accepted_notes: frozenset[tuple[str, str]] = frozenset()
    accepted_answers: frozenset[tuple[str, str]] = frozenset()
    discounted: frozenset[str] = frozenset()
    overridden: Mapping[str, Fraction] = field(default_factory=dict)

    def credit_of(self, mark: StepMark) -> Fraction:
        """What a step counts, decisions included."""
        if mark.step in self.overridden:
            return self.overridden[mark.step]
        is_accepted = (mark.note and (mark.step, mark.note) in self.accepted_notes) or (
            mark.read_as and (mark.step, mark.read_as) in self.accepted_answers
        )
        return _WHOLE if is_accepted else mark.credit


UNDECIDED = Decisions()


def verdict_score(marks: Sequence[StepMark], decisions: Decisions = UNDECIDED) -> Fraction:
    """Σ weight · credit / Σ weight over the asked steps, as the grader adds them up: in [0, 1].

    Where all weigh nothing, each counts the same; where all that weighs is discounted, it is 0: see ``weighs``.
    """
    return set_score(
        (weight, decisions.credit_of(mark)) for mark, weight in _weighed(marks) if mark.step not in decisions.discounted
    )


def weighs(marks: Sequence[StepMark], decisions: Decisions = UNDECIDED) -> bool:
    """Whether anything is left that counts; an item of which nothing is left counts for nobody."""
    return any(weight for mark, weight in _weighed(marks) if mark.step not in decisions.discounted)


def tries_score(scores: Sequence[Fraction], worths: Sequence[Fraction]) -> Fraction:
    """The best of the tries, each by what it is worth, the first first. Tries beyond ``worths`` count nothing, and
    another try never costs anything that is there."""
    return max((score * worth for score, worth in zip(scores, worths, strict=False)), default=_NOTHING)


def set_score(parts: Iterable[tuple[Fraction, Fraction | None]]) -> Fraction:
    """Σ weight · score / Σ weight, over (weight, score); None is nothing yet, and weighs. All right is exactly 1.

    In [0, 1]; 0 where nothing weighs anything.
    """
    held = list(parts)
    # In whole numbers over one denominator: a regrade asks a million times, and fractions take three times as long.
    common = lcm(*(weight.denominator for weight, _ in held))
    under = lcm(*(score.denominator for _, score in held if score))
    total = earned = 0
    for weight, score in held:
        whole = weight.numerator * (common // weight.denominator)
        total += whole
        if score:
            earned += whole * score.numerator * (under // score.denominator)
    return Fraction(earned, total * under) if total else _NOTHING


def compensated_score(
    parts: Iterable[tuple[Fraction, Fraction | None]], compensated: Iterable[tuple[Fraction, Fraction | None]]
) -> Fraction:
    """``set_score`` of ``parts`` and of those among ``compensated`` that raise it: these count for whom they help.

    Where nothing but compensated parts weighs anything, the best of them counts: nobody is left without a score.
    """
    counting = [(weight, score or _NOTHING) for weight, score in parts]
    # The best first: once one does not raise the score, no lower one does.
    for weight, score in sorted(((w, s or _NOTHING) for w, s in compensated if w), key=lambda part: -part[1]):
        if any(w for w, _ in counting) and score <= set_score(counting):
            break
        counting.append((weight, score))
    return set_score(counting)


def percent(share: Fraction, *, threshold: Fraction | None = None) -> str:
    """A share in words, such as "69.6 %", rounded half up for the eye alone: exact hundredths without a decimal.

    What was not reached is not shown as reached: neither everything, nor the threshold.
    """
    tenths = share * 1000
    shown = (2 * tenths.numerator + tenths.denominator) // (2 * tenths.denominator)
    missed = [limit for limit in (_WHOLE, threshold) if limit is not None and share < limit]
    if any(shown >= limit * 1000 for limit in missed):
        shown = tenths.numerator // tenths.denominator
    if (share * 100).denominator == 1:
        return f"{share * 100} %"
    return f"{shown // 10}.{shown % 10} %"


def passed(share: Fraction, pass_mark: Fraction | None) -> bool:
    """Whether a score reaches the pass mark, exactly. Where there is none, nobody fails."""
    return pass_mark is None or share >= pass_mark


def _weighed(marks: Sequence[StepMark]) -> list[tuple[StepMark, Fraction]]:
    is_any = any(mark.weight for mark in marks)
    return [(mark, mark.weight if is_any else _WHOLE) for mark in marks]
