"""κ: agreement above that of independent links, from the counts of MUC (Passonneau 1997)."""

from fractions import Fraction
from operator import add
from typing import NamedTuple, Self

from corefeval.conventions import Conventions
from corefeval.overlap.contingency import Contingency
from corefeval.registry import measure
from corefeval.score import Score


class Agreement(NamedTuple):
    """Links that are made by both sides, by the response alone, by the key alone, by neither."""

    both: int
    response_only: int
    key_only: int
    neither: int

    def __add__(self, other: Self) -> Self:
        return type(self)(*map(add, self, other))

    def score(self, conventions: Conventions) -> Score:
        """κ as the value; 0/0 by the convention ``zero``."""
        a, b, c, d = self.both, self.response_only, self.key_only, self.neither
        n = a + b + c + d
        independent = (a + c) * (a + b) + (c + d) * (b + d)
        if independent == n * n:  # independent links would agree on all, so κ is 0/0
            value = Fraction(conventions.zero == "one")
        else:
            value = Fraction((a + d) * n - independent, n * n - independent)
        return Score(value=value, counts=self)


@measure("kappa", title="κ", cite="passonneau-1997", pooled=False)
def kappa(t: Contingency) -> Agreement:
    """κ = (p_o − p_h) / (1 − p_h),  p_o = (a + d) / N,  p_h = ((a+c)(a+b) + (c+d)(b+d)) / N²

    The MUC fractions, numerator and denominator, give a, b and c: recall = a / (a + c) and
    precision = a / (a + b). The rest of the N = |E| − 1 links that could join all mentions E of
    either side are d. Range (−∞, 1], with no lower bound of −1: d can be negative, because the
    links of the two sides need not fit into one tree. 0/0 (a perfect response that is all
    singletons or a single entity) by the convention ``zero``: the source gives no rule.

    A value of 1 is perfect agreement. A value of 0 means that a / N is (a+c)/N · (a+b)/N, as it
    would be if each side made its links independently of the other. It is not the mean of random
    responses. These share fewer links, and their mean κ is below 0: it is −1 over all responses of
    two entities of two to such a key, of which the two that are wrong have −2.

    Source: Popescu-Belis, section 3.3 (DEF.7), after Passonneau 1997.

    >>> from corefeval import metric
    >>> metric("kappa")("{a b c} {d}", "{a b} {c d}")
    value -1/2
    >>> metric("kappa")("{a b} {c d}", "{a c} {b d}")
    value -2
    >>> metric("kappa")("{a b}", "{a b}"), metric("kappa", zero="one")("{a b}", "{a b}")
    (value 0, value 1)
    """
    both = t.sum(lambda n, k, r: n - 1)
    key, response = t.key_mentions - t.key_entities, t.T.key_mentions - t.T.key_entities
    mentions = t.key_mentions + t.T.key_mentions - t.shared_mentions
    links = max(mentions - 1, 0)
    return Agreement(both, response - both, key - both, links - key - response + both)
