"""The pages of problem sets."""
