"""Were the mentions found at all? Coreference aside."""

from corefeval.overlap.contingency import Contingency
from corefeval.registry import measure
from corefeval.score import Tally


@measure("mentions", title="Mention detection", cite="pradhan-2014")
def mentions(t: Contingency) -> Tally:
    """Σ |Kᵢ∩Rⱼ|  over  Σ |Kᵢ|

    Recall: the share of the key's mentions that the response has too, in whatever entity; precision
    likewise. Range [0, 1]; 0/0 by the convention ``zero``. Missing and spurious mentions are what
    it counts as errors.

    Source: the "identification of mentions" line of the reference scorer
    (Pradhan et al. 2014, section 3).

    >>> from corefeval import metric
    >>> metric("mentions")("{a b c} {d}", "{a b} {x}")
    recall 1/2, precision 2/3, f1 4/7
    >>> metric("mentions")("", "{a}")
    recall 0, precision 0, f1 0
    """
    return Tally(t.shared_mentions, t.key_mentions)
