"""The mention overlap ratio of CorefUD: how many of the mentions' words are found.

Without this file no measure compares the words of mentions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from corefeval.contingency import Contingency, Tables
from corefeval.errors import CorefError
from corefeval.measures.ceaf import ceaf_m
from corefeval.readers.matching import MOST_TRIED, Headed
from corefeval.registry import Measure
from corefeval.score import Pair


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


def mention_overlap(t: Contingency) -> Pair:
    """max Σ |K ∩ R|  over  Σ |K|

    K and R are mentions as sets of words and empty nodes; the sum is over the one-to-one pairing of
    key and response mentions that makes it largest, whatever the convention ``match`` pairs.
    Recall: the share of the words of the key's mentions that are in the mention paired with
    theirs; precision over Σ |R|. So it is CEAFₘ with mentions for entities, and words for mentions.
    A mention of two entities counts in each. Entities do not matter, but for singletons that are
    dropped. Range [0, 1]; 0/0 by the convention ``zero``.

    ``t`` is a table of `overlap_of_words`. Named ``mor``, it is computed of two CorefUD files as
    ufal/corefud-scorer does, by ``like="corefud_official"`` or another of its bundles.

    Source: Žabokrtský et al. 2022, mention overlap ratio (MOR); scorer/eval/evaluator.py of
    ufal/corefud-scorer v1.2.

    >>> the_old_man = Headed(1, 1, ("1", "2", "3"), "3", "", "key")
    >>> man, dog = (Headed(1, 3, (node,), node, "", "response") for node in "35")
    >>> from corefeval.conventions import Conventions
    >>> mention_overlap(overlap_of_words([the_old_man], [man, dog])).score(Conventions())
    recall 1/3, precision 1/2, f1 2/5
    """
    return ceaf_m(t)


class _OfWords(Measure):
    """A measure of the words of mentions, which files of CorefUD alone name."""

    def counts(self, tables: Tables) -> Pair:
        if tables.words is None:
            raise CorefError(
                "measure mor compares the words of mentions: expected two CorefUD files"
            )
        return mention_overlap(tables.words)


MOR = _OfWords("mor", "MOR", "zabokrtsky-2022", mention_overlap, pooled=True)
