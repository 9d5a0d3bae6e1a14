"""Core classes: the response entity that matches a key entity best (Popescu-Belis)."""

from operator import add
from typing import NamedTuple, Self

from corefeval.conventions import Conventions
from corefeval.overlap.contingency import Contingency, Wishes
from corefeval.overlap.twinless import completed
from corefeval.registry import measure
from corefeval.score import Pair, Score, Tally


@measure("c", title="C (core classes)", cite="popescu-belis-2000")
def c(t: Contingency) -> Tally:
    """Σ (|c(Kᵢ)| − 1)  over  Σ (|Kᵢ| − 1),   c(Kᵢ) the largest of the fragments Kᵢ∩Rⱼ

    Recall: of the mentions of each key entity but one, the share that is in the core, the largest
    fragment that the response leaves together; precision likewise. Never above MUC (PROP.8).
    Singletons count nothing on either side, so it does not matter whether missing and spurious
    mentions are completed by singletons (DEF.19). Range [0, 1]; 0/0 by the convention ``zero``.

    Source: Popescu-Belis, section 3.5 (DEF.11 to DEF.14).

    >>> from corefeval import metric
    >>> metric("c")("{a b c d e}", "{a b} {c d} {e}")
    recall 1/4, precision 1, f1 2/5
    >>> metric("c", zero="one")("{a} {b}", "{a} {b}")
    recall 1, precision 1, f1 1
    """
    hits = sum((n - 1) * entities for n, entities in t.core_histogram.items())
    return Tally(hits, t.key_mentions - t.key_entities)


class Exclusive(NamedTuple):
    """Mentions of given response entities, shared with their key entities or not, and of all."""

    correct: int
    incorrect: int
    mentions: int
    """Of either side."""

    def __add__(self, other: Self) -> Self:
        return type(self)(*map(add, self, other))

    def score(self, conventions: Conventions) -> Score:
        recall = Tally(self.correct, self.mentions)
        precision = Tally(self.mentions - self.incorrect, self.mentions)
        return Score(*Pair(recall, precision).score(conventions).exact, counts=self)


@measure("xc", title="XC (exclusive core classes)", cite="popescu-belis-2000", pooled=False)
def xc(t: Contingency) -> Exclusive:
    """XRS = correct / |E|,   XPS = 1 − incorrect / |E|

    From the largest key entity to the smallest, each is given the response entity that shares most
    with it, and none is given twice: a key entity whose best match is taken gets nothing.
    ``correct`` counts the mentions that a key entity shares with the one it was given,
    ``incorrect`` the others of that one. E are the mentions of either side; missing and spurious
    ones are completed by singletons (DEF.19). Range [0, 1]; 0/0 by the convention ``zero``. The
    other reading of the paper is the measure ``xc_free``.

    Ties are not settled by the paper: entities of one size come in the order given, and of two
    equal matches one that is free is taken, or else the first given. So the order of entities can
    change the score.

    Source: Popescu-Belis, section 3.5.4; the two formulas are those that give its Table 3.

    >>> from corefeval import metric
    >>> metric("xc")("{a b c} {d e}", "{a b d} {c e}")
    recall 3/5, precision 3/5, f1 3/5
    """
    return _exclusive(completed(t), free=False)


@measure("xc_free", title="XC, best free class", cite="popescu-belis-2000", pooled=False)
def xc_free(t: Contingency) -> Exclusive:
    """XRS = correct / |E|,   XPS = 1 − incorrect / |E|

    As ``xc``, but a key entity whose best match is taken is given the best response entity that is
    free: the other reading of what the paper says. Range [0, 1]; 0/0 by the convention ``zero``.

    Source: Popescu-Belis, section 3.5.4.

    >>> from corefeval import metric
    >>> metric("xc")("{a b c} {d e f}", "{a b d e} {f} {c}")
    recall 1/3, precision 2/3, f1 4/9
    >>> metric("xc_free")("{a b c} {d e f}", "{a b d e} {f} {c}")
    recall 1/2, precision 2/3, f1 4/7
    """
    return _exclusive(completed(t), free=True)


def _exclusive(t: Contingency, free: bool) -> Exclusive:
    """What is given after each wish in turn, if both its entities are still free."""
    wishes = _wishes(t, free) if t.aligner is None else t.aligner.settle_wishes(free)
    correct, incorrect = wishes.correct, wishes.incorrect
    keys: set[int] = set()
    responses: set[int] = set()
    for i, j, n, r in wishes.left:
        if i not in keys and j not in responses:
            keys.add(i)
            responses.add(j)
            correct += n
            incorrect += r - n
    return Exclusive(correct, incorrect, t.key_mentions)


def _wishes(t: Contingency, free: bool) -> Wishes:
    """The pairs in the order in which key entities take response entities: all, or the best."""
    k, r = t.key_sizes, t.response_sizes
    order = sorted((-k[i], i, -n, j) for (i, j), n in t.pairs.items())
    every = [(i, j, -n, r[j]) for _, i, n, j in order]
    if free:
        return Wishes(0, 0, every)
    most: dict[int, int] = {}
    return Wishes(0, 0, [wish for wish in every if most.setdefault(wish[0], wish[2]) == wish[2]])
