"""Learning management systems: their registrations, launches from them, and the people and courses that come along."""
