"""Regrades as events: a dry run that says whom it moves and why, applied in the background, undone the same way."""
