"""Pradhan et al. 2014: the walk-through's intermediate values, and the variants of section 2.

``side`` says of which score: "key" of recall, "response" of precision.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, product

from corefbook.enumeration import pairs_up_to
from corefbook.ledger import Example, Figures, Search, load
from corefbook.papers.baldwin1998 import share
from corefbook.papers.counted import (
    SIMILARITIES,
    alignment,
    entities,
    exact,
    f1_from_rounded,
    only_in,
    overlap_table,
)
from corefeval.conventions import Chosen, Conventions
from corefeval.measures.averages import Average
from corefeval.overlap.partition import Mention, Partition
from corefeval.score import Pair, Score
from corefeval.scoring import metric

# ------------------------------------------------------- Section 2: B³ with twinless mentions

VARIANTS: dict[str, Chosen] = {
    "plain": {"twinless": "keep"},
    "B3_all": {"twinless": "stoyanov_all"},
    "B3_0": {"twinless": "stoyanov_0"},
}
"""The library's names for the variants."""


def b3_precision(example: Example, variant: str) -> Fraction:
    """Precision of a variant of B³

    It says what becomes of mentions that only one side has.
    """
    score = metric("b3", **VARIANTS[variant])(example.key, example.response)
    return exact(score.exact.precision)


def plain(example: Example) -> dict[Mention, Fraction]:
    """Section 4.2: of each mention the share of its response entity that belongs with it.

    Plain precision is their mean; of a mention that the key lacks, nothing belongs with it.
    """
    return {mention: share(example, mention, "response") for mention in example.response.entity_of}


def really_spurious(example: Example) -> Example:
    """The example with a singleton that the key lacks in the place of {c}."""
    response = [["x"] if entity == ["c"] else entity for entity in example.response]
    return Example.of(example.key, Partition(response), "with {x} for {c}")


def reading_of_spurious(example: Example, printed: str) -> str:
    """What the sentence would be true of."""
    spurious = really_spurious(example)
    before = load("pradhan2014").examples["scenario-1"]
    return (
        f"precision rises from {b3_precision(before, 'plain')} to "
        f"{b3_precision(example, 'plain')}, and B3_all from {b3_precision(before, 'B3_all')} to "
        f"{b3_precision(example, 'B3_all')}. What is printed is true of a singleton that the key "
        f"lacks: for the response {spurious.response} plain precision drops to "
        f"{b3_precision(spurious, 'plain')}, and B3_all rises to "
        f"{b3_precision(spurious, 'B3_all')}"
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
        f"their {each.name}: {only_in(each, 'key')} in the key only, "
        f"{only_in(each, 'response')} in the response only"
        for each in tried[::-1]
        if each.key.mentions != each.response.mentions
    )
    return Search(len(tried), "examples of Vilain et al. 1995 with scores", next(wrong, ""))


@cache
def without_modification() -> Search:
    """Whether CEAF is a share of each side, and 1 for the key itself, whatever is twinless"""
    pairs = list(pairs_up_to(4))
    for (key, response), name in product(pairs, ("ceafm", "ceafe")):
        score = metric(name)(key, response)
        shares = score.exact.parts["recall"], score.exact.parts["precision"]
        if not all(0 <= share <= 1 for share in shares) or (
            (key == response) != (score.exact.f1 == 1)
        ):
            return Search(len(pairs), "", f"key {key}, response {response}, {name}: {score}")
    return Search(len(pairs), "keys and responses of up to four mentions")


def recall_without_junk(example: Example | None, printed: str) -> str:
    """What discarding the response's twinless mentions does to recall: nothing."""
    pairs = list(pairs_up_to(4))
    for key, response in pairs:
        entities = [[m for m in entity if m in key.mentions] for entity in response]
        kept = Partition(filter(None, entities))
        if metric("b3")(key, kept).exact.recall != metric("b3")(key, response).exact.recall:
            raise AssertionError(f"recall moves: key {key}, response {response}")
    return (
        f"recall does not move for any of {len(pairs):,} keys and responses of up to four mentions"
    )


# ------------------------------------------------------------------------ The example, MUC


def parts_by_words(example: Example, printed: str) -> str:
    """Recall if a mention that the response lacks is in no part."""
    pairs = overlap_table(example).pairs
    shared = [sum(1 for i, _ in pairs if i == k) for k in range(len(example.key))]
    hits = sum(n - parts for n, parts in zip(example.key.sizes, shared, strict=True))
    literal = Fraction(hits, sum(n - 1 for n in example.key.sizes))
    recall = metric("muc")(example.key, example.response).exact.recall
    if literal == recall:
        raise AssertionError(f"recall is {recall} by the words, too")
    return f"by the words alone recall would be {literal}, and not {recall}"


def what_was_added(example: Example, printed: str) -> str:
    """The slight modifications."""
    originals = [o for o in _vilain() if _adds_to(example, o)]
    if not originals:
        return "it is none of theirs with mentions added"
    original = originals[0]
    spurious = example.response.mentions - example.key.mentions
    added = spurious - _lower(original.response).mentions
    return (
        f"from {original.name}, where key and response have {len(original.key.mentions)} and "
        f"{len(original.response.mentions)} mentions; added to the response: "
        f"{' '.join(sorted(map(str, added)))}"
    )


# ------------------------------------------------------------------------------------- B³


@cache
def sum_of_credits() -> Search:
    """Whether the sum of all mentions' credits is the sum of squares, for recall and precision"""

    def is_sum(example: Example, side: str) -> bool:
        counts: Pair = metric("b3")(example.key, example.response).counts
        of_squares = counts.recall if side == "key" else counts.precision
        mentions = entities(example, side).mentions
        return sum((share(example, m, side) for m in mentions), Fraction(0)) == of_squares.hits

    among = "keys and responses of up to four mentions"
    every = (Example.of(*pair) for pair in pairs_up_to(4))
    return Search.of(among, every, lambda each: is_sum(each, "key") and is_sum(each, "response"))


def measures_averaged(example: Example) -> int:
    """How many measures make the CoNLL score"""
    counts = metric("conll")(example.key, example.response).counts
    assert isinstance(counts, Average)
    return len(counts)


# ----------------------------------------------------------------------------------- CEAF


def aligned(example: Example, response_entity: int) -> str:
    """The key entity aligned with a response entity, by either similarity"""
    partners = {
        {j: f"K{i + 1}" for i, j in alignment(example, phi)}.get(response_entity - 1, "none")
        for phi in SIMILARITIES
    }
    return " or ".join(sorted(partners))


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


def link_f1_of_rounded(example: Example, kind: str) -> Fraction:
    """F_c or F_n from recall and precision as printed: rounded to two digits."""
    return f1_from_rounded(_links(example, kind))


def _links(example: Example, kind: str) -> Score:
    counts = metric("blanc")(example.key, example.response).counts
    pair: Pair = getattr(counts, kind)
    return pair.score(Conventions())


def f1_of_exact(example: Example, measure: str) -> Fraction:
    return exact(metric(measure)(example.key, example.response).exact.f1)


def blanc_of_rounded(example: Example) -> Fraction:
    """(F_c + F_n) / 2 from F_c and F_n as printed, themselves from rounded recall and precision."""
    f_c, f_n = (round(link_f1_of_rounded(example, kind), 2) for kind in KINDS)
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


def _users(example: Example) -> dict[int, list[int]]:
    """The key entities that each response entity overlaps."""
    users: dict[int, list[int]] = {}
    for i, j in sorted(overlap_table(example).pairs):
        users.setdefault(j, []).append(i)
    return users


def _vilain() -> list[Example]:
    return [e for e in load("vilain1995").examples.values() if "response_links" in e.given]


def _adds_to(example: Example, original: Example) -> bool:
    """Whether its key is that of ``original``, and its response that with mentions added.

    Its mentions are in small letters.
    """
    response = _lower(original.response)
    kept = Partition(
        filter(None, ([m for m in e if m in response.mentions] for e in example.response))
    )
    return example.key == _lower(original.key) and kept == response


def _lower(partition: Partition) -> Partition:
    return Partition([str(mention).lower() for mention in entity] for entity in partition)


def _cut(value: Fraction) -> str:
    """A number with two digits, the rest cut off."""
    return f"{int(value * 100) / 100:.2f}"


# ------------------------------------------------------------------ Figures of one expression

FIGURES: Figures = {
    "different_numbers": (
        "Whether key and response have different numbers of mentions",
        lambda example: len(example.key.mentions) != len(example.response.mentions),
    ),
    "adapted": (
        "Whether it is an example of Vilain et al. with something more in the response",
        lambda example: any(_adds_to(example, original) for original in _vilain()),
    ),
    "used_twice": (
        "Whether B³ credits a response entity to more than one key entity",
        lambda example: max(map(len, _users(example).values())) > 1,
    ),
    "users": (
        "Which key entities are credited with the same response entity; CEAF aligns one at most",
        lambda example, printed: ", ".join(
            f"R{j + 1} counts for {' and '.join(f'K{i + 1}' for i in keys)}"
            for j, keys in _users(example).items()
            if len(keys) > 1
        ),
    ),
    "unaligned": (
        "Whether neither similarity aligns a response entity",
        lambda example, response_entity: aligned(example, response_entity) == "none",
    ),
    "link_f1": (
        "F1 of the links of a kind",
        lambda example, kind: _links(example, kind).exact.f1,
    ),
}
