"""One thing at a time of one person: what they ask for at once is counted one after the other."""

from exercises.models import User


def lock_person(person: User) -> None:
    """Take somebody's row for the transaction that is open. One query."""
    # Not for the key: rows that only refer to them can still be added meanwhile.
    User.objects.select_for_update(no_key=True).filter(pk=person.pk).values_list("pk").get()
