"""The two measures of CorefUD's scorer that ask for more of mentions than which are the same.

The mention overlap ratio counts their words. The score of zeros asks which of them are empty nodes,
and which come first. Without this file no measure does either.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain
from operator import attrgetter

from corefeval.errors import CorefError
from corefeval.measures.ceaf import ceaf_m
from corefeval.overlap.contingency import Contingency, Tables
from corefeval.readers.matching import IDENTITY, MOST_TRIED, Headed, OwnMentions
from corefeval.registry import Measure
from corefeval.score import Pair, Tally


def overlap_of_words(key: Sequence[Headed], response: Sequence[Headed]) -> Contingency:
    """The table in which mentions stand in the place of entities, and nodes of mentions.

    Raises `CorefError` for a sentence with more than `matching.MOST_TRIED` pairs of mentions that
    have a node in common.

    >>> old_man = Headed(1, 3, ("1", "2", "3"), "3", "", "key")
    >>> man = Headed(1, 3, ("3",), "3", "", "response")
    >>> overlap_of_words([old_man], [man]).triples
    Counter({(1, 3, 1): 1})
    """
    holding: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for i, k in enumerate(key):
        for node in k.nodes:
            # Ids of nodes begin anew in each sentence.
            holding[k.sentence, node].append(i)
    pairs: dict[tuple[int, int], int] = {}
    compared: Counter[int] = Counter()
    for j, r in enumerate(response):
        shared = Counter(i for node in r.nodes for i in holding.get((r.sentence, node), ()))
        compared[r.sentence] += len(shared)
        # Refused before more are counted: a file may be made to fill the memory.
        if compared[r.sentence] > MOST_TRIED:
            raise CorefError(
                f"sentence {r.sentence} ({r.file}, line {r.line}) has more than {MOST_TRIED} pairs "
                "of mentions with a word in common; expected no more in a sentence: divide it, on "
                "both sides, or leave out the measure mor"
            )
        pairs.update(((i, j), n) for i, n in shared.items())
    return Contingency(pairs, [len(k.nodes) for k in key], [len(r.nodes) for r in response])


def mention_overlap(mentions: OwnMentions) -> Pair:
    """max Σ |K ∩ R|  over  Σ |K|

    K and R are mentions as sets of words and empty nodes; the sum is over the one-to-one pairing of
    key and response mentions that makes it largest, whatever the convention ``match`` pairs.
    Recall: the share of the words of the key's mentions that are in the mention paired with
    theirs; precision over Σ |R|. So it is CEAFₘ with mentions for entities, and words for mentions.
    A mention of two entities counts in each. Entities do not matter, but for singletons that are
    dropped. Range [0, 1]; 0/0 by the convention ``zero``.

    Named ``mor``, it is computed of two CorefUD files as ufal/corefud-scorer does, by
    ``like="corefud_official"`` or another of its bundles.

    Raises `CorefError` as `overlap_of_words` does.

    Source: Žabokrtský et al. 2022, mention overlap ratio (MOR); scorer/eval/evaluator.py of
    ufal/corefud-scorer v1.2.

    >>> the_old_man = Headed(1, 1, ("1", "2", "3"), "3", "", "key")
    >>> man, dog = (Headed(1, 3, (node,), node, "", "response") for node in "35")
    >>> from corefeval.conventions import Conventions
    >>> mention_overlap(OwnMentions([[the_old_man]], [[man, dog]], {}, "head")).score(Conventions())
    recall 1/3, precision 1/2, f1 2/5
    """
    key, response = (list(chain.from_iterable(side)) for side in (mentions.key, mentions.response))
    return ceaf_m(overlap_of_words(key, response))


def zeros_resolved(mentions: OwnMentions) -> Pair:
    """right  over  right + wrongly linked + missing

    A zero is a mention whose head is an empty node, and an anaphor if it is not the first mention
    of its entity, in the order of first node, last node and number of nodes. Each of the key's
    zeros that are anaphors is

    - missing, if it has no counterpart in the response, or one that is the first of its entity;
    - right, if its counterpart's entity has a counterpart of an earlier mention of its own entity;
    - wrongly linked, if not.

    Recall: the share of right ones among these. Precision: right over right + wrongly linked +
    spurious, which are the zeros that are anaphors of the response and counterpart of none of
    these. The counterpart is the mention of the same nodes (and head, where mentions are matched by
    heads) if there is one, and only otherwise the one that is matched: a zero that dependencies
    match elsewhere has its counterpart at its own place here, and in no other measure, if the
    response has a zero there. A mention of several entities is in the last of them that begins.
    Range [0, 1]; 0/0 by the convention ``zero``: the scorer prints 0 where there are no zeros.

    Named ``zero``, it is computed of two CorefUD files as ufal/corefud-scorer does, by
    ``like="corefud_official"`` or another of its bundles.

    Source: Žabokrtský et al. 2022, anaphor-decomposable score for zeros; `anaphor_level_score` in
    scorer/eval/evaluator.py of ufal/corefud-scorer v1.2 (4fd7b0e).

    >>> from corefeval.conventions import Conventions
    >>> ann, went, came = (Headed(1, 1, (id,), id, "0:x", "either") for id in ("1", "2.1", "4.1"))
    >>> key, response = [[ann, went, came]], [[ann, came], [went]]
    >>> zeros_resolved(OwnMentions(key, response, {}, "head")).score(Conventions())
    recall 1/2, precision 1, f1 2/3
    """
    counterpart = _counterparts(mentions)
    entity_of = {r: number for number, entity in enumerate(mentions.response) for r in entity}
    first = {min(entity, key=attrgetter("place")) for entity in mentions.response}
    total = right = linked = 0
    taken = set()
    for entity in mentions.key:
        linked_before = set()
        for order, k in enumerate(sorted(entity, key=attrgetter("place"))):
            r = counterpart.get(k)
            # The first mention of an entity refers back to nothing.
            if order and k.is_zero:
                total += 1
                taken.add(r)
                if r and r not in first:
                    linked += 1
                    right += entity_of[r] in linked_before
            if r:
                linked_before.add(entity_of[r])
    anaphors = [r for r in chain.from_iterable(mentions.response) if r.is_zero and r not in first]
    spurious = sum(r not in taken for r in anaphors)
    return Pair(Tally(right, total), Tally(right, linked + spurious))


def _counterparts(mentions: OwnMentions) -> dict[Headed, Headed]:
    """The response mention of each key mention that has one, by the rule of `zeros_resolved`."""
    identity = IDENTITY[mentions.how]
    same = {identity(r): r for r in chain.from_iterable(mentions.response)}
    counterpart = {k: r for r, k in mentions.key_of.items()}
    for k in chain.from_iterable(mentions.key):
        if identity(k) in same:
            counterpart[k] = same[identity(k)]
    return counterpart


class _OfMentions(Measure):
    """A measure of `OwnMentions`, which files of CorefUD alone have."""

    def counts(self, tables: Tables) -> Pair:
        if tables.of_mentions is None:
            raise CorefError(f"measure {self.name} compares mentions: expected two CorefUD files")
        return tables.of_mentions[self.name]


MEASURES = {
    "mor": _OfMentions("mor", "MOR", "zabokrtsky-2022", mention_overlap, pooled=True),
    "zero": _OfMentions("zero", "Zeros", "zabokrtsky-2022", zeros_resolved, pooled=True),
}
