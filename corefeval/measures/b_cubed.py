"""B³: recall and precision of every mention's entity (Bagga and Baldwin 1998)."""

from fractions import Fraction

from corefeval.overlap.contingency import Contingency
from corefeval.registry import measure
from corefeval.score import Tally


@measure("b3", title="B³", cite="bagga-baldwin-1998")
def b_cubed(t: Contingency) -> Tally:
    """Σ |Kᵢ∩Rⱼ|² / |Kᵢ|  over  Σ |Kᵢ|

    Recall: each key mention is credited with the share of its entity that the response entity
    holding it contains, a missing mention with 0; the mean over the key's mentions. Precision
    likewise over the response's. Range [0, 1]; 0/0 (no mention) by the convention ``zero``.

    Source: Baldwin et al. 1998, "B-CUBED algorithm", equal weights for every mention; Pradhan et
    al. 2014, section 4.2, for missing and spurious mentions.

    >>> from corefeval import metric
    >>> metric("b3")("{a b c} {d e f g}", "{a b} {c d} {f g h i}")
    recall 5/12, precision 1/2, f1 5/11
    >>> metric("b3")("", "")
    recall 0, precision 0, f1 0
    """
    return Tally(t.sum(lambda n, k, r: Fraction(n * n, k)), t.key_mentions)


@measure("b3_class", title="B³, every entity alike", cite="baldwin-1998-camp")
def b_cubed_by_entity(t: Contingency) -> Tally:
    """Σ (|Kᵢ∩Rⱼ| / |Kᵢ|)²  over  the number of key entities

    B³ with every entity, rather than every mention, of equal weight: recall is the mean over the
    key's entities of their mentions' mean credit, precision the mean over the response's. Range
    [0, 1]; 0/0 (no entity) by the convention ``zero``.

    Source: Baldwin et al. 1998, "B-CUBED algorithm", equal weights for each equivalence class.

    >>> from corefeval import metric
    >>> metric("b3_class")("{1 2 3 4 5} {6 7} {8 9 A B C}", "{1 2 3 4 5} {6 7 8 9 A B C}")
    recall 1, precision 39/49, f1 39/44
    """
    return Tally(t.sum(lambda n, k, r: Fraction(n * n, k * k)), t.key_entities)
