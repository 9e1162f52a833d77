"""QTI 3: items with template processing where a problem can be said by it, else fixed variants."""
