"""What beginning a set means for a learner, in words beside the button."""

from exercises.courses.rules import Rules
from exercises.courses.wording import span_in_words


def beginning_words(rules: Rules) -> str:
    """What happens when it is begun, for whoever is about to. Empty for practice, where nothing does."""
    if rules.mode == "practice":
        return ""
    if rules.time_limit is None:
        return "There is no time limit: you can leave and come back, and what you type is saved."
    span = span_in_words(rules.time_limit)
    return f"The clock starts when you begin: you have {span}, and it runs on when you leave. What you type is saved."
