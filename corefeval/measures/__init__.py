"""The measures, one module per paper or idea, in the order of the book's chapters.

Importing this package registers them all.
"""

from corefeval.measures import (  # noqa: F401  # isort: skip  (this order is the registry's)
    mentions,
    muc,
    b_cubed,
    ceaf,
    blanc,
    lea,
    averages,
    kappa,
    core_classes,
    information,
    distributional,
    derr,
)
