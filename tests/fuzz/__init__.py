"""Readers of what others send, tried on whatever nobody sends on purpose. CONTRIBUTING.md says how."""
