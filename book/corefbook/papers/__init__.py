"""A room for each paper: what its printed figures need beyond the library."""
