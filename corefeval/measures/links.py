"""The link-wise score that the MUC measure replaced."""

from collections.abc import Iterable

from corefeval.conventions import FIRST_CHOICES, Conventions
from corefeval.errors import expect_two
from corefeval.overlap.partition import Link, Partition, as_links
from corefeval.score import Pair, Score, Tally


def link_score(key: str | Iterable[Link], response: str | Iterable[Link], **chosen: str) -> Score:
    """|{(a, b) ∈ key : a and b connected in the response}|  over  |key|

    Key and response are lists of links, or texts like ``"A-B B-C"``: the links as annotated, not
    the entities that they define. A link counts when the other side's links connect its ends,
    directly or through other mentions; precision exchanges the two. Range [0, 1]; 0/0 by the
    convention ``zero``. Unlike MUC it depends on which links were annotated, and misses links
    that the other side makes in another way.

    Raises `CorefError` for a link that is no pair of hashable mentions, and for a choice of another
    convention than ``zero``, the only one that concerns links.

    Source: Vilain et al. 1995 describe the original scorer (Sundheim et al.) and what it gives on
    five examples.

    >>> link_score("A-B B-C B-D", "A-B B-C C-D")
    recall 1, precision 1, f1 1
    >>> link_score("A-B B-C B-D", "A-B C-D")
    recall 1/3, precision 1, f1 1/2
    """
    expect_two(key, response)
    key, response = as_links(key), as_links(response)
    choice = Conventions(**chosen)
    others = [name for name in FIRST_CHOICES if name != "zero"]
    choice.refuse(others, "does not concern links: link_score takes zero alone")
    counts = Pair(connected(key, response), connected(response, key))
    return counts.score(choice.zero_decided(same_sides=set(key) == set(response)))


def connected(links: list[Link], others: list[Link]) -> Tally:
    """How many of ``links`` have both ends in one entity of ``others``.

    >>> connected([("A", "B"), ("B", "C")], [("A", "C")])
    Tally(hits=0, total=2)
    """
    entity_of = Partition.from_links(others).entity_of
    hits = sum(a in entity_of and entity_of[a] == entity_of.get(b) for a, b in links)
    return Tally(hits, len(links))
