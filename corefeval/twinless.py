"""What to do with mentions that only one side has: one function per published answer.

Each takes the overlap table of a key and a response, and gives the table that recall is counted
in and the table that precision is counted in. `corefeval.conventions.CHOICES` says what each
means.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from corefeval.contingency import (
    KEY,
    RESPONSE,
    Contingency,
    Counted,
    Histogram,
    Histograms,
    Triple,
    added,
)

if TYPE_CHECKING:
    from corefeval.arrays import Columns

Tables = tuple[Contingency, Contingency]


def keep(t: Contingency) -> Tables:
    """Both sides as they are: each measure says itself what a twinless mention counts.

    Source: Pradhan et al. 2014, section 4.
    """
    return t, t


def complete(t: Contingency) -> Tables:
    """Every twinless mention is a singleton of the other side.

    Source: Popescu-Belis, section 4.3 (DEF.19).
    """
    both = completed(t)
    return both, both


def stoyanov_0(t: Contingency) -> Tables:
    """Precision without the response's twinless mentions; recall as it is.

    With B³ this is B³_0. Source: Stoyanov et al. 2009, as Pradhan et al. 2014, section 2, tell it,
    with one departure: they write that it penalizes recall for twinless *predicted* mentions,
    which are discarded and cannot move recall; the key's are meant here, which recall does not
    credit.

    >>> from corefeval import metric
    >>> metric("b3", twinless="stoyanov_0")("{a b c}", "{a b d}")
    recall 4/9, precision 1, f1 8/13
    """
    return t, cut(t)


def stoyanov_all(t: Contingency) -> Tables:
    """A twinless mention is a singleton of the other side, in its own side's score only.

    With B³ this is B³_all: precision 1/|R| for the response's, recall 1/|K| for the key's. Source:
    Stoyanov et al. 2009, as Pradhan et al. 2014, section 2, tell it: the mentions are "retained".
    That each belongs with itself is our reading, which gives the figures that they quote.

    >>> from corefeval import metric
    >>> metric("b3", twinless="stoyanov_all")("{a b c}", "{a b d}")
    recall 5/9, precision 5/9, f1 5/9
    """
    return found(t), found(t.T).T


def rahman_ng(t: Contingency) -> Tables:
    """The response without its twinless singletons.

    Source: Rahman and Ng 2009, as Pradhan et al. 2014, section 2, tell it.

    >>> from corefeval import metric
    >>> metric("b3", twinless="rahman_ng")("{a b c}", "{a b d} {e}")
    recall 4/9, precision 4/9, f1 4/9
    """
    both = pruned(t)
    return both, both


def cai_strube(t: Contingency) -> Tables:
    """The response without its twinless singletons, and with the key's mentions all found.

    Key mentions that the response lacks become its singletons. The twinless mentions that the
    response still has are left out for recall, and are singletons of the key for precision. With
    B³ and CEAFₘ this is B³_sys and CEAF_sys. Source: Cai and Strube 2010, a paper that was not
    seen: this is a reading that gives the figures which others quote from it.

    >>> from corefeval import metric
    >>> metric("b3", twinless="cai_strube")("{a b c}", "{a b d} {i j}")
    recall 5/9, precision 11/18, f1 110/189
    """
    return found(cut(t)), completed(pruned(t))


def shared_task(t: Contingency) -> Tables:
    """The response without its twinless singletons, then all as `complete`.

    >>> from corefeval import metric
    >>> metric("b3", twinless="shared_task")("{a b c}", "{a b d} {e}")
    recall 2/3, precision 2/3, f1 2/3
    """
    both = completed(pruned(t))
    return both, both


def key_completed(t: Contingency) -> Tables:
    """Every twinless mention of the response is a singleton of the key.

    >>> from corefeval import metric
    >>> metric("b3", twinless="key_completed")("{a b c}", "{a b d}")
    recall 7/12, precision 5/9, f1 70/123
    """
    both = found(t.T).T
    return both, both


POLICIES: dict[str, Callable[[Contingency], Tables]] = {
    policy.__name__: policy
    for policy in (
        *(keep, complete, stoyanov_0, stoyanov_all),
        *(rahman_ng, cai_strube, shared_task, key_completed),
    )
}
"""The policies by the names of the convention ``twinless``."""


def completed(t: Contingency) -> Contingency:
    """The table after DEF.19: a mention on one side only is a singleton of the other.

    Source: Popescu-Belis, section 4.3.

    >>> from corefeval import Partition
    >>> t = completed(Contingency.of(Partition.parse("{a b c}"), Partition.parse("{a b} {c d}")))
    >>> t.pairs, t.key_sizes
    ({(0, 0): 2, (0, 1): 1, (1, 1): 1}, [3, 1])
    """
    return found(found(t).T).T


def found(t: Contingency) -> Contingency:
    """The table in which each key mention that the response lacks is a singleton of the response.

    >>> from corefeval import Partition
    >>> t = found(Contingency.of(Partition.parse("{a b c}"), Partition.parse("{a b} {d e}")))
    >>> t.pairs, t.response_sizes
    ({(0, 0): 2, (0, 2): 1}, [2, 2, 1])
    """
    return _changed(_Found, t)


def pruned(t: Contingency) -> Contingency:
    """The table without the response's twinless singletons."""
    return _changed(_Pruned, t)


def cut(t: Contingency) -> Contingency:
    """The table without the response's twinless mentions."""
    return Contingency.union(each.cut() for each in t.documents)


def _changed(change: Callable[[Contingency], Counted], t: Contingency) -> Contingency:
    """The change made in each document; at once in tables whose pairs are there already."""
    documents = zip(t.documents, map(change, t.documents), strict=True)
    return Contingency.union(new if old.counted else new.listed for old, new in documents)


class _Found(Counted):
    """What `found` gives: each mention that the response lacks adds a pair (1, k, 1)."""

    def __init__(self, t: Contingency) -> None:
        self._t, self._lacking = t, t.key_mentions - t.shared_mentions

    @cached_property
    def listed(self) -> Contingency:
        pairs, response_sizes = dict(self._t.pairs), list(self._t.response_sizes)
        sizes = zip(self._t.key_sizes, self._t.shared_sizes(), strict=True)
        for i, (size, shared) in enumerate(sizes):
            for _ in range(size - shared):
                pairs[i, len(response_sizes)] = 1
                response_sizes.append(1)
        return Contingency(pairs, self._t.key_sizes, response_sizes)

    @cached_property
    def columns(self) -> Columns | None:  # type: ignore[override]
        return self._t.columns and self._t.columns.found()

    @cached_property
    def triples(self) -> Mapping[Triple, int]:
        lacking = Counter({k: k * times for k, times in self._t.key_histogram.items()})
        for (n, k, _), times in self._t.triples.items():
            lacking[k] -= n * times
        return added([self._t.triples, {(1, k, 1): m for k, m in lacking.items() if m}])

    @cached_property
    def histograms(self) -> Histograms:
        of_key, of_response = self._t.histograms
        return of_key, _with(of_response, 1, self._lacking)

    @cached_property
    def shared_histograms(self) -> Histograms:
        return self.histograms[KEY], _with(self._t.shared_histograms[RESPONSE], 1, self._lacking)

    @cached_property
    def core_histograms(self) -> Histograms:
        of_key, of_response = self._t.core_histograms
        alone = self._t.shared_histogram.get(0, 0)
        return _with(of_key, 1, alone), _with(of_response, 1, self._lacking)


class _Pruned(Counted):
    """What `pruned` gives: no pair is gone, but entities of one mention."""

    def __init__(self, t: Contingency) -> None:
        self._t = t

    triples = cached_property(lambda t: t._t.triples)
    core_histograms = cached_property(lambda t: t._t.core_histograms)
    histograms = cached_property(lambda t: t._less(t._t.histograms, 1))
    shared_histograms = cached_property(lambda t: t._less(t._t.shared_histograms, 0))

    def _less(self, histograms: Histograms, size: int) -> Histograms:
        found = sum(times for (_, _, r), times in self._t.triples.items() if r == 1)
        gone = found - self._t.histograms[RESPONSE].get(1, 0)
        return histograms[KEY], _with(histograms[RESPONSE], size, gone)

    @cached_property
    def listed(self) -> Contingency:
        sizes = zip(self._t.response_sizes, self._t.shared_sizes(RESPONSE), strict=True)
        return self._t.with_response_sizes([r if r > 1 or shared else 0 for r, shared in sizes])

    @cached_property
    def columns(self) -> Columns | None:  # type: ignore[override]
        return self._t.columns and self._t.columns.pruned()


def _with(histogram: Histogram, size: int, times: int) -> Histogram:
    """The histogram with more entities of a size, or less."""
    return Counter(histogram) + Counter({size: times})  # which leaves out what is 0
