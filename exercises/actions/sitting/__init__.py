"""Sitting a problem set: begun once, saved as one types, tried, and handed in once."""
