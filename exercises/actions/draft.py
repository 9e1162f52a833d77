"""What stands in a variant's boxes, marked or not: kept by whatever brings it here, and never overwritten blindly."""

from exercises.actions.typed import Answers
from exercises.models import Variant


def lock_and_keep_draft(variant: Variant, typed: Answers) -> None:
    """Take the variant's row for the transaction that is open, and add what was typed to what is there *now*.

    Two tabs, a double click or a reveal at the same moment take turns from here on; ``variant`` is brought up to date.
    Two queries.
    """
    row = Variant.objects.filter(pk=variant.pk)
    draft, variant.revealed_at = row.select_for_update(no_key=True).values_list("draft", "revealed_at").get()
    variant.draft = {**draft, **typed}
    row.update(draft=variant.draft)
