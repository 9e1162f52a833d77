"""Secrets that are kept encrypted."""

import pytest
from django.test import override_settings
from hypothesis import given
from hypothesis import strategies as st

from exercises.sealed import SealBroken, seal, sealed_anew, unseal


@given(st.text())
def test_what_is_sealed_comes_back_and_does_not_stand_there(text: str) -> None:
    kept = seal(text)
    assert unseal(memoryview(kept)) == text
    assert not text.encode() or len(text) < 4 or text.encode() not in kept


def test_a_secret_outlives_a_change_of_the_secret_key() -> None:
    with override_settings(SECRET_KEY="first" * 10):
        kept = seal("whsec")
    with override_settings(SECRET_KEY="second" * 10, SECRET_KEY_FALLBACKS=["first" * 10]):
        assert unseal(kept) == "whsec"
        renewed = sealed_anew(kept)
    with override_settings(SECRET_KEY="second" * 10, SECRET_KEY_FALLBACKS=[]):
        assert unseal(renewed) == "whsec"
        with pytest.raises(SealBroken, match="SECRET_KEY_FALLBACKS"):
            unseal(kept)


def test_a_bit_that_was_changed_is_noticed() -> None:
    kept = bytearray(seal("whsec"))
    kept[20] ^= 1
    with pytest.raises(SealBroken):
        unseal(bytes(kept))
