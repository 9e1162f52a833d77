"""What the pages about writing problems are made of: words for the editor, charts of a check, and their forms."""
