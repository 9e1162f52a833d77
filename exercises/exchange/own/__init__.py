"""Our own file: sources byte for byte, sets as JSON; what goes out and comes in again goes out as the same bytes."""
