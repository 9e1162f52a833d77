"""Practice in a set of a course that its learner was taken out of: they look at it, and add nothing to it."""

from exercises.access import has_left
from exercises.models import AttemptItem, Variant

LEFT = (
    "You are not in the course of this exercise any more, so this was not taken. What you typed is kept: whoever "
    "teaches the course can bring you back. Exercises of your own are under Practice."
)


def is_left_behind(variant: Variant) -> bool:
    """Whether a variant stands in a set of a course that its learner was taken out of. One query, none in free
    practice."""
    if variant.attempt_item_id is None:
        return False
    return AttemptItem.objects.filter(has_left("attempt__"), pk=variant.attempt_item_id).exists()
