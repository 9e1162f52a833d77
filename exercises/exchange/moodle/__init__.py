"""Moodle: a category of cloze questions for each problem, in Moodle XML."""
