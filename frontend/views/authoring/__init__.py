"""The pages on which problems are written, for those who may write them."""
