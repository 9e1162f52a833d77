"""The door for learning management systems: LTI 1.3."""
