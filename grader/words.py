"""Word lists that a problem may choose from: everyday words, one WordPiece each, that no one could take amiss."""

WORDS: dict[str, tuple[str, ...]] = {
    "nouns": (
        "mat", "car", "sky", "dog", "tree", "river", "bread", "chair", "stone", "cloud", "horse", "lamp",
        "ship", "leaf", "hill", "door", "bird", "moon", "boat", "field", "apple", "clock", "bridge", "garden",
    ),
    "verbs": (
        "sat", "ran", "slept", "sang", "jumped", "waited", "stood", "walked", "smiled", "laughed", "worked", "stayed",
    ),
    "adjectives": (
        "red", "quiet", "small", "bright", "old", "warm", "heavy", "narrow", "green", "early", "simple", "round",
    ),
    "cities": ("paris", "london", "berlin", "rome", "madrid", "vienna", "oslo", "prague", "lisbon", "dublin"),
    "classes": ("sport", "travel", "science", "music", "food", "health", "nature", "history", "art", "business"),
    "feelings": ("joy", "anger", "fear", "trust", "surprise", "calm", "hope", "pride"),
}  # fmt: skip
