"""The solution graph and every reading of it: pure numpy, no Django, no database."""
