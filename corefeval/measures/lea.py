"""LEA: how important is an entity, and how well is it resolved? (Moosavi and Strube 2016)"""

from fractions import Fraction

from corefeval.overlap.contingency import Contingency
from corefeval.registry import measure
from corefeval.score import Tally


@measure("lea", title="LEA", cite="moosavi-strube-2016")
def lea(t: Contingency) -> Tally:
    """Σ |Kᵢ| · (Σⱼ link(Kᵢ∩Rⱼ) / link(Kᵢ))  over  Σ |Kᵢ|        link(E) = |E| (|E| − 1) / 2

    Recall: the share of each key entity's links that the response has, weighted by the entity's
    size; precision likewise. A singleton has one link, to itself, which only the same singleton
    on the other side has too. Range [0, 1]; 0/0 (no entity) by the convention ``zero``.

    Source: Moosavi and Strube 2016, by the formula in the description of their scorer.

    >>> from corefeval import metric
    >>> metric("lea")("{a b c} {d e f g}", "{a b} {c d} {f g h i}")
    recall 5/21, precision 1/3, f1 5/18
    >>> metric("lea")("{a} {b c}", "{a} {b} {c}")
    recall 1/3, precision 1/3, f1 1/3
    """
    return Tally(t.sum(_weighted_share), t.key_mentions)


def _weighted_share(n: int, k: int, r: int) -> Fraction:
    """k · link(n) / link(k)"""
    return Fraction(r == 1) if k == 1 else Fraction(n * (n - 1), k - 1)
