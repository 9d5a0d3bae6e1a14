"""Which measures and policies for twinless mentions are of one kind."""

from corefeval.registry import MEASURES

APART = [name for name in MEASURES if name not in ("kappa", "xc", "xc_free", "dmt")]
"""The measures that count recall and precision apart."""
SPLIT = ("stoyanov_0", "stoyanov_all", "cai_strube")
"""The policies that count them in different tables."""
WITHOUT_ORDER = [name for name in MEASURES if name not in ("xc", "xc_free")]
"""The order of entities settles XC's ties; records with names have none, nor has a database."""
