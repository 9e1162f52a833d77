"""What can be done with flashcards: one file a group."""
