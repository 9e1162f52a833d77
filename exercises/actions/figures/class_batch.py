"""The figures of a class: where its learners stand, and the mistakes they make; some of them at a time."""

from typing import Any

from exercises.courses.class_tally import ClassTally
from exercises.mastery.mistakes import wilson
from exercises.models import Figures, Variant
from exercises.queries.mastery import standings
from exercises.queries.mistakes import class_mistakes, said_of
from exercises.queries.people import learners_in

#: Learners that are looked at together.
LEARNERS = 20
#: Mistakes that are told of: the most common ones.
MOST_MISTAKES = 60


def class_batch(row: Figures, work: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """One batch: the work so far in, the work after it out, with the figures once nobody is left. Seven queries."""
    tally = ClassTally.from_json(work["tally"]) if work else ClassTally()
    members = learners_in(row.course).select_related("user").order_by("pk")
    rows = list(members.filter(pk__gt=work.get("reached", 0))[:LEARNERS])
    learners = [member.user for member in rows]
    tally.learners += len(learners)
    for held in standings(learners).values():
        for skill, standing in held.items():
            tally.take_standing(skill, str(standing.level), is_due=standing.is_due, failures=standing.failures)
    for one in class_mistakes(learners):
        tally.take_mistake(
            one.note, is_likely=one.label == "likely", k=one.k, n=one.n, variant=one.variant, step=one.step
        )
    if len(rows) == LEARNERS:
        return {"reached": rows[-1].pk, "tally": tally.to_json()}, None
    return {}, _figures(tally)


def _figures(tally: ClassTally) -> dict[str, Any]:
    """The counts, with what is said of each mistake and where it was made. One query."""
    made = {note: held for note, held in tally.mistakes.items() if held["made"]}
    common = sorted(made, key=lambda note: (-made[note]["likely"] * made[note]["made"], -made[note]["made"], note))
    kept = {note: made[note] for note in common[:MOST_MISTAKES]}
    wanted = {held["variant"] for held in kept.values() if held["variant"]}
    variants = Variant.objects.select_related("version", "problem").in_bulk(wanted)
    return {
        "learners": tally.learners,
        "levels": tally.levels,
        "due": tally.due,
        "stuck": tally.stuck,
        "mistakes": [_mistake(note, held, variants.get(held["variant"])) for note, held in kept.items()],
    }


def _mistake(note: str, held: dict[str, Any], variant: Variant | None) -> dict[str, Any]:
    low, high = wilson(held["likely"], held["learners"])
    return {
        "note": note,
        "likely": held["likely"],
        "learners": held["learners"],
        "made": held["made"],
        "low": low,
        "high": high,
        "title": variant.problem.title if variant else "",
        "step": held["step"],
        "says": said_of(variant, note) if variant else "",
    }
