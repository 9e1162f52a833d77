"""Pages about courses and the people in them."""
