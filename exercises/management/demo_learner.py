"""A learner for the demo world: studies day after day, errs as people do, and grows with every step."""

import datetime as dt
import random
from collections import defaultdict
from math import exp
from typing import Any

from exercises import clock, queries
from exercises.actions import (
    Way,
    answer_card,
    begin_item,
    compose_session,
    draw_variant,
    keep_forecast,
    open_turn,
    rate_card,
    reveal_solution,
    send_answer,
    show_answer,
    take_hint,
)
from exercises.card_turns import card_of
from exercises.loading import problem_of
from exercises.mastery.retention import Rating
from exercises.models import User, Variant
from exercises.refusals import Refused
from exercises.tasks import sweep_pending
from grader.problem import Problem
from grader.solution import Solution, solve

#: Ability at a skill in logits: where it starts, what one step adds, and where it ends.
START, GROWTH, BEST = 0.2, 0.35, 3.0
EXERCISES_A_DAY, CARDS_A_DAY = 5, 6
#: How often they take what is proposed to them.
FOLLOWS = 0.6
#: How often they know a card.
KNOWN = 0.85
#: At what time of the day they sit down, in hours, and how many minutes apart the exercises are.
SITS_DOWN, APART = 16, 9


class DemoLearner:
    """One learner with a history made by the product's own actions; the same ``chance`` gives the same one."""

    def __init__(self, user: User, chance: random.Random) -> None:
        self.user, self.chance = user, chance
        self.ability: dict[str, float] = defaultdict(lambda: START)

    def study(self, days_ago: tuple[int, ...]) -> None:
        """Study on each of these days before today, the earliest first."""
        today = clock.now().replace(hour=SITS_DOWN, minute=0, second=0, microsecond=0)
        for ago in sorted(days_ago, reverse=True):
            self._day(today - dt.timedelta(days=ago))

    def leave_half_done(self) -> None:
        """Begin one more problem, and stop after its first step."""
        variant = self._drawn()
        if variant is None:
            return
        problem = problem_of(variant)
        first = problem.asked[0]
        right = typed_as(first.kind, solve(problem, variant.parameters).values[first.name])
        send_answer(learner=self.user, variant=variant, answers={first.name: right}, checked=[first.name])
        sweep_pending()

    def _day(self, moment: dt.datetime) -> None:
        with clock.at(moment):
            compose_session(learner=self.user)
            view = queries.session_of(self.user)
            planned = [item.position for item in view.items] if view else []
        for place in range(max(EXERCISES_A_DAY, len(planned))):
            with clock.at(moment + dt.timedelta(minutes=APART * (place + 1))):
                variant = self._drawn(planned[place] if place < len(planned) else None)
                if variant is not None:
                    self._work(variant)
        with clock.at(moment + dt.timedelta(minutes=APART * (EXERCISES_A_DAY + len(planned) + 2))):
            self._review_cards()

    def _drawn(self, position: int | None = None) -> Variant | None:
        try:
            if position is not None:
                return begin_item(learner=self.user, position=position, seed=self.chance.getrandbits(32))
            # Now and then people go their own way on the map.
            choice = queries.next_choice(self.user) if self.chance.random() < FOLLOWS else None
            listed = [row.problem.slug for row in queries.problem_list(None)]
            if choice is None and not listed:
                return None
            return draw_variant(
                learner=self.user,
                slug=choice.slug if choice else self.chance.choice(listed),
                seed=self.chance.getrandbits(32),
                way=Way.RECOMMENDED if choice else Way.PRACTICE,
                skill=choice.skill if choice else "",
            )
        except Refused:
            return None  # a problem that cannot be drawn is reported by its check, and is no reason to have no demo

    def _work(self, variant: Variant) -> None:
        """One answer, then if need be a hint and another; what is hard is given up now and then."""
        problem = problem_of(variant)
        solution = solve(problem, variant.parameters)
        if problem.forecast:
            keep_forecast(variant=variant, text="I would say it is rather small.")
        right = {step.name: typed_as(step.kind, solution.values[step.name]) for step in problem.asked}
        missed = self._missed(problem)
        if missed:
            wrong = mistaken(problem, solution, missed, self.chance)
            send_answer(learner=self.user, variant=variant, answers={**right, **wrong})
            if self.chance.random() < 0.2:
                sweep_pending()
                reveal_solution(variant=variant)
                return
            if self.chance.random() < 0.3 and not variant.is_check:
                take_hint(variant=variant, step=missed[0])
        send_answer(learner=self.user, variant=variant, answers=right)
        sweep_pending()

    def _missed(self, problem: Problem) -> list[str]:
        missed = []
        for step in problem.asked:
            skill = step.skill or ""
            if self.chance.random() > 1 / (1 + exp(-self.ability[skill])):
                missed.append(step.name)
            self.ability[skill] = min(self.ability[skill] + GROWTH, BEST)
        return missed

    def _review_cards(self) -> None:
        for _ in range(CARDS_A_DAY):
            turn = open_turn(learner=self.user)
            if turn is None:
                return
            made = card_of(turn.source)
            is_known = self.chance.random() < KNOWN
            if made.card.is_read and made.problem is not None and is_known:
                right = solve(made.problem, turn.parameters).values[made.step]
                answer_card(turn=turn, typed=typed_as(made.problem.asked[0].kind, right))
            show_answer(turn=turn)
            suggested = queries.turn_view(turn).suggested
            rate_card(turn=turn, rating=suggested or (Rating.GOOD if is_known else Rating.AGAIN))


def mistaken(problem: Problem, solution: Solution, missed: list[str], chance: random.Random) -> dict[str, Any]:
    """What somebody types at these steps who makes one of their named mistakes; a guess where there is none."""
    typed: dict[str, Any] = {}
    for name in missed:
        step = problem.step(name)
        notes = [mistake.note for mistake in step.mistakes if solution.mistakes[mistake.note]["active"]]
        if notes:
            wrong = solution.mistakes[chance.choice(notes)]["steps"].get(name)
            typed[name] = typed_as(step.kind, wrong)
        elif step.kind in ("number", "count"):
            typed[name] = "1"
    return typed


def typed_as(kind: str, value: Any) -> str | list[str]:
    """A value as somebody types it who writes down five digits."""
    if value is None:
        return ""
    if kind == "shape":
        return " x ".join(str(size) for size in value)
    if isinstance(value, list):
        return [typed_as("number", entry) if kind == "vector" else str(entry) for entry in value]  # type: ignore[misc]
    return f"{value:.5g}" if isinstance(value, float) else str(value)
