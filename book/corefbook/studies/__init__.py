"""A room for each study of our own."""
