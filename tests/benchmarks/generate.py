"""The workloads of the benchmarks: pure functions of a seed."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

SEED = 2014
SENTENCE = 20  # tokens
LOST, MOVED, SPURIOUS = 0.10, 0.08, 0.10  # shares of the key's mentions
NEAR = 10  # mentions
NONE = "_\t"  # a column of CorefUD

Labels = np.ndarray
Generator = np.random.Generator
Entities = dict[int, list[tuple[int, int]]]


# Label arrays


def key_labels(
    mentions: int, entities: int, random: Generator, *, smallest: int = 1, tail: float = 1.5
) -> Labels:
    """The entity of each mention, in the order of a text: an entity's mentions are near each other.

    Sizes are ``smallest`` and a share of the rest in proportion to a Pareto variable; the smaller
    its exponent ``tail``, the heavier the tail.
    """
    weight = 1 + random.pareto(tail, entities)
    sizes = smallest + random.multinomial(mentions - smallest * entities, weight / weight.sum())
    middle = np.cumsum(sizes) - sizes / 2
    place = np.repeat(middle, sizes) + np.repeat(sizes, sizes) * random.normal(size=mentions)
    entity = np.repeat(random.permutation(entities), sizes)
    return entity[np.argsort(place)]


def moved(key: Labels, share: float, random: Generator) -> Labels:
    """Each mention takes, with probability ``share``, the entity of one shortly before it."""
    count = len(key)
    others = np.maximum(np.arange(count) - random.integers(1, NEAR + 1, count), 0)
    return np.where(random.random(count) < share, key[others], key)


def arrays(mentions: int, seed: int = SEED) -> tuple[Labels, Labels]:
    """Key and response labels: four mentions an entity, a tenth of them in another's."""
    random = np.random.default_rng([seed, mentions])
    key = key_labels(mentions, mentions // 4, random)
    return key, moved(key, 0.10, random)


def texts(labels: Labels) -> list[str]:
    """A text for each label."""
    return [f"entity {label}" for label in labels.tolist()]


# Documents


@dataclass(frozen=True)
class Document:
    """Spans (first token, last token) of each entity of a document of so many tokens."""

    name: str
    tokens: int
    key: Entities
    response: Entities


def document(
    name: str, tokens: int, mentions: int, entities: int, random: Generator, tail: float = 2.0
) -> Document:
    """A document without singletons; its response loses, adds and misplaces mentions."""
    slots = mentions + round(SPURIOUS * mentions)
    spans = _spans(tokens, slots, random)
    label, true = _with_spurious(slots, mentions, entities, random, tail)
    answer, kept = _answered(label, true, random)
    return Document(name, tokens, _entities(spans, label, true), _entities(spans, answer, kept))


def _with_spurious(
    slots: int, mentions: int, entities: int, random: Generator, tail: float
) -> tuple[Labels, Labels]:
    """The entity of each slot, and whether a mention of the key is there.

    A spurious mention joins the entity of the true one before it.
    """
    true = np.zeros(slots, bool)
    true[random.choice(slots, mentions, replace=False)] = True
    key = key_labels(mentions, entities, random, smallest=2, tail=tail)
    return key[np.maximum(np.cumsum(true) - 1, 0)], true


def _answered(label: Labels, true: Labels, random: Generator) -> tuple[Labels, Labels]:
    """A response's entity of each slot, and whether it has a mention there; no singletons."""
    answer = moved(label, MOVED, random)
    kept = ~(true & (random.random(len(label)) < LOST))
    kept &= np.bincount(answer[kept], minlength=label.max() + 1)[answer] > 1
    return answer, kept


def _spans(tokens: int, count: int, random: Generator) -> list[tuple[int, int]]:
    """Spans with first tokens of their own, nested or disjoint, each within a sentence."""
    starts = np.sort(random.choice(tokens, count, replace=False)).tolist()
    lengths, nests = random.geometric(0.5, count).tolist(), (random.random(count) < 0.3).tolist()
    spans: list[tuple[int, int]] = []
    next_start, next_end = tokens, tokens - 1
    backwards = zip(starts[::-1], lengths, nests, strict=True)
    for start, length, nest in backwards:
        end = next_end if nest else min(start + length, next_start) - 1
        end = min(end, start - start % SENTENCE + SENTENCE - 1)
        spans.append((start, end))
        next_start, next_end = start, end
    return spans[::-1]


def _entities(spans: Sequence[tuple[int, int]], labels: Labels, chosen: np.ndarray) -> Entities:
    entities: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for place in np.flatnonzero(chosen).tolist():
        entities[int(labels[place])].append(spans[place])
    return dict(entities)


def ontonotes_like(seed: int = SEED) -> list[Document]:
    """As large as the English test set of CoNLL-2012, which has no singletons either."""
    random = np.random.default_rng([seed, 348])
    return [
        document(f"bc/made/00/made_{number:04}", *each, random)
        for number, each in enumerate(_ontonotes_sizes(random))
    ]


def ontonotes_often(times: int = 3, seed: int = SEED) -> list[Document]:
    """As many corpora like that, each from a seed of its own."""
    return [
        replace(document, name=f"{document.name}_{number}")
        for number in range(times)
        for document in ontonotes_like(seed + number)
    ]


def _ontonotes_sizes(random: Generator) -> list[list[int]]:
    """Tokens, mentions and entities of each of 348 documents."""
    weight = random.lognormal(sigma=0.7, size=348)
    share = weight / weight.sum()
    entities = 1 + random.multinomial(4_500 - 348, share)
    mentions = 2 * entities + random.multinomial(20_000 - 2 * 4_500, share)
    tokens = 3 * mentions + random.multinomial(170_000 - 3 * 20_000, share)
    return np.stack([tokens, mentions, entities], axis=1).tolist()


def litbank_like(seed: int = SEED) -> list[Document]:
    """A hundred documents as large as those of LitBank, without singletons."""
    random = np.random.default_rng([seed, 100])
    return [document(f"made_{number:03}", 2_000, 290, 85, random) for number in range(100)]


def small_documents(seed: int = SEED) -> list[Document]:
    """3,000 documents of 30 mentions and 7 entities each."""
    random = np.random.default_rng([seed, 3_000])
    return [document(f"made_{number:04}", 255, 30, 7, random) for number in range(3_000)]


def one_document(mentions: int, seed: int = SEED, tail: float = 2.0) -> list[Document]:
    """One document with as many tokens and entities for its mentions as in CoNLL-2012."""
    random = np.random.default_rng([seed, mentions])
    sizes = (mentions * 17 // 2, mentions, mentions * 9 // 40)
    return [document("nw/made/00/made_0000", *sizes, random, tail)]


# Files


def conll(documents: Sequence[Document], side: str) -> Iterator[str]:
    """The lines of a CoNLL-2012 file with the columns of OntoNotes."""
    for each in documents:
        column = _columns(getattr(each, side))
        yield f"#begin document ({each.name}); part 000\n"
        for token in range(each.tokens):
            place, word = token % SENTENCE, f"word{token * 7919 % 9973}"
            yield (
                f"{each.name}   0 {place:>3} {word:>12}   NN {'*':>10}     -    -   - "
                f"  Speaker_{token // 500 % 3}     *   {column.get(token, '-')}\n"
            )
            if place == SENTENCE - 1:
                yield "\n"
        yield "\n#end document\n"


def corefud(documents: Sequence[Document], side: str) -> Iterator[str]:
    """The lines of a CorefUD file; every other sentence has a multiword token and an empty node.

    Heads are first words. A response mention that begins with the first word of a sentence is that
    word alone, so that only heads match it.
    """
    for number, each in enumerate(documents):
        column = _brackets(getattr(each, side), f"e{number}x", cut=side == "response")
        yield f"# newdoc id = {each.name}\n# global.Entity = eid-etype-head-other\n"
        for begin in range(0, each.tokens, SENTENCE):
            yield f"# sent_id = {each.name}-{begin // SENTENCE}\n# text = word and so on\n"
            end = min(begin + SENTENCE, each.tokens)
            more = begin // SENTENCE % 2
            if more and end - begin > 1:
                yield f"1-2\tword\t{NONE * 7}_\n"
            for place, token in enumerate(range(begin, end), 1):
                word = f"word{token * 7919 % 9973}"
                misc = f"Entity={column[token]}|SpaceAfter=No" if token in column else "_"
                yield (
                    f"{place}\t{word}\t{word}\tNOUN\tNN\tCase=Nom|Gender=Fem|Number=Sing\t"
                    f"{place - 1}\tnsubj\t{place - 1}:nsubj\t{misc}\n"
                )
            if more:
                yield f"{end - begin}.1\t_\t_\tPRON\t{NONE * 4}1:nsubj\t_\n"
            yield "\n"


def _brackets(entities: Entities, prefix: str, cut: bool) -> dict[int, str]:
    """``Entity=`` by token: what ends, the inner first, then what begins, the outer first."""
    parts: defaultdict[int, list[tuple[int, int, str]]] = defaultdict(list)
    for entity, spans in entities.items():
        for begin, end in spans:
            end = begin if cut and begin % SENTENCE == 0 else end
            closing = ")" if begin == end else ""
            parts[begin].append((1, begin - end, f"({prefix}{entity}-person-1-{closing}"))
            if begin < end:
                parts[end].append((0, end - begin, f"{prefix}{entity})"))
    return {token: "".join(text for *_, text in sorted(each)) for token, each in parts.items()}


def _columns(entities: Entities) -> dict[int, str]:
    parts: defaultdict[int, list[str]] = defaultdict(list)
    for entity, spans in entities.items():
        for begin, end in spans:
            if begin == end:
                parts[begin].append(f"({entity})")
            else:
                parts[begin].append(f"({entity}")
                parts[end].append(f"{entity})")
    return {token: "|".join(marks) for token, marks in parts.items()}


def json_lines(documents: Sequence[Document], side: str) -> Iterator[str]:
    """The lines of a file with the keys that e2e-coref writes."""
    for each in documents:
        words = [f"word{token * 7919 % 9973}" for token in range(each.tokens)]
        sentences = [words[n : n + SENTENCE] for n in range(0, each.tokens, SENTENCE)]
        content = {
            "doc_key": each.name,
            "sentences": sentences,
            "speakers": [[f"Speaker_{n // 25 % 3}"] * len(sentence)
                         for n, sentence in enumerate(sentences)],
            "constituents": [[n, n + n % 7, "NP"] for n in range(0, each.tokens, 2)],
            "ner": [],
            "clusters": list(getattr(each, side).values()),
        }  # fmt: skip
        yield json.dumps(content) + "\n"


FORMATS = {"conll": conll, "conllu": corefud, "jsonl": json_lines}
"""The lines of a file by its ending."""


def write(documents: Sequence[Document], ending: str, folder: Path, name: str = "") -> list[Path]:
    """``key.conll`` and ``response.conll``, each in a folder of its side if a name is given."""
    paths = [folder / f"{side}.{ending}" for side in ("key", "response")]
    if name:
        paths = [path.with_suffix("") / f"{name}.{ending}" for path in paths]
    for side, path in zip(("key", "response"), paths, strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(FORMATS[ending](documents, side))
    return paths
