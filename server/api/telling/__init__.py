"""Domain objects in the words of `shapes`, which let nothing else through; a file a room."""
