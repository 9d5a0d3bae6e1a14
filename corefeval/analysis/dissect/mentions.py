"""What each mention costs, by the measures that count mentions one by one: B³ and CEAFₘ."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from corefeval.analysis.dissect.costs import Costs, alignments, rows_of
from corefeval.analysis.dissect.named_tables import NamedTables, entity_names
from corefeval.contingency import KEY, SIDES, AddedSingleton
from corefeval.errors import CorefError
from corefeval.measures.ceaf import phi3
from corefeval.partition import Mention


class MentionCost(NamedTuple):
    """What a mention takes from recall (one of the key) or precision (one of the response)."""

    document: Hashable
    side: str
    entity: str | None
    """The entity of that side; None for a singleton that a convention makes there."""
    mention: Mention
    twinless: bool
    cost: Fraction


BY_MENTION = ("b3", "ceafm")


def mention_costs(costs: Costs, documents: Mapping[Hashable, NamedTables]) -> Iterator[MentionCost]:
    """See `corefeval.analysis.dissect.anatomy.Anatomy.mention_costs`."""
    name = costs.metric.measure.name
    if name not in BY_MENTION:
        raise CorefError(f"{name!r} does not count mentions; expected {' or '.join(BY_MENTION)}")
    for document, sides in documents.items():
        if not sides.has_mentions:
            raise CorefError(f"document {document!r}: a table of labels does not name its mentions")
        if not sides.are_given_once:
            raise CorefError(
                f"document {document!r}: costs of mentions need mentions that are given once; "
                'choose repeated="first" or "merge"'
            )
        for side in range(len(SIDES)):
            yield from _mentions_of_side(costs, document, sides, side)


def _mentions_of_side(
    costs: Costs, document: Hashable, sides: NamedTables, side: int
) -> Iterator[MentionCost]:
    """The mentions of a side, and those of the other of which a convention makes singletons."""
    t = costs.of_side(side, document)
    right = _shares_right(costs, document, side)
    sizes = dict(zip(entity_names(t)[KEY], t.key_sizes, strict=True))
    # B³ and CEAFₘ have one class, of mentions.
    ((_, total),) = costs.class_totals(side)
    mentions, others = sides.mentions[side], sides.mentions[1 - side]
    lacking = set(sides.alone[side]), set(sides.alone[1 - side])
    other_of = {mention: name for name, entity in others.items() for mention in entity}
    for name, size in sizes.items():
        if isinstance(name, AddedSingleton):
            twinless = [each for each in others[str(name.entity)] if each in lacking[1]]
            share = right[name].get(name.entity, Fraction(0))
            mention = twinless[name.number - 1]
            yield MentionCost(document, SIDES[side], None, mention, True, (1 - share) / total)
            continue
        entity = mentions[str(name)]
        number = 0
        for mention in entity:
            is_twinless = mention in lacking[0]
            # Added singletons are numbered in the order of the twinless mentions of their entity.
            number += is_twinless
            partner = AddedSingleton(name, number) if is_twinless else other_of[mention]
            share = right[name].get(partner, Fraction(0))
            if is_twinless and size < len(entity):  # a convention has left it out
                share = Fraction(1)
            cost = (1 - share) / total
            yield MentionCost(document, SIDES[side], str(name), mention, is_twinless, cost)


def _shares_right(
    costs: Costs, document: Hashable, side: int
) -> dict[Hashable, dict[Hashable, Fraction]]:
    """Of each entity of a side, the share of its mentions that is right, by those of the other."""
    t = costs.of_side(side, document)
    here, there = entity_names(t)
    rows = rows_of(t)
    if costs.metric.measure.name == "b3":
        return {
            name: {there[j]: Fraction(n, t.key_sizes[i]) for j, n in rows.get(i, ())}
            for i, name in enumerate(here)
        }
    # CEAFₘ counts a mention in full if its two entities are aligned, else not at all.
    chosen = dict(alignments(*costs.tables(document), phi3)[side])
    return {
        name: {there[chosen[i]]: Fraction(1)} if i in chosen else {} for i, name in enumerate(here)
    }
