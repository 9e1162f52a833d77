"""Delivering events to addresses of other programs, signed, until they arrive or nobody is there."""
