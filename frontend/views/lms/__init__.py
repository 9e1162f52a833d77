"""Pages about learning platforms."""
