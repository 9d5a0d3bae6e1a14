"""False neighbours of Popescu-Belis's propositions: sentences that sound as true, and are not.

Each is a function that tells whether a table of key and response agrees with it. Denominators
are multiplied out, and where one is 0 the sentence says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from corefbook.enumeration import text
from corefbook.papers.popescubelis.propositions import (
    PROPOSITIONS,
    Holds,
    fragments,
    recall,
    same,
    score,
    spread,
    surplus,
    without_key_singletons,
)
from corefbook.tables import Table
from corefeval.overlap.contingency import Contingency


class Card(NamedTuple):
    """A sentence of a proposition beside a false neighbour of it."""

    number: int
    true: str
    false: str
    agrees: Holds
    """Whether a table agrees with the false sentence."""


CARDS: list[Card] = []


def neighbour(number: int, true: str, false: str) -> Callable[[Holds], Holds]:
    """Register a function that tells whether a table agrees with the false sentence."""

    def register(agrees: Holds) -> Holds:
        CARDS.append(Card(number, true, false, agrees))
        return agrees

    return register


@neighbour(1, "1 ≤ |π(K)| ≤ |K|", "|π(K)| < |K|")
def fewer_fragments_than_mentions(t: Contingency) -> bool:
    return all(len(sizes) < sum(sizes) for sizes in fragments(t))


@neighbour(2, "MRS and MPS have one numerator", "MRS = MPS")
def as_much_recall_as_precision(t: Contingency) -> bool:
    return bool(recall("muc", t) == recall("muc", t.T))


@neighbour(3, "F1 of MUC is 1 ⇔ P_R = P_K", "MRS = 1 ⇔ P_R = P_K")
def full_recall_for_the_key_alone(t: Contingency) -> bool:
    return (recall("muc", t) == 1) == same(t)


@neighbour(4, "P_R = {E} ⇒ MPS = (|E|−|P_K|)/(|E|−1)", "P_R = {E} ⇒ MPS = (|E|−|P_K|)/|E|")
def precision_over_all_mentions(t: Contingency) -> bool:
    mentions = t.key_mentions
    one = t.T.key_entities == 1
    return not one or bool(recall("muc", t.T) * mentions == mentions - t.key_entities)


@neighbour(
    5, "MRS ≥ (|E|−|P_K|·|P_R|)/(|E|−|P_K|)", "MRS = (|E|−|P_K|·|P_R|)/(|E|−|P_K|)"
)  # fmt: skip
def muc_is_its_lower_limit(t: Contingency) -> bool:
    mentions, entities = t.key_mentions, t.key_entities
    limit = mentions - entities * t.T.key_entities
    undefined = mentions == entities
    return undefined or bool(recall("muc", t) * (mentions - entities) == limit)


@neighbour(6, "BRS ≥ |P_K|/|E|", "BRS ≥ |P_R|/|E|")
def b_cubed_by_the_response(t: Contingency) -> bool:
    return bool(recall("b3", t) * t.key_mentions >= t.T.key_entities)


@neighbour(7, "CRS ≥ (max |R|−|P_K|)/(|E|−|P_K|)", "CRS ≥ max |R|/|E|")
def c_by_the_largest_entity(t: Contingency) -> bool:
    return bool(recall("c", t) * t.key_mentions >= max(t.response_sizes))


@neighbour(8, "CRS = MRS ⇔ all but the core are single", "CRS = MRS")
def c_is_muc(t: Contingency) -> bool:
    return bool(recall("c", t) == recall("muc", t))


@neighbour(8, "CRS ≤ MRS", "CRS ≤ BRS")
def c_is_at_most_b_cubed(t: Contingency) -> bool:
    return bool(recall("c", t) <= recall("b3", t))


@neighbour(9, "0 ≤ added ≤ H(P_R)", "0 ≤ added ≤ H(P_K)")
def no_more_added_than_sent(t: Contingency) -> bool:
    return surplus(t) <= spread(t)


@neighbour(10, "F1 of H is 1 ⇔ P_R = P_K", "F1 of H is 1 ⇔ |P_R| = |P_K|")
def perfect_by_the_number_of_entities(t: Contingency) -> bool:
    return (score("h", t) == 1) == (t.key_entities == t.T.key_entities)


@neighbour(
    11,
    "F1 of H is 0 ⇔ one side alone is {E}, or neither is, and they are independent",
    "F1 of H is 0 ⇔ one side alone is {E}",
)
def zero_by_one_entity_alone(t: Contingency) -> bool:
    one_side_alone = (t.key_entities == 1) != (t.T.key_entities == 1)
    return (score("h", t) == 0) == one_side_alone


@neighbour(
    12,
    "independent ⇔ all is lost",
    "independent ⇔ all is lost and nothing added",
)
def independent_and_nothing_added(t: Contingency) -> bool:
    independent = all(n * t.key_mentions == k * r for n, k, r in t.triples)
    return independent == (spread(t) == surplus(t.T) and surplus(t) == 1)


@neighbour(13, "MRS without the key's singletons is the same", "BRS without them is the same")
def b_cubed_without_singletons(t: Contingency) -> bool:
    return bool(recall("b3", t) == recall("b3", without_key_singletons(t)))


def exceptions(agrees: Holds, cases: Iterable[Contingency]) -> list[Contingency]:
    """The cases that speak against a sentence, in their order."""
    return [t for t in cases if not agrees(t)]


def cards(cases: Iterable[Contingency]) -> Table:
    """Each true sentence beside its false neighbour, with what speaks against either."""
    given = list(cases)
    rows = []
    for number, true, false, agrees in CARDS:
        holds = PROPOSITIONS[f"PROP.{number}"]
        against = exceptions(agrees, given)
        first = text(against[0]) if against else ""
        rows.append((number, true, len(exceptions(holds, given)), false, len(against), first))
    head = ["PROP.", "true", "against it", "false neighbour", "against it", "the smallest"]
    caption = (
        f"{len(CARDS)} propositions and their false neighbours, in {len(given):,} cases. "
        "Cases against the true sentence are counted for the whole proposition."
    )
    return Table(head, rows, caption)
