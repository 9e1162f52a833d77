"""What is shown of a variant. Nothing in here tells a key before the action that unlocks it."""

from collections.abc import Mapping
from dataclasses import dataclass

from exercises.limits import cut
from exercises.loading import drawn_from, loaded, problem_of
from exercises.models import Forecast, HintUse, Problem, User, Variant
from exercises.queries.marks import Standing
from grader import wording
from grader.answers import read_answer
from grader.reading import Reading


@dataclass(frozen=True)
class Shown:
    """A variant as its learner sees it from the start: texts in Markdown with $TeX$."""

    title: str
    summary: str
    statement: str
    forecast: str
    fields: list[wording.Field]


def shown(variant: Variant) -> Shown:
    """The statement, as it was drawn, and the boxes to fill, as they are read now. No query."""
    drawn = drawn_from(variant)
    return Shown(
        title=drawn.title,
        summary=drawn.summary,
        statement=wording.statement(drawn, variant.parameters),
        forecast=wording.forecast(drawn, variant.parameters),
        fields=wording.fields(problem_of(variant), variant.parameters),
    )


def current_variant(learner: User, slug: str) -> Variant | None:
    """The learner's latest variant of a problem in free practice, whatever became of it; None if they never drew one.
    One query."""
    variants = Variant.objects.select_related("problem", "version", "marked_by")
    # Looked up by itself: joined by its slug, every variant of the learner is looked at.
    problem = Problem.objects.filter(slug=slug).values("pk")[:1]
    own = variants.filter(learner=learner, problem=problem, attempt_item=None)
    return own.order_by("-number").first()


def reading_of(variant: Variant, step: str, typed: str | list[str], locale: str) -> Reading:
    """How something typed at a step is read. Raises KeyError for a step that is not asked. No query."""
    problem = problem_of(variant)
    if step not in {asked.name for asked in problem.asked}:
        raise KeyError(step)
    return read_answer(problem, variant.parameters, step, cut(typed), locale)


def figure_of(variant: Variant, marks: Mapping[str, Standing]) -> wording.Figure | None:
    """The figure with what the learner has earned to see: values of a step only once it is right, or all when shown."""
    problem = problem_of(variant)
    right = {step for step, standing in marks.items() if standing.best.outcome == "right"}
    revealed = {step.name for step in problem.steps} if variant.is_closed else right
    return wording.figure_data(problem, variant.parameters, revealed)


def rounding_note(variant: Variant, step: str, marks: Mapping[str, Standing]) -> str:
    """How exact an answer has to be, once one was given that is not right; empty before that."""
    if step not in marks or marks[step].latest.outcome not in ("wrong", "mistake"):
        return ""
    return wording.rounding_note(problem_of(variant), step)


def worked_solution(variant: Variant) -> wording.WorkedSolution | None:
    """Every step with its numbers put in, once the variant was revealed; None before that."""
    if not variant.is_closed:
        return None
    return wording.worked_solution(loaded(variant.key_version), variant.parameters)


def forecast_of(variant: Variant) -> Forecast | None:
    """What the learner expected, if they said so. One query."""
    return Forecast.objects.filter(variant=variant).first()


def hints_taken(variant: Variant) -> dict[str, list[HintUse]]:
    """The hints that were taken, by step, the gentlest first. One query."""
    taken: dict[str, list[HintUse]] = {}
    for use in variant.hint_uses.order_by("step", "number"):
        taken.setdefault(use.step, []).append(use)
    return taken
