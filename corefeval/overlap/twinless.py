"""What to do with missing and spurious mentions: one function per published answer.

A missing mention is one of the key that the response lacks, a spurious one the reverse; both are
called twinless by Stoyanov et al. 2009, hence the name of the convention. Each function takes the
overlap table of a key and a response, and gives the table that recall is counted in and the table
that precision is counted in. `corefeval.conventions.CHOICES` says what each means.
"""

from __future__ import annotations

from collections.abc import Callable

from corefeval.overlap.contingency import KEY, RESPONSE, Contingency, Tables


def keep(t: Contingency) -> Tables:
    """Both sides as they are: each measure says itself what a missing or spurious mention counts.

    Source: Pradhan et al. 2014, section 4.
    """
    return Tables.alike(t)


def complete(t: Contingency) -> Tables:
    """Every missing or spurious mention is a singleton of the other side.

    Source: Popescu-Belis, section 4.3 (DEF.19).
    """
    return Tables.alike(completed(t))


def stoyanov_0(t: Contingency) -> Tables:
    """Precision without spurious mentions; recall as it is. With B³ this is B³_0.

    Source: Stoyanov et al. 2009, as Pradhan et al. 2014, section 2, tell it, with one departure:
    they write that it penalizes recall for twinless *predicted* mentions, which are discarded and
    cannot move recall; the key's are meant here, which recall does not credit.

    >>> from corefeval import metric
    >>> metric("b3", twinless="stoyanov_0")("{a b c}", "{a b d}")
    recall 4/9, precision 1, f1 8/13
    """
    return Tables(t, t.without("twinless"))


def stoyanov_all(t: Contingency) -> Tables:
    """A missing or spurious mention is a singleton of the other side, in its own side's score only.

    With B³ this is B³_all: precision 1/|R| for a spurious one, recall 1/|K| for a missing one.
    Source: Stoyanov et al. 2009, as Pradhan et al. 2014, section 2, tell it: the mentions are
    "retained". That each belongs with itself is our reading, which gives the figures that they
    quote.

    >>> from corefeval import metric
    >>> metric("b3", twinless="stoyanov_all")("{a b c}", "{a b d}")
    recall 5/9, precision 5/9, f1 5/9
    """
    return Tables(with_key_found(t), with_response_found(t))


def rahman_ng(t: Contingency) -> Tables:
    """The response without spurious singletons.

    Source: Rahman and Ng 2009, as Pradhan et al. 2014, section 2, tell it.

    >>> from corefeval import metric
    >>> metric("b3", twinless="rahman_ng")("{a b c}", "{a b d} {e}")
    recall 4/9, precision 4/9, f1 4/9
    """
    return Tables.alike(t.without("twinless singleton"))


def cai_strube(t: Contingency) -> Tables:
    """The response without spurious singletons, and with all missing mentions.

    The spurious mentions that the response still has are left out for recall, and are singletons of
    the key for precision. With B³ and CEAFₘ this is B³_sys and CEAF_sys. Source: Cai and Strube
    2010, a paper that was not seen: a reading that gives the figures which others quote from it.

    >>> from corefeval import metric
    >>> metric("b3", twinless="cai_strube")("{a b c}", "{a b d} {i j}")
    recall 5/9, precision 11/18, f1 110/189
    """
    precision = completed(t.without("twinless singleton"))
    return Tables(with_key_found(t.without("twinless")), precision)


def shared_task(t: Contingency) -> Tables:
    """The response without spurious singletons, then all as `complete`.

    >>> from corefeval import metric
    >>> metric("b3", twinless="shared_task")("{a b c}", "{a b d} {e}")
    recall 2/3, precision 2/3, f1 2/3
    """
    return Tables.alike(completed(t.without("twinless singleton")))


def key_completed(t: Contingency) -> Tables:
    """Every spurious mention is a singleton of the key.

    >>> from corefeval import metric
    >>> metric("b3", twinless="key_completed")("{a b c}", "{a b d}")
    recall 7/12, precision 5/9, f1 70/123
    """
    return Tables.alike(with_response_found(t))


POLICIES: dict[str, Callable[[Contingency], Tables]] = {
    policy.__name__: policy
    for policy in (
        *(keep, complete, stoyanov_0, stoyanov_all),
        *(rahman_ng, cai_strube, shared_task, key_completed),
    )
}
"""The policies by the names of the convention ``twinless``."""


def completed(t: Contingency) -> Contingency:
    """The table after DEF.19: a missing or spurious mention is a singleton of the other side.

    Source: Popescu-Belis, section 4.3.

    >>> from corefeval import Partition
    >>> t = completed(Contingency.of(Partition.parse("{a b c}"), Partition.parse("{a b} {c d}")))
    >>> t.pairs, t.key_sizes
    ({(0, 0): 2, (0, 1): 1, (1, 1): 1}, [3, 1])
    """
    return t.once(_completed)  # several measures ask for it


def _completed(t: Contingency) -> Contingency:
    return with_response_found(with_key_found(t))


def with_key_found(t: Contingency) -> Contingency:
    """The table in which each missing mention is a singleton of the response.

    >>> from corefeval import Partition
    >>> t = Contingency.of(Partition.parse("{a b c}"), Partition.parse("{a b} {d e}"))
    >>> t = with_key_found(t)
    >>> t.pairs, t.response_sizes
    ({(0, 0): 2, (0, 2): 1}, [2, 2, 1])
    """
    return t.with_found(KEY)


def with_response_found(t: Contingency) -> Contingency:
    """The table in which each spurious mention is a singleton of the key."""
    return t.with_found(RESPONSE)
