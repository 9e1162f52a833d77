"""The page that an address asks for, whatever stands in it."""

import pytest
from django.test import RequestFactory

from frontend.typed_number import asked_page


@pytest.mark.parametrize("said", ["", "0", "-1", "1.5", "two", "٢", "²", "1e9", "9" * 40, "\0"])
def test_what_is_no_page_asks_for_the_first(rf: RequestFactory, said: str) -> None:
    assert asked_page(rf.get("/", {"page": said})) == 1


def test_a_page_is_asked_for_by_its_number(rf: RequestFactory) -> None:
    assert asked_page(rf.get("/")) == 1
    assert asked_page(rf.get("/", {"page": "3"})) == 3
