"""The forms of problem sets: what was typed stays, and what is wrong stands beside it."""
