"""What the tests of exchange share with those of sets."""

from tests.exercises.authoring.conftest import quick_gate
from tests.exercises.conftest import problem, published
from tests.exercises.sets.conftest import problems, quiz

__all__ = ["problem", "problems", "published", "quick_gate", "quiz"]
