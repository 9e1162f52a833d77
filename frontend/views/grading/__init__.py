"""Pages about grades: the grade books, the attempts of learners, and decisions about scores."""
