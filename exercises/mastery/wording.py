"""Why something is next, in words a learner understands. The titles of skills stand where number does not matter."""

#: The same for every exercise of a mixed check: what is wanted there, and which only stand in between, is not said.
CHECK_REASON = (
    "Part of a mixed check: nobody should know beforehand which skill is wanted. What you get right here without help "
    "shows that it lasts."
)


def review_reason(title: str, needed_for: str | None) -> str:
    """A skill is due for review; perhaps another builds on it."""
    needed = f", needed for {within(needed_for)}" if needed_for else ""
    return f"Due for review: {within(title)}{needed}."


def prerequisite_reason(title: str, failed: str) -> str:
    """Two steps of a skill failed; this is the weakest of what it builds on."""
    return f"Two steps running went wrong in {within(failed)}; one exercise on what it builds on: {within(title)}."


def new_reason(title: str, *, goal: str | None, builds_on_something: bool) -> str:
    """A skill that was never practised has opened."""
    way = f", on the way to {within(goal)}" if goal else ""
    place = "everything it builds on is in place" if builds_on_something else "nothing else is needed first"
    return f"New for you: {within(title)}{way}; {place}."


def practice_reason(title: str, *, is_proficient: bool, is_near: bool, is_hard: bool) -> str:
    """A skill that was begun, perhaps with little missing, or that is held and not yet mastered. ``is_hard``: its
    latest steps went wrong."""
    if is_hard:
        return f"Hard going of late: {within(title)}. Take the hints as you go, or read a worked solution first."
    if is_proficient:
        return f"More practice in {within(title)}, until a mixed check can show that it lasts."
    if is_near:
        return f"You are learning this: {within(title)}. A few more right steps without help make you proficient."
    return f"You are learning this: {within(title)}. Each right step without help brings you nearer to proficient."


def exam_reason(days: int) -> str:
    """Added to reviews in the last week before an exam."""
    when = {0: "today", 1: "tomorrow"}.get(days, f"in {days} days")
    return f"The exam is {when}, so reviews come before new work."


def within(title: str) -> str:
    """A title as it stands within a sentence: its first letter small, unless it is an abbreviation or a symbol."""
    return title[:1].lower() + title[1:] if title[1:2].islower() or title[1:2] == " " else title
