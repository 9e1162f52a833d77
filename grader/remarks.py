"""What a mark says where no author has written it: carried values, refusals, and the mistakes any number may show."""

from collections.abc import Sequence

NOT_UNDEFINED = "This has a value here: there is something to divide by."
UNDEFINED_HERE = "There is nothing to divide by here: the value does not exist. Answer “undefined”."
CARRIED_TO_NOTHING = "With your earlier answer this step comes to nothing, so it cannot be carried on."

UNIVERSAL = {
    "lost-sign": "The size is right, the sign is not.",
    "power-of-ten": "The digits are right, the decimal point is not where it belongs.",
    "percent": "This is the right value on the other scale: check whether a percentage or a plain number is asked.",
    "other-order": "These are the right numbers in another order: each belongs to its own box.",
}


def carried(wrong: Sequence[str], *, paid: bool) -> str:
    """For a step that is right for what came before it; ``wrong`` are the symbols of what was not."""
    said = f"This follows from your {' and '.join(wrong)}: the slip is there, not here."
    return said + " That step carries no weight, so half is lost at this one." if paid else said


def not_carried_on(step: str) -> str:
    """For a wrong value at a step that must be right before anything can be built on it."""
    return f"This follows from your {step}, but nothing is built on a wrong value there: mend that first."


def outside(step: str, low: float, high: float) -> str:
    """For a value that cannot be carried on because it makes no sense."""
    if low == float("-inf") or high == float("inf"):
        side = f"above {low:g}" if high == float("inf") else f"below {high:g}"
        return f"This follows from your {step}, but that must be {side}, so it cannot be carried on."
    return f"This follows from your {step}, but that must lie between {low:g} and {high:g}, so it is not carried on."


def either(messages: Sequence[str]) -> str:
    """One message, or several that fit equally well."""
    different = list(dict.fromkeys(messages))
    return different[0] if len(different) == 1 else "Either: " + " Or: ".join(different)


def coarse(digits: int) -> str:
    """For the right value with too few digits."""
    return f"Right as far as it goes, but give {digits} significant digits."


def wrong_size(size: int) -> str:
    """For a shape with another number of axes."""
    return f"A shape with {size} {'axis' if size == 1 else 'axes'} is asked here."
