"""Commands of `manage.py` that belong to the domain."""
