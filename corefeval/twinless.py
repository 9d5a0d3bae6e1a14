"""What to do with mentions that only one side has: one function per published answer.

Each takes the overlap table of a key and a response, and gives the table that recall is counted
in and the table that precision is counted in. `corefeval.conventions.CHOICES` says what each
means.
"""

from __future__ import annotations

from collections.abc import Callable

from corefeval.contingency import Contingency

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
    return t, _cut_to_key(t)


def stoyanov_all(t: Contingency) -> Tables:
    """A twinless mention is a singleton of the other side, in its own side's score only.

    With B³ this is B³_all: precision 1/|R| for the response's, recall 1/|K| for the key's. Source:
    Stoyanov et al. 2009, as Pradhan et al. 2014, section 2, tell it: the mentions are "retained".
    That each belongs with itself is our reading, which gives the figures that they quote.

    >>> from corefeval import metric
    >>> metric("b3", twinless="stoyanov_all")("{a b c}", "{a b d}")
    recall 5/9, precision 5/9, f1 5/9
    """
    return _with_key_in_response(t), _with_key_in_response(t.T).T


def rahman_ng(t: Contingency) -> Tables:
    """The response without its twinless singletons.

    Source: Rahman and Ng 2009, as Pradhan et al. 2014, section 2, tell it.

    >>> from corefeval import metric
    >>> metric("b3", twinless="rahman_ng")("{a b c}", "{a b d} {e}")
    recall 4/9, precision 4/9, f1 4/9
    """
    pruned = _without_twinless_singletons(t)
    return pruned, pruned


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
    pruned = _with_key_in_response(_without_twinless_singletons(t))
    return _cut_to_key(pruned), _with_key_in_response(pruned.T).T


POLICIES: dict[str, Callable[[Contingency], Tables]] = {
    policy.__name__: policy
    for policy in (keep, complete, stoyanov_0, stoyanov_all, rahman_ng, cai_strube)
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
    return _with_key_in_response(_with_key_in_response(t).T).T


def _with_key_in_response(t: Contingency) -> Contingency:
    """The table in which each key mention that the response lacks is a singleton of the response.

    >>> from corefeval import Partition
    >>> t = Contingency.of(Partition.parse("{a b c}"), Partition.parse("{a b} {d e}"))
    >>> found = _with_key_in_response(t)
    >>> found.pairs, found.response_sizes
    ({(0, 0): 2, (0, 2): 1}, [2, 2, 1])
    """
    pairs, response_sizes = dict(t.pairs), list(t.response_sizes)
    for i, (size, shared) in enumerate(zip(t.key_sizes, t.shared_sizes(), strict=True)):
        for _ in range(size - shared):
            pairs[i, len(response_sizes)] = 1
            response_sizes.append(1)
    return Contingency(pairs, t.key_sizes, response_sizes)


def _cut_to_key(t: Contingency) -> Contingency:
    """The table of a response cut down to the key's mentions."""
    return _with_response_sizes(t, t.T.shared_sizes())


def _without_twinless_singletons(t: Contingency) -> Contingency:
    found = {j for _, j in t.pairs}
    sizes = [r if r > 1 or j in found else 0 for j, r in enumerate(t.response_sizes)]
    return _with_response_sizes(t, sizes)


def _with_response_sizes(t: Contingency, sizes: list[int]) -> Contingency:
    """The same pairs, with response entities of other sizes; those of size 0 are gone."""
    left = [j for j, r in enumerate(sizes) if r]
    number = {j: new for new, j in enumerate(left)}
    pairs = {(i, number[j]): n for (i, j), n in t.pairs.items()}
    return Contingency(pairs, t.key_sizes, [sizes[j] for j in left])
