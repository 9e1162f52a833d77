"""The shelf where a long form waits while its author signs in again: what an editor without scripts would lose."""

from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest, QueryDict

from exercises.models import User
from grader.source import MAX_BYTES

#: The pages whose forms are kept whole; each shows what waits for it when it is opened next.
KEPT_PAGES = ("frontend:author-problem", "frontend:author-guided")
BACK_AGAIN = "What you typed before you were signed out is back in its place. It is not stored yet: save it."
SHELF = "form-before-sign-in"
#: A longer one could not be stored anyway, and anybody may send forms without signing in.
MOST_CHARACTERS = MAX_BYTES + 16_000
MOST_FIELDS = 2_000
#: What belongs to the page that was sent, and not to what was typed.
_NOT_TYPED = ("csrfmiddlewaretoken", "do")


def keep_form(shelf: SessionBase, address: str, form: QueryDict) -> None:
    """Put a form on the shelf, in the place of an earlier one; one that is too long is not kept."""
    typed = {name: form[name] for name in list(form)[:MOST_FIELDS] if name not in _NOT_TYPED}
    if sum(len(name) + len(said) for name, said in typed.items()) <= MOST_CHARACTERS:
        shelf[SHELF] = {"address": address, "typed": typed}


def take_form(request: HttpRequest, user: User) -> dict[str, str] | None:
    """What this user typed on this page before they had to sign in, by field, off the shelf; None if nothing waits."""
    kept = request.session.get(SHELF)
    if request.method != "GET" or not kept or kept["address"] != request.path:
        return None
    del request.session[SHELF]
    typed: dict[str, str] = kept["typed"]
    return typed if typed.get("learner") == str(user.pk) else None
