"""The measures, one module per paper or idea, in the order of the book's chapters.

Importing this package registers them all.
"""

from corefeval.measures import (  # isort: skip  (this order is the registry's)
    mentions,
    muc,
    b_cubed,
    ceaf,
    blanc,
    lea,
    averages,
)

__all__ = ["averages", "b_cubed", "blanc", "ceaf", "lea", "mentions", "muc"]
