"""An optional part: tables that NumPy or a database counts. Partitions are scored without it."""
