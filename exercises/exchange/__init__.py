"""Problems and sets for other systems, and from them: pure Python, no Django."""
