"""What is built in: problem files and the skills they train. Pure Python, no database."""

from exercises.catalogue.loader import Skill, skills, slugs, source

__all__ = ["Skill", "skills", "slugs", "source"]
