"""Fields that read what a set is made of: local times of the course, shares, lists of shares."""

import datetime as dt
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from django import forms

from exercises.courses.local_time import LocalTimeError, local_text, read_local
from exercises.courses.shares import ShareError, read_share, read_shares, share_words, shares_words
from frontend.typed_number import typed_number

LONGEST = 300


class LocalTimeField(forms.CharField):
    """A time by the clocks of a course; its value is a moment in UTC, or None. ``kept`` stays the very moment it is
    where what is typed shows it."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"})

    def __init__(self, *, zone: str, kept: dt.datetime | None = None, **options: Any) -> None:
        super().__init__(required=False, max_length=40, **options)
        self.zone, self.kept = zone, kept
        self.initial = local_text(kept, zone)

    def clean(self, value: Any) -> Any:
        """The moment. Raises ValidationError with what to write instead."""
        text: str = super().clean(value)
        try:
            return read_local(text, self.zone, kept=self.kept)
        except LocalTimeError as error:
            raise forms.ValidationError(str(error)) from error


class SharesField(forms.CharField):
    """A list of shares such as ``1, 1/2, 25 %``; its value is a tuple of exact fractions."""

    def __init__(self, *, kept: Sequence[Fraction] = (), **options: Any) -> None:
        super().__init__(required=False, max_length=LONGEST, **options)
        self.initial = shares_words(kept)

    def clean(self, value: Any) -> Any:
        """The shares. Raises ValidationError naming the one that cannot be read."""
        text: str = super().clean(value)
        try:
            return read_shares(text)
        except ShareError as error:
            raise forms.ValidationError(str(error)) from error


class ShareField(forms.CharField):
    """One share, or None for an empty text."""

    def __init__(self, *, kept: Fraction | None = None, **options: Any) -> None:
        super().__init__(required=False, max_length=40, **options)
        self.initial = "" if kept is None else share_words(kept)

    def clean(self, value: Any) -> Any:
        """The share. Raises ValidationError."""
        text: str = super().clean(value)
        try:
            return read_share(text) if text else None
        except ShareError as error:
            raise forms.ValidationError(str(error)) from error


class CountField(forms.CharField):
    """A whole number in a plain text box, or None for an empty text."""

    widget = forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"})

    def __init__(self, *, kept: int | None = None, what: str, **options: Any) -> None:
        super().__init__(required=False, max_length=20, **options)
        self.what = what
        self.initial = "" if kept is None else str(kept)

    def clean(self, value: Any) -> Any:
        """The number. Raises ValidationError."""
        text: str = super().clean(value)
        if not text:
            return None
        number = typed_number(text, digits=6)
        if number is None:
            raise forms.ValidationError(f"Write {self.what} as a whole number, such as 60.")
        return number
