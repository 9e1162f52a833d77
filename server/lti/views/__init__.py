"""Views of the LTI door."""
