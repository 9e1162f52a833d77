"""What learners and staff read about the rules: true, and in the course's own time."""

import datetime as dt
from dataclasses import replace
from fractions import Fraction

import pytest

from exercises.courses.rules import Exemption, Policy, effective
from exercises.courses.wording import moment_in_words, rules_in_words, span_in_words

NOW = dt.datetime(2026, 10, 20, 12, 0, tzinfo=dt.UTC)
SUMMER = dt.datetime(2026, 10, 24, 18, 0, tzinfo=dt.UTC)
WINTER = dt.datetime(2026, 10, 26, 19, 0, tzinfo=dt.UTC)
QUIZ = Policy(
    "quiz",
    opens_at=dt.datetime(2026, 10, 19, 6, 0, tzinfo=dt.UTC),
    due_at=SUMMER,
    closes_at=WINTER,
    time_limit=60,
    credits=(Fraction(1), Fraction(1, 2), Fraction(1, 3)),
    late=(Fraction(1), Fraction(1, 2)),
    hints=True,
    pass_mark=Fraction(7, 10),
)


def said(
    policy: Policy, *exemptions: Exemption, factor: str = "1", now: dt.datetime = NOW, items: int = 4
) -> list[str]:
    found = effective(policy, time_zone="Europe/Berlin", time_factor=Fraction(factor), exemptions=exemptions)
    return rules_in_words(found, now=now, items=items)


def test_a_quiz_in_words() -> None:
    assert said(QUIZ, factor="1.25") == [
        "Quiz: 4 items.",
        "It opened on Mon 19 October 2026, 08:00 CEST.",
        "It is due on Sat 24 October 2026, 20:00 CEST.",
        "It closes on Mon 26 October 2026, 20:00 CET: nothing is taken after that.",
        "Late work keeps all of its credit on the first day after it is due, 50 % on the second.",
        "Each of these days ends at the time of day at which it was due.",
        "The time is 1 hour 15 minutes from the moment it is begun, 1.25 times what others have.",
        "The clock runs on while the page is closed; when time is up, what is saved is handed in.",
        "Each item has 3 tries, all on the same variant: they are worth 100 %, 50 %, 33.3 %.",
        "The best try counts, so another one never lowers a score.",
        "Each try is marked at once; the solutions are shown once it is closed.",
        "Hints may be taken.",
        "The pass mark is 70 %.",
    ]


def test_an_exam_in_words() -> None:
    exam = Policy("exam", opens_at=SUMMER, due_at=WINTER, feedback="released")
    assert said(exam, Exemption(attempts=1), items=1) == [
        "Exam: 1 item, handed in once, as a whole.",
        "It opens on Sat 24 October 2026, 20:00 CEST.",
        "It is due on Mon 26 October 2026, 20:00 CET.",
        "Nothing is taken after that.",
        "It can be sat 2 times, and the best one counts.",
        "The marks are shown when an instructor releases them.",
        "An extension is worked into this.",
    ]
    assert "The results are released." in said(replace(exam, released_at=NOW))


def test_practice_in_words() -> None:
    assert said(Policy("practice", due_at=WINTER, closes_at=WINTER + dt.timedelta(days=1))) == [
        "Practice: 4 items, each with as many variants as you like, and the best one counts.",
        "It is due on Mon 26 October 2026, 20:00 CET.",
        "It closes on Tue 27 October 2026, 20:00 CET: nothing is taken after that.",
        "Each answer is marked at once.",
        "Hints may be taken.",
    ]


def test_what_is_over_is_told_as_over() -> None:
    told = said(QUIZ, now=WINTER + dt.timedelta(seconds=1))
    assert "It was due on Sat 24 October 2026, 20:00 CEST." in told
    assert "It closed on Mon 26 October 2026, 20:00 CET: nothing was taken after that." in told


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (Policy("quiz"), "It does not close."),
        (Policy("quiz"), "One try at each item counts, and it is worth 100 %."),
        (Policy("quiz"), "There are no hints."),
        (Policy("quiz"), "Each try is marked at once; the solutions are shown once you have handed in."),
        (
            Policy("quiz", credits=(Fraction(1),) * 2, retry="new"),
            "Each item has 2 tries, each on a new variant: they are worth 100 %, 100 %.",
        ),
        (
            Policy("quiz", feedback="handed-in", closes_at=WINTER),
            "The marks are shown once it is handed in; the solutions are shown once it is closed.",
        ),
        (
            Policy("exam", due_at=SUMMER, closes_at=WINTER),
            "What comes after it is due is marked as late, and loses nothing.",
        ),
    ],
)
def test_each_rule_has_its_sentence(policy: Policy, sentence: str) -> None:
    assert sentence in said(policy)


@pytest.mark.parametrize(
    ("minutes", "factor", "words"),
    [(60, "1", "1 hour"), (45, "1.25", "56 minutes 15 seconds"), (1500, "1", "1 day 1 hour"), (1, "1", "1 minute")],
)
def test_how_long_there_is(minutes: int, factor: str, words: str) -> None:
    limit = effective(Policy("exam", time_limit=minutes), time_zone="UTC", time_factor=Fraction(factor)).time_limit
    assert limit is not None
    assert span_in_words(limit) == words


def test_an_hour_that_comes_twice_is_told_apart() -> None:
    first = dt.datetime(2026, 10, 25, 0, 30, tzinfo=dt.UTC)
    assert moment_in_words(first, "Europe/Berlin") == "Sun 25 October 2026, 02:30 CEST"
    assert moment_in_words(first + dt.timedelta(hours=1, seconds=1), "Europe/Berlin") == (
        "Sun 25 October 2026, 02:30:01 CET"
    )
