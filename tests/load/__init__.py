"""A whole class at once, and what goes wrong while it learns: `make load` and `make faults`."""
