"""Pairwise: the links within entities, as record linkage counts them."""

from math import comb

from corefeval.measures.blanc import links_within
from corefeval.overlap.contingency import Contingency
from corefeval.registry import measure
from corefeval.score import Tally


@measure("pairwise", title="Pairwise", cite="menestrina-2010")
def pairwise(t: Contingency) -> Tally:
    """Σ link(Kᵢ∩Rⱼ)  over  Σ link(Kᵢ)        link(E) = |E| (|E| − 1) / 2

    Recall: the share of the key's links that the response has too, where every two mentions of one
    entity are a link; precision likewise. It is BLANC's class of coreference links by itself. An
    entity counts with the square of its size, a singleton not at all. Range [0, 1]; 0/0 (no link)
    by the convention ``zero``.

    Source: the pairwise precision, recall and F1 of record linkage, named by Menestrina et al. 2010
    and defined by Barnes 2015; R_c, P_c and F_c of Pradhan et al. 2014, section 4.4.

    >>> from corefeval import metric
    >>> metric("pairwise")("{a b c} {d e f g}", "{a b} {c d} {f g h i}")
    recall 2/9, precision 1/4, f1 4/17
    >>> metric("pairwise")("{a} {b}", "{a b}")
    recall 0, precision 0, f1 0
    """
    shared = t.sum(lambda n, k, r: comb(n, 2))
    return Tally(shared, links_within(t.key_histogram))
