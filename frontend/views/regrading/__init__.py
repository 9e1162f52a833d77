"""The doors to regrades: who grades may look and make a dry run, who manages the course may apply and undo."""
