"""Baldwin et al. 1998: B³ counted as the paper counts it, mention by mention and class by class.

``side`` says of which score: "key" of recall, "response" of precision. What the paper calls an
entity is here a mention, its equivalence class an entity.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import combinations

from corefbook.enumeration import pairs_up_to, profiles
from corefbook.ledger import Bounds, Example, Figures, Search, load
from corefbook.papers import vilain1995
from corefbook.papers.counted import entities, exact, named, names, normaliser, other, side_of, size
from corefeval.overlap.partition import Mention, Partition
from corefeval.score import Pair, Tally
from corefeval.scoring import metric

# ------------------------------------------------------------------------- the MUC example


def large_entities(example: Example) -> int:
    """How many entities of the key are of the largest size"""
    return Counter(example.key.sizes)[max(example.key.sizes)]


# --------------------------------------------------------------------- mention by mention


def entity_of(partition: Partition, mention: Mention) -> set[Mention]:
    """The mentions of the entity of ``mention``; none if the partition lacks it."""
    number = partition.entity_of.get(mention, -1)
    return {m for m, there in partition.entity_of.items() if there == number}


def credit(example: Example, mention: Mention, side: str = "key") -> Tally:
    """Figure 5: the correct mentions in the output chain of ``mention``, over the mentions of its
    chain in the truth (recall) or in the output (precision); an absent output chain has none.
    """
    truth, output = (entity_of(each, mention) for each in (example.key, example.response))
    return Tally(len(truth & output), len(truth if side == "key" else output))


def share(example: Example, mention: Mention, side: str = "key") -> Fraction:
    """The credit of ``mention`` as a number: nothing is shared with a chain that is absent."""
    return Fraction(credit(example, mention, side).ratio(Fraction(0)))


def terms(example: Example, side: str = "key") -> str:
    """The credits of all mentions, written out in the order of the key"""
    return " + ".join(str(credit(example, mention, side)) for mention in example.key.entity_of)


def weighted(example: Example, weights: str, side: str = "key") -> Fraction:
    """Σ wᵢ · Recallᵢ or Σ wᵢ · Precisionᵢ, with "mention" or "entity" weights.

    >>> example = Example("", {"key": "{a b} {c}", "response": "{a} {b c}"})
    >>> weighted(example, "mention"), weighted(example, "entity")
    (Fraction(2, 3), Fraction(3, 4))
    """
    own = entities(example, side)
    weight: dict[str, Callable[[Mention], Fraction]] = {
        "mention": lambda mention: Fraction(1, len(own.mentions)),
        "entity": lambda mention: Fraction(1, len(own) * own.sizes[own.entity_of[mention]]),
    }
    terms = (weight[weights](m) * share(example, m, side) for m in own.entity_of)
    return sum(terms, Fraction(0))


# ------------------------------------------------------------------------- class by class


def entity_recall(example: Example, of: str) -> Fraction:
    """Rᵢ = 1 − Σⱼ Σ_{e ∈ Pᵢⱼ} (|Sᵢ| − |Pᵢⱼ|) / |Sᵢ|²

    The Pᵢⱼ are, as the paper has it, what S shares with the other side's entities: here, other
    than for MUC, a mention that they lack is in none of them.
    """
    s = set(named(example)[of])
    shared = [s.intersection(there) for there in other(example, side_of(of))]
    missing = sum(len(s) - len(part) for part in shared for _ in part)
    return 1 - Fraction(missing, len(s) ** 2)


def model_theoretic(example: Example, weights: str, side: str = "key") -> Fraction:
    """R_T: the mean of the Rᵢ, or their mean weighted by |Sᵢ| ("mention" weights)."""
    sizes = entities(example, side).sizes
    weight = [1] * len(sizes) if weights == "entity" else sizes
    recalls = [entity_recall(example, of) for of in names(example, side)]
    return sum((w * r for w, r in zip(weight, recalls, strict=True)), Fraction(0)) / sum(weight)


def same_as_informal(example: Example, weights: str, side: str = "key") -> bool:
    """Whether the model-theoretic version gives what the informal one gives"""
    return model_theoretic(example, weights, side) == weighted(example, weights, side)


@cache
def same_versions(weights: str) -> Search:
    """Whether both definitions of B³ agree where key and response have the same mentions"""
    return Search.of(
        "keys and responses of the same one to four mentions",
        (Example.of(*each) for each in pairs_up_to(4) if each[0].mentions == each[1].mentions),
        lambda each: all(same_as_informal(each, weights, side) for side in ("key", "response")),
    )


@cache
def recall_in_steps() -> Search:
    """Whether the forms of an entity's recall agree: 1 minus a mean of shares, and over |S|²"""

    def agree(sizes: Sequence[int]) -> bool:
        s = sum(sizes)
        shares = sum(Fraction(s - part, s) for part in sizes for _ in range(part)) / s
        return shares == Fraction(sum(part * (s - part) for part in sizes), s * s)

    among = "partitions of up to eight mentions, by the sizes of their parts"
    return Search.of(among, (sizes for n in range(1, 9) for sizes in profiles(n)), agree)


def where_mentions_differ(example: Example, printed: str) -> str:
    """A case in which the two versions are not the same."""
    case = Example("a mention missing", {"key": "{a b c}", "response": "{a b}"})
    by_class, by_mention = model_theoretic(case, "mention"), weighted(case, "mention")
    if by_class == by_mention:
        raise AssertionError(f"both versions give {by_class}")
    return (
        f"with key {case.key} and response {case.response} recall is {by_class} by those words, "
        f"and {by_mention} mention by mention, if a mention that the response lacks has no credit"
    )


# -------------------------------------------------------------------- what Figure 6 lists


def as_in_vilain(example: Example, printed: str) -> str:
    """What Vilain et al. print in the same place."""
    original = load("vilain1995").examples["implicit"]
    if (original.key, original.response) != (example.key, example.response):
        raise AssertionError(f"theirs is {original.key}, with {original.response}")
    return f"Vilain et al. 1995, from whom the passage is taken, have {original.key} there"


def printed_terms(example: Example, printed: str) -> str:
    """What a printed list of credits amounts to."""
    listed = [Fraction(term) for term in re.findall(r"\d+/\d+", printed)]
    result = sum(listed) * normaliser(example)
    return (
        f"the list has {len(listed)} terms for {len(example.key.mentions)} mentions, and "
        f"{normaliser(example)} of their sum is {result}"
    )


# ------------------------------------------------------------------------ the two responses


def both(example: Example, measure: str, part: str) -> Tally | Fraction | str:
    """A score of both responses, if they agree"""
    first, second = (_part(e, measure, part) for e in (_first(), example))
    return first if first == second else f"{first} and {second}"


def wrongly_coreferent(example: Example) -> int:
    """How many pairs of mentions the response makes coreferent that are not"""
    links = metric("blanc")(example.key, example.response).counts.coreference.precision
    return int(links.total - links.hits)


def gap(measure: str, example: Example) -> Fraction:
    """By how much precision falls from the first response to the second"""
    return _precision(_first(), measure) - _precision(example, measure)


def less_sensitive(example: Example) -> bool:
    """Whether both errors cost less precision if classes are alike"""
    both_responses = (_first(), example)
    return all(_precision(e, "b3_class") > _precision(e, "b3") for e in both_responses)


def how_much_less(example: Example, printed: str) -> str:
    """What the errors cost by both weightings."""
    costs = [
        " and ".join(str(1 - _precision(e, measure)) for e in (_first(), example))
        for measure in ("b3", "b3_class")
    ]
    return f"the two errors cost {costs[0]} of precision if mentions are alike, else {costs[1]}"


def recall_errors(example: Example, printed: str) -> str:
    """What B³ makes of the same error on the other side."""
    turned = metric("b3")(example.response, example.key)
    return (
        f"with key and response exchanged the error of Figure 2 is one of recall, and recall is "
        f"{turned.exact.recall}, as precision was"
    )


# -------------------------------------------------------------------- what changes cost and pay


def links_of_a_key(example: Example | None, printed: str) -> str:
    """A key that lists a link more than it needs."""
    links = "A-B B-C A-C"
    case = Example("", {"key_links": links, "response_links": links})
    needed = vilain1995.necessary_links(case)
    return f"the key {links} lists {len(case.key_links)} links, and c(S) is {needed}"


Change = Callable[[Partition, Partition], Iterator[list[list[Mention]]]]
Pairing = tuple[Partition, Partition]


def _for_all(change: Change, holds: Callable[[Pairing, Pairing], bool]) -> Search:
    """Whether something holds of every response before and after a change."""
    steps = 0
    for key, response in pairs_up_to(4):
        for after in map(Partition, change(key, response)):
            steps += 1
            if not holds((key, response), (key, after)):
                return Search(steps, "", f"key {key}, response {response}, then {after}")
    return Search(steps, "changes of responses of up to four mentions")


def _without_singleton(key: Partition, response: Partition) -> Iterator[list[list[Mention]]]:
    """A singleton that the key has, too, is left out."""
    for entity in response:
        if len(entity) == 1 and list(entity) in map(list, key):
            yield [list(e) for e in response if e != entity]


def _with_wrong_link(key: Partition, response: Partition) -> Iterator[list[list[Mention]]]:
    """A mention that the key lacks joins an entity, or two without a key entity in common join."""
    for entity in response:
        yield [[*e, "spurious"] if e == entity else list(e) for e in response]
    for a, b in combinations(response, 2):
        if {key.entity_of.get(m) for m in a}.isdisjoint(key.entity_of.get(m, m) for m in b):
            yield [[*a, *b], *(list(e) for e in response if e not in (a, b))]


def _with_right_merge(key: Partition, response: Partition) -> Iterator[list[list[Mention]]]:
    """Two parts of one key entity join."""
    for a, b in combinations(response, 2):
        if len({key.entity_of.get(m, m) for m in (*a, *b)}) == 1:
            yield [[*a, *b], *(list(e) for e in response if e not in (a, b))]


@cache
def _muc(pairing: Pairing) -> Pair:
    counts: Pair = metric("muc")(*pairing).counts
    return counts


@cache
def _b3_recall(pairing: Pairing) -> Fraction:
    return exact(metric("b3")(*pairing).exact.recall)


def _first() -> Example:
    return load("baldwin1998").examples["example-1"]


def _part(example: Example, measure: str, part: str) -> Tally | Fraction:
    score = metric(measure)(example.key, example.response)
    counted = getattr(score.counts, part)
    return counted if isinstance(counted.hits, int) else getattr(score.exact, part)


def _precision(example: Example, measure: str) -> Fraction:
    return exact(metric(measure)(example.key, example.response).exact.precision)


# ------------------------------------------------------------------------- reported scores

TOTAL = "total score, Vilain algorithm"
TOTAL_B3 = "total score, B3 algorithm"
COMPONENTS = (
    "Genre Specific Coreference",
    "La Hack 3",
    "Highly Syntactic Coreference",
    "Quoted Speech",
    "CogNIAC Proper Noun Resolution",
    "CogNIAC Common Noun Resolution",
    "CogNIAC Pronouns",
)
IN_MUC_6 = ("La Hack 3, in MUC-6", "CogNIAC Common Noun Resolution, in MUC-6")
LOOK_EXCHANGED = ("La Hack 3", "Highly Syntactic Coreference")


def reported(place: str) -> tuple[Fraction, Fraction]:
    """The recall and the precision that the paper reports at a place, as printed."""
    return _figure(place, "recall"), _figure(place, "precision")


def _figure(place: str, part: str) -> Fraction:
    """A reported score; of "85-90%" the lower end."""
    (printed,) = (text for name, text in _printed(place) if name == part)
    return Fraction(re.findall(r"[\d.]+", printed)[0]) / 100


def _printed(place: str) -> list[tuple[str, str]]:
    """The parts of scores, and what is printed for each, in the paper's order."""
    figures = [
        row
        for group in load("baldwin1998").content["figures"]
        for row in group["rows"]
        if group["place"] == place
    ]
    pairs = (re.findall(r"([\d.]+%) (precision|recall)", row["printed"]) for row in figures)
    apart = [
        (row["measure"], row["printed"])
        for row in figures
        if row.get("measure") in ("recall", "precision")
    ]
    return apart or [(part, printed) for pair in pairs for printed, part in pair]


def recall_first(place: str) -> bool:
    """Whether the recall of a pair is printed before its precision."""
    return [name for name, _ in _printed(place)] == ["recall", "precision"]


def drop_in_recall() -> Bounds:
    """The difference between the two recalls, each of which is rounded"""
    drop, half = reported(TOTAL)[0] - reported(TOTAL_B3)[0], Fraction(1, 200)
    return Bounds(drop - 2 * half, drop + 2 * half)


def lower(place: str, than: str, part: str = "precision") -> bool:
    """Whether a reported score is lower than another"""
    return _figure(place, part) < _figure(than, part)


def short_of(example: Example | None, printed: str) -> str:
    """By how much the precision of quoted speech is below what was expected."""
    expected = _figure("Quoted Speech, expected", "precision")
    precision = _figure("Quoted Speech", "precision")
    if precision >= expected:
        raise AssertionError(f"{precision} is not below {expected}")
    return f"that precision is {float(expected - precision) * 100:.1f} points below"


def together(scores: list[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """Recall and precision of components whose hits and links add up.

    MUC counts the same hits for recall and for precision, so recall / precision is the number of
    a component's links per link of the key.
    """
    recall = sum((r for r, _ in scores), Fraction(0))
    return recall, recall / sum((r / p for r, p in scores), Fraction(0))


def exchanged(places: tuple[str, ...] = LOOK_EXCHANGED) -> list[tuple[Fraction, Fraction]]:
    """The components' scores with recall and precision of these places exchanged."""
    return [reported(c)[::-1] if c in places else reported(c) for c in COMPONENTS]


def exchange_evidence(example: Example | None, printed: str) -> str:
    """What the other reported figures say of the two pairs."""
    (recall, precise), (recall_x, precise_x) = together(exchanged(())), together(exchanged())
    total_recall, total_precision = reported(TOTAL)
    over = [c for c in COMPONENTS if reported(c)[0] > total_recall]
    others = [c for c in (*COMPONENTS, *IN_MUC_6) if c not in LOOK_EXCHANGED]
    if not all(map(recall_first, others)) or any(map(recall_first, LOOK_EXCHANGED)):
        raise AssertionError("which pairs have recall first?")
    return (
        f"the other {len(others)} pairs of components are printed recall first. These two are "
        f"printed precision first, and so are both totals. As printed, {' and '.join(over)} recall "
        f"more than the total, which is {_percent(total_recall)} recall and "
        f"{_percent(total_precision)} precision. The recalls of all components add up to "
        f"{_percent(recall)}, and to {_percent(recall_x)} with these pairs exchanged. All their "
        f"hits over all their links are a precision of {_percent(precise)}, and of "
        f"{_percent(precise_x)} with these pairs exchanged"
    )


def la_hack_evidence(example: Example | None, printed: str) -> str:
    """What the other reported figures and the comparison with MUC-6 say of the two pairs."""
    before, now = reported("La Hack 3, in MUC-6"), reported("La Hack 3")
    changes = [
        f"{how}, recall would have changed by {float(recall - before[0]) * 100:+.1f} points since "
        f"MUC-6, and precision by {float(precise - before[1]) * 100:+.1f}"
        for how, (recall, precise) in (("As printed", now), ("Exchanged", now[::-1]))
    ]
    return ". ".join([exchange_evidence(example, printed), *changes])


def _percent(value: Fraction) -> str:
    return f"{float(value):.1%}"


# ------------------------------------------------------------------ Figures of one expression

CHANGES: dict[str, tuple[str, Change, Callable[[Pairing, Pairing], bool]]] = {
    "singletons_not_credited": (
        "MUC stays if a response leaves out a singleton that the key has",
        _without_singleton,
        lambda before, after: _muc(before) == _muc(after),
    ),
    "singletons_credited": (
        "B³ recall falls if a response leaves out a singleton that the key has",
        _without_singleton,
        lambda before, after: _b3_recall(before) > _b3_recall(after),
    ),
    "errors_cost_alike": (
        "one wrong link costs MUC precision one link more of the response, whatever it joins",
        _with_wrong_link,
        lambda before, after: _muc(after) == _muc(before) + Pair(Tally(0, 0), Tally(0, 1)),
    ),
    "merges_gain_alike": (
        "relating two parts of an entity gains MUC recall one link, whatever their sizes",
        _with_right_merge,
        lambda before, after: _muc(after).recall == _muc(before).recall + Tally(1, 0),
    ),
    "growing_pays": (
        "relating two parts of an entity raises B³ recall",
        _with_right_merge,
        lambda before, after: _b3_recall(before) < _b3_recall(after),
    ),
}
"""What is said of a response's change, the change, and whether it holds of before and after."""

FIGURES: Figures = {
    name: (f"Whether {says}", cache(partial(_for_all, change, holds)))
    for name, (says, change, holds) in CHANGES.items()
} | {
    "small_entities": (
        "How many entities of the key are smaller than the largest",
        lambda example: len(example.key) - large_entities(example),
    ),
    "weight_in_entity": (
        "The weight of each mention of an entity, if all entities are alike",
        lambda each, of: Fraction(1, len(entities(each, side_of(of))) * size(each, of)),
    ),
    "more_wrong": (
        "Whether the second response makes more pairs of mentions coreferent that should not be",
        lambda example: wrongly_coreferent(example) > wrongly_coreferent(_first()),
    ),
    "penalized_more": (
        "Whether precision falls from the first response to the second",
        lambda example, measure: gap(measure, example) > 0,
    ),
    "less_severe": (
        "Whether precision falls less from the first response to the second if classes are alike",
        lambda example: 0 < gap("b3_class", example) < gap("b3", example),
    ),
}
