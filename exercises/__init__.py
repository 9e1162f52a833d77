"""The domain: what is practised, answered and marked, and what never happens to it."""
