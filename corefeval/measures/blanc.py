"""BLANC: coreference and non-coreference links alike (Recasens and Hovy 2011; Luo et al. 2014)."""

from collections.abc import Mapping
from fractions import Fraction
from math import comb
from operator import add
from typing import Any, NamedTuple, Self

from corefeval.conventions import Conventions
from corefeval.overlap.contingency import Contingency
from corefeval.registry import measure
from corefeval.score import Pair, Score, Tally, quotients


class LinkClasses(NamedTuple):
    """The links of two classes, whose score is the mean of the classes that count.

    A class counts if the key has links of it.
    """

    coreference: Pair
    non_coreference: Pair

    @staticmethod
    def counts_if(of_key: Any, of_response: Any) -> Any:
        """Whether a class counts, by the links that each side has of it: numbers or arrays."""
        return of_key > 0

    def counting(self) -> list[Pair]:
        """The classes that count."""
        return [pair for pair in self if self.counts_if(pair.recall.total, pair.precision.total)]

    def __add__(self, other: Self) -> Self:
        return type(self)(*map(add, self, other))

    def with_precision_of(self, other: Self) -> Self:
        return type(self)(*map(Pair.with_precision_of, self, other))

    def score(self, conventions: Conventions) -> Score:
        nothing = Pair(Tally(0, 0), Tally(0, 0))
        counted = [links.score(conventions) for links in self.counting() or [nothing]]
        recall, precision, f1 = (
            sum((getattr(score.exact, part) for score in counted), Fraction(0)) / len(counted)
            for part in ("recall", "precision", "f1")
        )
        return Score(recall, precision, f1, counts=self)

    @classmethod
    def of_arrays(cls, numbers: Any, zero: int) -> dict[str, Any]:
        """Recall, precision and F1 of many at once, as `Pair.of_arrays`.

        ``numbers`` are those of the coreference links, then those of the others.
        """
        classes = numbers[:4], numbers[4:]
        scores = [Pair.of_arrays(links, zero) for links in classes]
        counted = [cls.counts_if(links[1], links[3]) for links in classes]

        def mean(part: str) -> Any:
            parts = [score[part] * counts for score, counts in zip(scores, counted, strict=True)]
            return quotients(sum(parts), sum(counted), zero)

        return {part: mean(part) for part in ("recall", "precision", "f1")}


class OfEitherSide(LinkClasses):
    """A class counts if the key or the response has links of it."""

    @staticmethod
    def counts_if(of_key: Any, of_response: Any) -> Any:
        return of_key + of_response > 0


class Always(LinkClasses):
    """Both classes count."""

    @staticmethod
    def counts_if(of_key: Any, of_response: Any) -> Any:
        return of_key >= 0


@measure("blanc", title="BLANC", cite="recasens-hovy-2011")
def blanc(t: Contingency) -> LinkClasses:
    """½ (F_c + F_n), and so for recall and precision

    F_c is the F1 of R_c = |C_k∩C_r| / |C_k| and P_c = |C_k∩C_r| / |C_r| over the pairs of mentions
    of one entity (coreference links), F_n that of the pairs of different entities
    (non-coreference links) within each side. A class of which the key has no link is left out,
    as the reference scorer does. Recall and precision are means, so F1 is not their harmonic mean.
    Range [0, 1]; 0/0 within a class, or with both classes left out, by the convention ``zero``.

    Source: Pradhan et al. 2014, section 4.4, after Recasens and Hovy 2011 and, for mentions of one
    side only, Luo et al. 2014. The rule for a class without links is the reference scorer's; the
    scorer scorch has it too, and gives it as that of Recasens and Hovy.

    >>> from corefeval import metric
    >>> metric("blanc")("{a b c} {d e f g}", "{a b} {c d} {f g h i}")
    recall 4/9, precision 13/40, f1 25/68
    >>> metric("blanc")("{a} {b}", "{a b}")
    recall 0, precision 0, f1 0
    """
    return _links(t)


@measure("blanc_both", title="BLANC, classes of either side", cite="luo-2014")
def blanc_both(t: Contingency) -> OfEitherSide:
    """½ (F_c + F_n), and so for recall and precision

    As `blanc`, but a class is left out only if neither side has a link of it: they differ where
    the key lacks a class (it is all singletons, or a single entity) and the response has it.
    Range [0, 1]; 0/0 by the convention ``zero``. With ``zero="same"`` two sides without any link
    have 1 if their mentions are the same, else 0.

    Source: Luo et al. 2014, section 4.1, as the scorer bue-common-open (BBN) tells, which takes
    both rules from there. The scorer scorch gives the first as that paper's, too; the scorers of
    Universal Anaphora and CorefUD follow it.

    >>> from corefeval import metric
    >>> metric("blanc")("{a b c}", "{a b} {c}"), metric("blanc_both")("{a b c}", "{a b} {c}")
    (recall 1/3, precision 1, f1 1/2, recall 1/6, precision 1/2, f1 1/4)
    """
    return OfEitherSide(*_links(t))


def blanc_always(t: Contingency) -> Always:
    """As `blanc`, but no class is ever left out: not a measure, a scorer's rule."""
    return Always(*_links(t))


def _links(t: Contingency) -> LinkClasses:
    both = t.sum(lambda n, k, r: comb(n, 2))
    # Pairs of mentions that both sides have: all, less those within an entity of either side.
    apart = (
        sum(comb(document.shared_mentions, 2) for document in t.documents)
        - links_within(t.shared_histogram)
        - links_within(t.T.shared_histogram)
        + both
    )
    of_key, of_response = links_within(t.key_histogram), links_within(t.T.key_histogram)
    return LinkClasses(
        Pair(Tally(both, of_key), Tally(both, of_response)),
        Pair(Tally(apart, _across(t)), Tally(apart, _across(t.T))),
    )


def links_within(histogram: Mapping[int, int]) -> int:
    """Σ C(size, 2): the links within entities of these sizes."""
    return sum(comb(size, 2) * times for size, times in histogram.items())


def _across(t: Contingency) -> int:
    """The key's non-coreference links; there are none between documents."""
    links = sum(comb(document.key_mentions, 2) for document in t.documents)
    return links - links_within(t.key_histogram)
