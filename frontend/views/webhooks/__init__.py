"""Pages about the events of a course and where they are delivered to."""
