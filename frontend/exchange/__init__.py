"""What the pages of export and import share: their forms."""
