"""The measures, one module per paper or idea, in the order of the book's chapters.

Importing this package registers them all, in the order of the imports.
"""

# ruff: noqa: F401
# isort: skip_file
from corefeval.measures import mentions, muc, b_cubed, ceaf, blanc, pairwise, lea, averages
from corefeval.measures import kappa, core_classes, information, distributional
from corefeval.measures.links import link_score
