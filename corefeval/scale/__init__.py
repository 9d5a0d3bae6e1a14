"""A wing: tables that NumPy or a database engine counts. To score partitions it is not needed."""
