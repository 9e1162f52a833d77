"""Problem sets on paper: drawing copies, and entering what was written on them."""

from exercises.actions.paper.copies import print_copies
from exercises.actions.paper.entering import enter_paper
from exercises.actions.paper.refusals import PaperRefused
from exercises.actions.paper.table import ImportedRow, enter_table
from exercises.actions.paper.voiding import void_paper

__all__ = ["ImportedRow", "PaperRefused", "enter_paper", "enter_table", "print_copies", "void_paper"]
