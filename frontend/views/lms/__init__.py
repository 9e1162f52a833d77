"""Pages about learning platforms: connecting them, what links open, and what they are told."""
