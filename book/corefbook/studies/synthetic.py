"""A corpus with two made-up systems, of which the one is better by construction."""

from __future__ import annotations

import random
import warnings
from collections.abc import Mapping
from itertools import combinations, islice, product

from corefbook.enumeration import partitions
from corefeval.chance.results import Difference
from corefeval.chance.significance import compare
from corefeval.corpus import evaluate
from corefeval.overlap.partition import Partition
from corefeval.scoring import metric

Corpus = dict[str, Partition]


def key(documents: int, seed: int) -> Corpus:
    """Documents of 2 to 10 entities, most of them small; the first are the same in any number.

    >>> key(2, seed=1) == dict(list(key(3, seed=1).items())[:2])
    True
    """
    return {name: _entities(name) for name in (f"{seed}/{n:03}" for n in range(documents))}


def _entities(document: str) -> Partition:
    chance = random.Random(f"key of {document}")
    sizes = [1 + int(chance.paretovariate(1.2)) for _ in range(chance.randint(2, 10))]
    labels = [number for number, size in enumerate(sizes) for _ in range(min(size, 25))]
    return Partition.from_labels(dict(enumerate(labels)))


def response(key: Mapping[str, Partition], system: str, errors: float) -> Corpus:
    """The key with mentions gone astray: in the mean ``errors`` of them, if that is at most 1/2.

    Documents differ in how hard they are, the same for every system: from no error at all to
    twice as many as the mean. A mention that goes astray is left alone or put into any entity.

    >>> response(key(1, seed=1), "none", 0) == key(1, seed=1)
    True
    """
    return {document: _astray(document, each, system, errors) for document, each in key.items()}


def _astray(document: str, key: Partition, system: str, errors: float) -> Partition:
    rate = errors * 2 * random.Random(f"difficulty of {document}").random()
    chance = random.Random(f"{system} on {document}")
    labels = dict(key.entity_of)
    for mention in labels:
        if chance.random() < rate:
            alone = len(key) + int(str(mention))
            labels[mention] = alone if chance.random() < 0.5 else chance.randrange(len(key))
    return Partition.from_labels(labels)


def repeated(
    name: str, key: Corpus, a: Corpus, b: Corpus, size: int, corpora: int, seed: int = 0
) -> list[Difference]:
    """Compare ``a`` and ``b`` on corpora of ``size`` documents each, one after the other."""
    documents = iter(key)
    differences = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of few documents, which is what is looked into
        for _ in range(corpora):
            part = {document: key[document] for document in islice(documents, size)}
            first, second = (evaluate(part, {d: each[d] for d in part}, name) for each in (a, b))
            differences.append(compare(first, second, seed=seed).differences[name])
    return differences


Documents = tuple[Partition, ...]


def disagreement(name: str, mentions: int) -> tuple[Documents, Documents, Documents] | None:
    """A key of two documents, and two responses to it of which by F1 one has the better total, the
    other the better mean of the documents' scores; None if there is none of so many mentions.
    """
    chosen = metric(name)
    for size in range(1, mentions // 2 + 1):
        sides = [
            [Partition(p) for p in partitions("abcdefgh"[:n])] for n in (size, mentions - size)
        ]
        for key in product(*sides):
            scored = {}
            for response in product(*sides):
                first, second = (chosen(k, r) for k, r in zip(key, response, strict=True))
                total = (first.counts + second.counts).score(chosen.conventions)
                scored[
                    first.exact.parts["f1"] + second.exact.parts["f1"], total.exact.parts["f1"]
                ] = response
            for (mean, total), (other_mean, other_total) in combinations(sorted(scored), 2):
                if mean < other_mean and total > other_total:
                    return key, scored[mean, total], scored[other_mean, other_total]
    return None
