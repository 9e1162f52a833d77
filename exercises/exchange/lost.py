"""What no other system keeps of a problem, in sentences that several formats share."""

from collections.abc import Iterable, Sequence

from exercises.exchange.exercise import Exercise, Part

CARRIED = (
    "An earlier slip is not carried forward: whoever errs once may lose at every step after it, unless the value is "
    "that of a named mistake."
)
UNIVERSAL = (
    "Lost signs, powers of ten, percents, swapped entries and too few digits are not recognised by themselves; they "
    "count as wrong."
)
TYPED = "Calculations such as 1/3 or exp(2) cannot be typed: numbers only."
UNDEFINED = "“Undefined” is taken where it is right, and elsewhere it counts as wrong without a word on why."
REVEALED = "What its figure shows once a step is right stays away."
FORECAST = "The question to guess at first stands in the text; the guess is not kept."
SKILLS = "Skills and mastery: nothing that is answered there moves them here."


def parts_of(exercises: Iterable[Exercise]) -> list[Part]:
    """Every part of every variant."""
    return [part for exercise in exercises for part in exercise.parts]


def common(exercises: Sequence[Exercise]) -> list[str]:
    """What is lost of these variants in every format of fixed questions."""
    parts = parts_of(exercises)
    kinds = {part.kind for part in parts}
    found = []
    if len(exercises[0].parts) > 1 and kinds & {"number", "vector", "count"}:
        found.append(CARRIED)
    if kinds & {"number", "vector"}:
        found += [UNIVERSAL, TYPED]
    elif "count" in kinds:
        found.append(TYPED)
    if any(part.undefined for part in parts):
        found.append(UNDEFINED)
    if "shape" in kinds:
        found.append("Shapes are compared as text: the usual ways to write them are taken, others are not.")
    if any(exercise.picture_is_cut for exercise in exercises):
        found.append(REVEALED)
    if exercises[0].forecast:
        found.append(FORECAST)
    return found


def hidden(exercises: Sequence[Exercise]) -> list[str]:
    """Named mistakes that another one hides in some variant."""
    notes = sorted({note for part in parts_of(exercises) for note in part.hidden})
    if not notes:
        return []
    told = ", ".join(notes[:6]) + (" and more" if len(notes) > 6 else "")
    return [f"Where two named mistakes have one value, only the nearest is told: in some variants not {told}."]
