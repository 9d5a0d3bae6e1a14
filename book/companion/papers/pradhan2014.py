"""Pradhan et al. 2014: the walk-through's intermediate values, and the variants of section 2.

``side`` says of which score: "key" of recall, "response" of precision.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations, product

from companion.alignment import align
from companion.enumeration import pairs_up_to
from companion.ledger import Example, Search, load
from companion.papers.baldwin1998 import credit, entity_of
from companion.papers.vilain1995 import (
    chosen,
    denominator,
    entities,
    how_many_entities,
    numerator,
    other,
)
from corefeval.alignment import Similarity
from corefeval.contingency import Contingency
from corefeval.measures.averages import Average
from corefeval.measures.blanc import LinkClasses
from corefeval.measures.ceaf import phi3, phi4
from corefeval.partition import Mention, Partition
from corefeval.score import Exact, Pair, Tally, f1
from corefeval.scoring import metric

__all__ = ["chosen", "denominator", "entities", "how_many_entities", "numerator"]


# ------------------------------------------------------- Section 2: B³ with twinless mentions

VARIANTS = {"plain": "keep", "B3_all": "stoyanov_all", "B3_0": "stoyanov_0"}
"""The library's names for the variants."""


def b3_precision(example: Example, variant: str) -> Fraction:
    """Precision of a variant of B³

    It says what becomes of mentions that only one side has.
    """
    score = metric("b3", twinless=VARIANTS[variant])(example.key, example.response)
    assert isinstance(score.precision, Fraction)
    return score.precision


def plain(example: Example) -> dict[Mention, Fraction]:
    """Section 4.2: of each mention the share of its response entity that belongs with it.

    Plain precision is their mean; of a mention that the key lacks, nothing belongs with it.
    """
    return {
        mention: Fraction(len(entity_of(example.key, mention).intersection(entity)), len(entity))
        for entity in example.response
        for mention in entity
    }


def really_spurious(example: Example) -> Example:
    """The example with a singleton that the key lacks in the place of {c}."""
    response = [["x"] if entity == ["c"] else entity for entity in example.response]
    return _pair("with {x} for {c}", example.key, Partition(response))


def reading_of_spurious(example: Example, printed: str) -> str:
    """What the sentence would be true of."""
    spurious = really_spurious(example)
    before = load("pradhan2014").examples["scenario-1"]
    credits = plain(example)
    without = (sum(credits.values(), Fraction(0)) - credits["c"]) / len(credits)
    return (
        f"it rises from {b3_precision(before, 'plain')} to {b3_precision(example, 'plain')}, and "
        f"B3_all from {b3_precision(before, 'B3_all')} to {b3_precision(example, 'B3_all')}; "
        f"{without}, the value printed, results when c is denied its own credit {credits['c']}, "
        f"though counted; that is the case of a singleton which the key lacks: for the response "
        f"{spurious.response} plain precision drops to {b3_precision(spurious, 'plain')} while "
        f"B3_all rises to {b3_precision(spurious, 'B3_all')}"
    )


def examples_of_b_cubed(example: Example | None, printed: str) -> str:
    """Whether the examples of B³ in Baldwin et al. 1998 have the same mentions on both sides."""
    examples = load("baldwin1998").examples
    of_b_cubed = [examples["example-1"], examples["example-2"]]
    if any(each.key.mentions != each.response.mentions for each in of_b_cubed):
        raise AssertionError("an example of Baldwin et al. has a mention on one side only")
    return f"its {len(of_b_cubed)} examples of B³ have the same mentions on both sides"


def no_twinless_example() -> Search:
    """Whether Vilain et al. show no score for a mention that one side lacks

    Of their examples those count for which recall or precision is worked out.
    """
    paper = load("vilain1995")
    scored = {
        (group | figure).get("example")
        for group in paper.content["figures"]
        for figure in group["rows"]
        if figure.get("measure", "").startswith("muc.")
    }
    tried = [each for each in paper.examples.values() if each.name in scored]
    wrong = (
        f"their {each.name}: {_only(each.key, each.response)} in the key only, "
        f"{_only(each.response, each.key)} in the response only"
        for each in tried[::-1]
        if each.key.mentions != each.response.mentions
    )
    return Search(len(tried), "examples of Vilain et al. 1995 with scores", next(wrong, ""))


def _only(side: Partition, other: Partition) -> str:
    return " ".join(sorted(map(str, side.mentions - other.mentions)))


@cache
def without_modification() -> Search:
    """Whether CEAF is a share of each side, and 1 for the key itself, whatever is twinless"""
    pairs = list(pairs_up_to(4))
    for (key, response), name in product(pairs, ("ceafm", "ceafe")):
        score = metric(name)(key, response)
        shares = score.parts["recall"], score.parts["precision"]
        if not all(0 <= share <= 1 for share in shares) or ((key == response) != (score.f1 == 1)):
            return Search(len(pairs), "", f"key {key}, response {response}, {name}: {score}")
    return Search(len(pairs), "keys and responses of up to four mentions")


def recall_without_junk(example: Example | None, printed: str) -> str:
    """What discarding the response's twinless mentions does to recall: nothing."""
    pairs = list(pairs_up_to(4))
    for key, response in pairs:
        found = [[m for m in entity if m in key.mentions] for entity in response]
        kept = Partition(filter(None, found))
        if metric("b3")(key, kept).recall != metric("b3")(key, response).recall:
            raise AssertionError(f"recall moves: key {key}, response {response}")
    return f"it does not move for any of {len(pairs):,} keys and responses of up to four mentions"


# ------------------------------------------------------------------------ The example, MUC


def twinless(example: Example, side: str) -> str:
    """The mentions of one side that the other lacks"""
    lacking = entities(example, side).mentions - other(example, side).mentions
    return " and ".join(sorted(map(str, lacking)))


def different_numbers(example: Example) -> bool:
    """Whether key and response have different numbers of mentions"""
    return len(example.key.mentions) != len(example.response.mentions)


def adapted(example: Example) -> bool:
    """Whether it is an example of Vilain et al. with something more in the response"""
    return any(_adds_to(example, original) for original in _vilain())


def parts_by_words(example: Example, printed: str) -> str:
    """Recall if a mention that the response lacks is in no part."""
    shared = [sum(1 for i, _ in _table(example).pairs if i == k) for k in range(len(example.key))]
    hits = sum(n - parts for n, parts in zip(example.key.sizes, shared, strict=True))
    literal = Fraction(hits, sum(n - 1 for n in example.key.sizes))
    recall = metric("muc")(example.key, example.response).recall
    if literal == recall:
        raise AssertionError(f"recall is {recall} by the words, too")
    return f"by the words alone recall would be {literal}, and not {recall}"


def what_was_added(example: Example, printed: str) -> str:
    """The slight modifications."""
    originals = [o for o in _vilain() if _adds_to(example, o)]
    if not originals:
        return "it is none of theirs with mentions added"
    original = originals[0]
    added = _spurious(example) - _lower(original.response).mentions
    return (
        f"from {original.name}, where key and response have {len(original.key.mentions)} and "
        f"{len(original.response.mentions)} mentions; added to the response: "
        f"{' '.join(sorted(map(str, added)))}"
    )


# ------------------------------------------------------------------------------------- B³


def squared_terms(example: Example, side: str = "key") -> str:
    """The squared overlaps over the sizes of the entities, written out"""
    return " + ".join(f"{n}^2/{size}" for n, size in _overlaps(example, side))


def squared_cells(example: Example, side: str = "key") -> dict[tuple[str, str], str]:
    """The same by pair of entities, without those that share nothing.

    >>> squared_cells(load("pradhan2014").examples["scenario-1"])
    {('K1', 'R1'): '2²/3'}
    """
    pairs = sorted(_table(example).pairs)
    terms = (f"{n}²/{size}" for n, size in _overlaps(example, side))
    return dict(zip(_named(pairs), terms, strict=True))


def sum_of_squared_terms(example: Example, side: str = "key") -> Fraction:
    """The sum of the squared terms"""
    return sum((Fraction(n * n, size) for n, size in _overlaps(example, side)), Fraction(0))


def normaliser(example: Example, side: str = "key") -> Fraction:
    """One over the number of mentions"""
    return Fraction(1, len(entities(example, side).mentions))


def used_twice(example: Example) -> bool:
    """Whether B³ credits a response entity to more than one key entity"""
    return max(map(len, _users(example).values())) > 1


@cache
def sum_of_credits() -> Search:
    """Whether the sum of all mentions' credits is the sum of squares, for recall and precision"""
    pairs = list(pairs_up_to(4))
    for key, response in pairs:
        example = _pair("", key, response)
        for side in ("key", "response"):
            mentions = entities(example, side).mentions
            credits = (credit(example, m, side) for m in mentions)
            by_mention = sum((c.ratio(Fraction(0)) for c in credits), Fraction(0))
            if by_mention != sum_of_squared_terms(example, side):
                return Search(len(pairs), "", f"key {key}, response {response}")
    return Search(len(pairs), "keys and responses of up to four mentions")


def number_of_mentions(example: Example, side: str = "key") -> int:
    """Number of mentions of one side"""
    return len(entities(example, side).mentions)


def users(example: Example, printed: str) -> str:
    """Which key entities are credited with the same response entity; CEAF aligns one at most."""
    return ", ".join(
        f"R{j + 1} counts for {' and '.join(f'K{i + 1}' for i in keys)}"
        for j, keys in _users(example).items()
        if len(keys) > 1
    )


def measures_averaged(example: Example) -> int:
    """How many measures make the CoNLL average"""
    counts = metric("conll")(example.key, example.response).counts
    assert isinstance(counts, Average)
    return len(counts)


# ----------------------------------------------------------------------------------- CEAF

SIMILARITIES: dict[str, Similarity] = {"phi3": phi3, "phi4": phi4}


def similarities(example: Example, phi: str) -> dict[tuple[str, str], Exact]:
    """φ(Kᵢ, Rⱼ) of every pair of entities.

    >>> similarities(load("pradhan2014").examples["scenario-2"], "phi4")
    {('K1', 'R1'): Fraction(2, 3), ('K1', 'R2'): Fraction(1, 2)}
    """
    t = _table(example)
    every = list(product(range(t.key_entities), range(t.T.key_entities)))
    values = (
        SIMILARITIES[phi](t.pairs.get((i, j), 0), t.key_sizes[i], t.response_sizes[j])
        for i, j in every
    )
    return dict(zip(_named(every), values, strict=True))


def aligned_cells(example: Example, phi: str) -> list[tuple[str, str]]:
    """The pairs of entities that are aligned.

    >>> aligned_cells(load("pradhan2014").examples["scenario-2"], "phi4")
    [('K1', 'R1')]
    """
    return _named(_alignment(example, phi))


def aligned(example: Example, response_entity: int) -> str:
    """The key entity aligned with a response entity, by either similarity"""
    found = {
        {j: f"K{i + 1}" for i, j in _alignment(example, phi)}.get(response_entity - 1, "none")
        for phi in SIMILARITIES
    }
    return " or ".join(sorted(found))


def unaligned(example: Example, response_entity: int) -> bool:
    """Whether neither similarity aligns a response entity"""
    return aligned(example, response_entity) == "none"


def aligned_pairs(example: Example, phi: str) -> str:
    """The similarities of the aligned pairs, as a formula"""
    form = {"phi3": "|K{}∩R{}|", "phi4": "φ4(K{}, R{})"}[phi]
    return " + ".join(form.format(i + 1, j + 1) for i, j in _alignment(example, phi))


def aligned_mentions(example: Example) -> str:
    """The mentions that aligned entities share, written out"""
    pairs = _table(example).pairs
    return "(" + "+".join(str(pairs[pair]) for pair in _alignment(example, "phi3")) + ")"


def mentions_by_entity(example: Example, side: str = "key") -> str:
    """The number of mentions as a sum over entities, written out"""
    return "(" + "+".join(map(str, entities(example, side).sizes)) + ")"


def phi4_terms(example: Example) -> str:
    """The similarities φ₄ of aligned entities, written out"""
    t = _table(example)
    return " + ".join(
        f"(2 × {t.pairs[i, j]})/({t.key_sizes[i]}+{t.response_sizes[j]})"
        for i, j in _alignment(example, "phi4")
    )


# ---------------------------------------------------------------------------------- BLANC


def link_set(example: Example, kind: str, side: str = "key") -> frozenset[str]:
    """The coreference or the non-coreference links of one side

    ``kind`` is "coreference" or "non_coreference"; a link is a pair of mentions.
    """
    there = entities(example, side)
    return frozenset(
        f"{a}{b}"
        for a, b in combinations(sorted(map(str, there.mentions)), 2)
        if (there.entity_of[a] == there.entity_of[b]) is (kind == "coreference")
    )


def link_classes(example: Example) -> dict[tuple[str, str], tuple[str, str]]:
    """Of every pair of mentions whether it is in C or in N of the key, and of the response.

    "" stands for neither: the side lacks one of the two. Mentions have names of one letter.

    >>> link_classes(load("pradhan2014").examples["scenario-2"])["a", "c"]
    ('C', 'N')
    """
    in_key, in_response = (
        {pair: kind[0].upper() for kind in KINDS for pair in link_set(example, kind, side)}
        for side in ("key", "response")
    )
    return {
        (p[0], p[1]): (in_key.get(p, ""), in_response.get(p, ""))
        for p in sorted({*in_key, *in_response})
    }


def links(example: Example, kind: str, side: str = "key") -> Tally:
    """The links of a kind that both sides have, out of those of one side"""
    pair: Pair = getattr(_blanc(example), kind)
    return pair.recall if side == "key" else pair.precision


def link_f1(example: Example, kind: str) -> Fraction:
    """F1 of the links of a kind"""
    recall, precision = (_link_ratio(example, kind, side) for side in ("key", "response"))
    return f1(recall, precision)


def link_f1_of_rounded(example: Example, kind: str) -> Fraction:
    """F_c or F_n from recall and precision as printed: rounded to two digits."""
    recall, precision = (_link_ratio(example, kind, side) for side in ("key", "response"))
    return f1(_two_digits(recall), _two_digits(precision))


def _link_ratio(example: Example, kind: str, side: str) -> Fraction:
    return Fraction(links(example, kind, side).ratio(Fraction(0)))


def f1_of_exact(example: Example, measure: str) -> Fraction:
    score = metric(measure)(example.key, example.response)
    assert isinstance(score.f1, Fraction)
    return score.f1


def f1_of_rounded(example: Example, measure: str) -> Fraction:
    """F1 from recall and precision as printed: rounded to two digits."""
    score = metric(measure)(example.key, example.response)
    assert isinstance(score.recall, Fraction) and isinstance(score.precision, Fraction)
    return f1(_two_digits(score.recall), _two_digits(score.precision))


def blanc_of_rounded(example: Example) -> Fraction:
    """(F_c + F_n) / 2 from F_c and F_n as printed, themselves from rounded recall and precision."""
    f_c, f_n = (_two_digits(link_f1_of_rounded(example, kind)) for kind in KINDS)
    return (f_c + f_n) / 2


def ways_to_round(example: Example, printed: str) -> str:
    """Which rounding gives the BLANC score that is printed."""
    exact = f1_of_exact(example, "blanc")
    halfway = sum(link_f1_of_rounded(example, kind) for kind in KINDS) / 2
    rounded = blanc_of_rounded(example)
    return (
        f"exact it is {float(exact):.4f}; with F_c and F_n from rounded recall and precision, but "
        f"not rounded themselves, {float(halfway):.4f}; with both rounded too, "
        f"{float(rounded):.4f}; cutting the exact value off gives {_cut(exact)} as well, but "
        f"would make the F1 of B³ {_cut(f1_of_exact(example, 'b3'))}"
    )


KINDS = ("coreference", "non_coreference")


# -------------------------------------------------------------------------------- Helpers


def _pair(name: str, key: Partition, response: Partition) -> Example:
    return Example(name, {"key": str(key), "response": str(response)})


def _table(example: Example) -> Contingency:
    return Contingency.of(example.key, example.response)


def _spurious(example: Example) -> frozenset[Mention]:
    return example.response.mentions - example.key.mentions


def _named(pairs: Iterable[tuple[int, int]]) -> list[tuple[str, str]]:
    return [(f"K{i + 1}", f"R{j + 1}") for i, j in pairs]


def _overlaps(example: Example, side: str) -> list[tuple[int, int]]:
    """|Kᵢ∩Rⱼ| and the size of Kᵢ (recall) or Rⱼ (precision), by i, then by j."""
    sizes = entities(example, side).sizes
    return [
        (n, sizes[i if side == "key" else j]) for (i, j), n in sorted(_table(example).pairs.items())
    ]


def _users(example: Example) -> dict[int, list[int]]:
    """The key entities that each response entity overlaps."""
    found: dict[int, list[int]] = {}
    for i, j in sorted(_table(example).pairs):
        found.setdefault(j, []).append(i)
    return found


def _alignment(example: Example, phi: str) -> list[tuple[int, int]]:
    return align(_table(example), SIMILARITIES[phi])


def _blanc(example: Example) -> LinkClasses:
    counts = metric("blanc")(example.key, example.response).counts
    assert isinstance(counts, LinkClasses)
    return counts


def _vilain() -> list[Example]:
    return [e for e in load("vilain1995").examples.values() if "response_links" in e.given]


def _adds_to(example: Example, original: Example) -> bool:
    """Whether it has the key of ``original``, and its response with mentions added to entities."""
    response = _lower(original.response)
    kept = Partition(
        filter(None, ([m for m in e if m in response.mentions] for e in example.response))
    )
    return example.key == _lower(original.key) and kept == response


def _lower(partition: Partition) -> Partition:
    return Partition([str(mention).lower() for mention in entity] for entity in partition)


def _two_digits(value: Fraction) -> Fraction:
    return round(Fraction(value), 2)


def _cut(value: Fraction) -> str:
    """Two digits, the rest cut off."""
    return f"{int(value * 100) / 100:.2f}"
