"""Alice's course and problems, as for the pages of sets and of authoring."""

from tests.frontend.authoring.conftest import as_erin, erin, own
from tests.frontend.sets.conftest import people, problems, quiz

__all__ = ["as_erin", "erin", "own", "people", "problems", "quiz"]
