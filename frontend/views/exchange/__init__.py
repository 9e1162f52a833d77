"""Pages by which problems and sets leave and come in."""
