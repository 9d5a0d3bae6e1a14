"""Coreference evaluation whose measures are their papers' formulas."""

from corefeval import measures as _measures  # noqa: F401  (registers them)
from corefeval._version import __version__ as __version__
from corefeval.contingency import Contingency
from corefeval.corpus import evaluate
from corefeval.errors import CorefError
from corefeval.measures.links import link_score
from corefeval.partition import Partition
from corefeval.registry import metric

__all__ = ["Contingency", "CorefError", "Partition", "evaluate", "link_score", "metric"]
