"""What a person is called here, and taking it out of texts that stay."""

import re
from collections.abc import Iterable
from typing import Any

from exercises.models import Enrolment, PlatformUser, User

#: Where something stood that went with an account.
REMOVED = "Removed with the account."
#: Values of these names are about whoever the entry is about.
_THEIRS = {"name", "username", "email", "external id", "external_id", "number", "sub", "answers"}
#: Shorter than that, a name is an everyday word or part of one.
_SHORTEST = 3


class Names:
    """Everything that one person is called, to be found in texts: ``new`` is what they are called from now on."""

    def __init__(self, said: Iterable[str], new: str) -> None:
        self.new = new
        found = sorted({name.strip() for name in said if len(name.strip()) >= _SHORTEST}, key=len, reverse=True)
        words = "|".join(map(re.escape, found))
        self._found = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) if found else None

    def are_in(self, text: str) -> bool:
        """Whether one of them stands in the text, as a word of its own."""
        return bool(self._found and self._found.search(text))

    def out_of(self, said: Any) -> Any:
        """Plain data without them: strings with the new name in their place."""
        if isinstance(said, str):
            return self._found.sub(self.new, said) if self._found else said
        if isinstance(said, dict):
            return {key: self.out_of(value) for key, value in said.items()}
        return [self.out_of(value) for value in said] if isinstance(said, list) else said

    def out_of_own(self, said: Any) -> Any:
        """The same for what is said about the person themself, where names of before may stand as well: they go by
        what they are called there."""
        if isinstance(said, dict):
            return self.out_of({key: value for key, value in said.items() if key not in _THEIRS})
        return self.out_of(said)


def names_of(person: User, new: str) -> Names:
    """Everything that the tables call somebody now. Two queries."""
    said = [person.username, person.email, person.first_name, person.last_name, person.get_full_name()]
    for pair in Enrolment.objects.filter(user=person).values_list("name", "external_id"):
        said += pair
    for three in PlatformUser.objects.filter(user=person).values_list("name", "email", "sub"):
        said += three
    return Names(said, new)
