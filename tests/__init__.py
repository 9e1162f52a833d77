"""The tests. A package by its own name, since a dependency brings one of the same name along."""
