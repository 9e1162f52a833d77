"""The pages of a set about its grades, figures and copies keep the set's own menu."""

import pytest

from exercises import clock
from exercises.models import ProblemSet
from tests.exercises.courses.world import NOW
from tests.frontend.sets.world import People

pytestmark = pytest.mark.usefixtures("servers", "problems")


@pytest.mark.parametrize("page", ["/grades/sets/{}/", "/statistics/sets/{}/", "/paper/sets/{}/"])
def test_they_keep_it_and_say_which_is_open(people: People, quiz: ProblemSet, page: str) -> None:
    address = page.format(quiz.public_id)
    with clock.at(NOW):
        body = people["alice"].get(address).content.decode()
    assert 'aria-label="Of this set"' in body
    assert f'<a href="{address}" aria-current="page">' in body
    assert f"/sets/{quiz.public_id}/items/" in body


def test_who_looks_on_is_offered_no_page_that_is_not_theirs(people: People, quiz: ProblemSet) -> None:
    with clock.at(NOW):
        answer = people["eve"].get(f"/statistics/sets/{quiz.public_id}/")
    assert answer.status_code == 200
    assert 'aria-label="Of this set"' not in answer.content.decode()
