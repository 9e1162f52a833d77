"""The rules of LTI 1.3: what a launch must say, who is what by it, and how platforms are set up. Pure Python."""
