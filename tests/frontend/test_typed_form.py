"""From a posted form to answers, and the shelf on which typed text waits while its author signs in again."""

from django.contrib.sessions.backends.cache import SessionStore
from django.http import QueryDict

from frontend.typed_form import (
    MOST_KEPT,
    SHELF,
    checked_steps,
    form_key,
    keep_typed,
    take_typed,
    typed_answers,
)
from grader.problem import load
from tests.frontend.world import CHOICES, SHOWN

PROBLEM = load(SHOWN)


def shelf() -> SessionStore:
    """A session that is never saved."""
    session = SessionStore()
    session["other"] = "kept"
    return session


def test_a_vector_is_a_list_and_a_number_a_text() -> None:
    form = QueryDict("answer-powers=1&answer-powers=&answer-powers=3&answer-p=0.5&csrf=x&answer-loss=")
    assert typed_answers(form, PROBLEM) == {"powers": ["1", "", "3"], "p": "0.5", "loss": ""}


def test_ticked_options_come_without_the_empty_one_that_stands_for_none() -> None:
    problem = load(CHOICES)
    assert typed_answers(QueryDict("answer-claims=&answer-claims=sums"), problem) == {"claims": ["sums"]}
    assert typed_answers(QueryDict("answer-claims="), problem) == {"claims": []}


def test_what_is_not_asked_stays_in_for_the_action_to_refuse() -> None:
    assert typed_answers(QueryDict("answer-seed=1"), PROBLEM) == {"seed": "1"}


def test_the_star_button_checks_everything() -> None:
    assert checked_steps(QueryDict("check=*")) is None
    assert checked_steps(QueryDict("")) is None
    assert checked_steps(QueryDict("check=p")) == ["p"]


def test_the_same_form_with_the_same_text_has_one_key_and_with_another_text_another() -> None:
    form, other_form = QueryDict("form=a"), QueryDict("form=b")
    key = form_key(form, {"p": "0.5"}, None, "en")
    assert key == form_key(form, {"p": "0.5"}, None, "en")
    others = [
        form_key(form, {"p": "0.6"}, None, "en"),
        form_key(form, {"p": "0.5"}, ["p"], "en"),
        form_key(form, {"p": "0.5"}, None, "de"),
        form_key(other_form, {"p": "0.5"}, None, "en"),
    ]
    assert len({key, *others}) == 5
    assert len(key) <= 64


def test_what_waits_is_taken_once_and_by_its_variant_only() -> None:
    session = shelf()
    keep_typed(session, "one", QueryDict("answer-p=0.5&answer-powers=1&answer-powers=2&csrfmiddlewaretoken=secret"))
    assert take_typed(session, "two", PROBLEM) == {}
    assert take_typed(session, "one", PROBLEM) == {"p": "0.5", "powers": ["1", "2"]}
    assert take_typed(session, "one", PROBLEM) == {}
    assert session["other"] == "kept"


def test_an_empty_form_takes_no_place() -> None:
    session = shelf()
    keep_typed(session, "one", QueryDict("answer-p=&answer-loss="))
    assert SHELF not in session


def test_a_stranger_cannot_fill_the_shelf_without_end() -> None:
    session = shelf()
    for place in range(50):
        keep_typed(session, f"variant-{place}", QueryDict("answer-p=" + "9" * 100_000 + "&answer-q=1" * 900))
    kept = session[SHELF]
    assert list(kept) == [f"variant-{place}" for place in range(50 - MOST_KEPT, 50)]
    assert sum(len(text) for typed in kept.values() for texts in typed.values() for text in texts) < 10_000


def test_what_waits_for_steps_that_are_not_asked_is_dropped() -> None:
    session = shelf()
    keep_typed(session, "one", QueryDict("answer-nonsense=1&answer-p=0.5&answer-../etc=1"))
    assert take_typed(session, "one", PROBLEM) == {"p": "0.5"}


def test_the_shelf_holds_only_so_much_altogether() -> None:
    """Anybody may send forms without signing in, and each is kept."""
    session = shelf()
    for place in range(3):
        form = QueryDict(mutable=True)
        for step in range(24):
            form.appendlist(f"answer-s{step}", f"{place}" * 400)
        keep_typed(session, f"variant-{place}", form)
    assert list(session[SHELF]) == ["variant-1", "variant-2"]
    far_too_much = QueryDict(mutable=True)
    far_too_much.setlist("answer-powers", ["1" * 500] * 60)
    keep_typed(session, "variant-3", far_too_much)
    assert list(session[SHELF]) == ["variant-1", "variant-2"]
