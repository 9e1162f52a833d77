"""Sitting a problem set."""
