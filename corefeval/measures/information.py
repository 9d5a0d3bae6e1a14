"""H: the referring information that gets across (Popescu-Belis)."""

from math import fsum, log

from corefeval.overlap.contingency import Contingency
from corefeval.overlap.twinless import completed
from corefeval.registry import measure
from corefeval.score import Tally


@measure("h", title="H (information)", cite="popescu-belis-2000", pooled=False)
def h(t: Contingency) -> Tally:
    """|E| · (H(R) − H(R|K))  over  |E| · H(R)

    H(R) = −Σ |Rⱼ|/|E| log |Rⱼ|/|E| is the entropy of the response, H(R|K) its entropy given the
    key: what the response distinguishes without reason. Precision is about H(K) and H(K|R), what of
    the key is lost. E are the mentions of either side; missing and spurious ones are completed by
    singletons (DEF.19). Range [0, 1]; 0/0 (a single entity) by the convention ``zero``.

    The values are doubles. That H is 0, that the partitions are equal and that they are
    independent is decided by whole numbers, so that 0 and 1 are exact. Of a table of more than 10⁷
    mentions a value that is almost 0 may be lost in rounding.

    Recall, precision and F1 are the completeness, homogeneity and V-measure of clustering.
    Source: Popescu-Belis, section 3.6 (DEF.15 to DEF.17, PROP.12).

    >>> from corefeval import metric
    >>> score = metric("h")("{a b} {c d}", "{a b} {c} {d}")
    >>> round(score.recall, 9), score.precision
    (0.666666667, 1.0)
    >>> metric("h")("{a b} {c d}", "{a c} {b d}")
    recall 0.0, precision 0.0, f1 0
    """
    t = completed(t)
    mentions = t.key_mentions
    sent = fsum(r * log(mentions / r) * times for r, times in t.T.key_histogram.items())
    if independent(t):
        return Tally(0.0, sent)
    unjustified = fsum(n * log(k / n) * times for (n, k, r), times in t.triples.items())
    return Tally(sent - unjustified, sent)


def independent(t: Contingency) -> bool:
    """Whether |Kᵢ∩Rⱼ| · |E| = |Kᵢ| · |Rⱼ| for all entities of the same mentions E (PROP.12).

    It is enough to ask those that overlap: were one n missing, the others would not add up to |E|.

    >>> from corefeval import Partition
    >>> a, b = Partition.parse("{a b} {c d}"), Partition.parse("{a c} {b d}")
    >>> independent(Contingency.of(a, b)), independent(Contingency.of(a, a))
    (True, False)
    """
    mentions = t.key_mentions
    return all(n * mentions == k * r for n, k, r in t.triples)
