"""The MUC measure: how many links are missing (Vilain et al. 1995)."""

from corefeval.overlap.contingency import Contingency
from corefeval.registry import measure
from corefeval.score import Tally


@measure("muc", title="MUC", cite="vilain-1995")
def muc(t: Contingency) -> Tally:
    """Σ (|Kᵢ| − |p(Kᵢ)|)  over  Σ (|Kᵢ| − 1)

    p(Kᵢ) is the partition of the key entity Kᵢ by the response, in which a missing mention is a
    part of its own. Recall: the share of the links needed to build the key's entities that the
    response provides; precision likewise. Range [0, 1]; 0/0 (nothing but singletons) by the
    convention ``zero``. Singletons count nothing on either side.

    Source: Vilain et al. 1995, "Computing model-theoretic recall" and "Scoring precision".

    >>> from corefeval import metric
    >>> metric("muc")("{A B C D}", "{A B} {C D}")
    recall 2/3, precision 1, f1 4/5
    >>> metric("muc")("{A} {B}", "{A} {B}")
    recall 0, precision 0, f1 0
    """
    # |Kᵢ| − |p(Kᵢ)| is Σⱼ (n − 1): a missing mention adds one to both terms.
    return Tally(t.sum(lambda n, k, r: n - 1), t.key_mentions - t.key_entities)
