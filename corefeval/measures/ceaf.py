"""CEAF: the overlap of the best one-to-one alignment of entities (Luo 2005)."""

from fractions import Fraction

from corefeval.overlap.alignment import Similarity, best_sum
from corefeval.overlap.contingency import Contingency
from corefeval.registry import measure
from corefeval.score import Pair, Tally


def phi1(n: int, k: int, r: int) -> int:
    """[Kᵢ = Rⱼ]: the same entity or nothing."""
    return int(n == k == r)


def phi2(n: int, k: int, r: int) -> int:
    """[Kᵢ ∩ Rⱼ ≠ ∅]: any mention in common."""
    return int(n > 0)


def phi3(n: int, k: int, r: int) -> int:
    """|Kᵢ∩Rⱼ|: the mentions in common."""
    return n


def phi4(n: int, k: int, r: int) -> Fraction:
    """2 |Kᵢ∩Rⱼ| / (|Kᵢ| + |Rⱼ|): the F1 of the two as sets."""
    return Fraction(2 * n, k + r)


@measure("ceafm", title="CEAFₘ", cite="luo-2005")
def ceaf_m(t: Contingency) -> Pair:
    """max Σ |Kᵢ∩Rⱼ|  over  Σ |Kᵢ|        (φ₃)

    The sum is over the one-to-one alignment of key and response entities that makes it largest.
    Recall: the share of the key's mentions that stand in the response entity aligned with
    theirs; precision over Σ |Rⱼ|. Range [0, 1]; 0/0 by the convention ``zero``. See
    `corefeval.overlap.alignment.best_sum` for its exactness.

    Source: Luo 2005, φ₃; Pradhan et al. 2014, section 4.3.1.

    >>> from corefeval import metric
    >>> metric("ceafm")("{a b c} {d e f g}", "{a b} {c d} {f g h i}")
    recall 4/7, precision 1/2, f1 8/15
    """
    hits = best_sum(t, phi3)
    return Pair(Tally(hits, t.key_mentions), Tally(hits, t.T.key_mentions))


@measure("ceafe", title="CEAFₑ", cite="luo-2005")
def ceaf_e(t: Contingency) -> Pair:
    """max Σ 2 |Kᵢ∩Rⱼ| / (|Kᵢ| + |Rⱼ|)  over  the number of key entities        (φ₄)

    As `ceaf_m`, with the similarity of two entities in [0, 1] and every entity of equal weight;
    precision over the number of response entities. Range [0, 1]; 0/0 by the convention ``zero``.

    Source: Luo 2005, φ₄; Pradhan et al. 2014, section 4.3.2.

    >>> from corefeval import metric
    >>> metric("ceafe")("{a b c} {d e f g}", "{a b} {c d} {f g h i}")
    recall 13/20, precision 13/30, f1 13/25
    """
    return _by_entity(t, phi4)


@measure("ceaf1", title="CEAF, φ₁", cite="luo-2005")
def ceaf_1(t: Contingency) -> Pair:
    """max Σ [Kᵢ = Rⱼ]  over  the number of key entities        (φ₁)

    The strictest similarity: only a response entity equal to a key entity counts. Range [0, 1];
    0/0 by the convention ``zero``.

    Source: Luo 2005, φ₁.

    >>> from corefeval import metric
    >>> metric("ceaf1")("{a b} {c d}", "{a b} {c} {d}")
    recall 1/2, precision 1/3, f1 2/5
    """
    return _by_entity(t, phi1)


@measure("ceaf2", title="CEAF, φ₂", cite="luo-2005")
def ceaf_2(t: Contingency) -> Pair:
    """max Σ [Kᵢ ∩ Rⱼ ≠ ∅]  over  the number of key entities        (φ₂)

    The most lenient similarity: any shared mention counts, as long as no entity is used twice.
    Range [0, 1]; 0/0 by the convention ``zero``.

    Source: Luo 2005, φ₂.

    >>> from corefeval import metric
    >>> metric("ceaf2")("{a b} {c d}", "{a b c d}")
    recall 1/2, precision 1, f1 2/3
    """
    return _by_entity(t, phi2)


def _by_entity(t: Contingency, similarity: Similarity) -> Pair:
    hits = best_sum(t, similarity)
    return Pair(Tally(hits, t.key_entities), Tally(hits, t.T.key_entities))
