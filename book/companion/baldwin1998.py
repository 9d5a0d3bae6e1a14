"""Baldwin et al. 1998: B³ counted as the paper counts it, mention by mention and class by class.

``side`` says of which score: "key" of recall, "response" of precision. What the paper calls an
entity is here a mention, its equivalence class an entity.
"""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction

from companion import vilain1995
from companion.ledger import Example, load
from companion.vilain1995 import chosen, entities, how_many_entities, other, p
from corefeval.measures.b_cubed import weighted_recall
from corefeval.measures.blanc import LinkClasses
from corefeval.partition import Mention, Partition
from corefeval.registry import metric
from corefeval.score import Tally

__all__ = ["entities", "how_many_entities", "p"]

FIGURE = {"example-1": "Figure 2", "example-2": "Figure 4"}
"""Where the paper draws each response."""


# ------------------------------------------------------------------------- the MUC example


def numerator(example: Example, side: str = "key") -> str:
    """The terms |Sᵢ| − |p(Sᵢ)| as this paper writes them out."""
    return vilain1995.numerator(example, side).replace(" - ", "-")


def denominator(example: Example, side: str = "key") -> str:
    """The terms |Sᵢ| − 1 as this paper writes them out."""
    return vilain1995.denominator(example, side).replace(" - ", "-")


def large_entities(example: Example) -> int:
    """How many entities of the key are of the largest size."""
    return Counter(example.key.sizes)[max(example.key.sizes)]


def small_entities(example: Example) -> int:
    """How many entities of the key are smaller than the largest."""
    return len(example.key) - large_entities(example)


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


def terms(example: Example, side: str = "key") -> str:
    """The credits of all mentions, in the order of the key, as Figure 6 writes them out."""
    return " + ".join(str(credit(example, mention, side)) for mention in example.key.entity_of)


def weight_of_mention(example: Example) -> Fraction:
    """w of each mention, if all are alike."""
    return Fraction(1, len(example.key.mentions))


def weight_in_entity(example: Example, side: str = "key", entity: int = 1) -> Fraction:
    """w of each mention of an entity, counted from 1, if all entities are alike."""
    sizes = entities(example, side).sizes
    return Fraction(1, len(sizes) * sizes[entity - 1])


def weighted(example: Example, weights: str, side: str = "key") -> Fraction:
    """Σ wᵢ · Recallᵢ or Σ wᵢ · Precisionᵢ, with "mention" or "entity" weights."""
    own, others = entities(example, side), other(example, side)
    weight = {
        "mention": lambda mention: Fraction(1, len(own.mentions)),
        "entity": lambda mention: Fraction(1, len(own) * own.sizes[own.entity_of[mention]]),
    }
    return weighted_recall(own, others, weight[weights])


# ------------------------------------------------------------------------- class by class


def entity_recall(example: Example, side: str = "key", entity: int = 1) -> Fraction:
    """Rᵢ = 1 − Σⱼ Σ_{e ∈ Pᵢⱼ} (|Sᵢ| − |Pᵢⱼ|) / |Sᵢ|²

    The Pᵢⱼ are, as the paper has it, what S shares with the other side's entities: here, other
    than for MUC, a mention that they lack is in none of them.
    """
    s = chosen(example, side, entity).mentions
    shared = [s.intersection(there) for there in other(example, side)]
    missing = sum(len(s) - len(part) for part in shared for _ in part)
    return 1 - Fraction(missing, len(s) ** 2)


def model_theoretic(example: Example, weights: str, side: str = "key") -> Fraction:
    """R_T: the mean of the Rᵢ, or their mean weighted by |Sᵢ| ("mention" weights)."""
    sizes = entities(example, side).sizes
    weight = [1] * len(sizes) if weights == "entity" else sizes
    recalls = [entity_recall(example, side, i) for i in range(1, len(sizes) + 1)]
    return sum((w * r for w, r in zip(weight, recalls, strict=True)), Fraction(0)) / sum(weight)


def compared_with_informal(example: Example, weights: str, side: str = "key") -> str:
    """Whether the model-theoretic version gives what the informal one gives."""
    same = model_theoretic(example, weights, side) == weighted(example, weights, side)
    return "the same" if same else "another"


def where_mentions_differ(example: Example, printed: str) -> str:
    """A case in which the two versions are not the same."""
    case = Example("a mention missing", {"key": "{a b c}", "response": "{a b}"})
    values = model_theoretic(case, "mention"), weighted(case, "mention")
    assert values[0] != values[1]
    return (
        f"with key {case.key} and response {case.response} recall is {values[0]} by the class "
        f"formula, in which a mention that the response lacks is in no part of p(S) and misses "
        f"nothing, and {values[1]} mention by mention"
    )


# -------------------------------------------------------------------- what Figure 6 lists


def printed_terms(example: Example, printed: str) -> str:
    """What a printed list of credits amounts to."""
    listed = [Fraction(term) for term in re.findall(r"\d+/\d+", printed)]
    result = sum(listed) * weight_of_mention(example)
    return (
        f"the list has {len(listed)} terms for {len(example.key.mentions)} mentions, and "
        f"{weight_of_mention(example)} of their sum is {result}"
    )


# ------------------------------------------------------------------------ the two responses


def precision(example: Example, measure: str) -> Fraction:
    score = metric(measure)(example.key, example.response)
    assert score.precision is not None
    return score.precision


def wrongly_coreferent(example: Example) -> int:
    """How many pairs of mentions the response makes coreferent that are not."""
    counts = metric("blanc")(example.key, example.response).counts
    assert isinstance(counts, LinkClasses)
    links = counts.coreference.precision
    return int(links.total - links.hits)


def worse_by(measure: str) -> str:
    """Which response has more pairs made coreferent wrongly ("pairs"), or the lower precision."""
    harm = {
        name: wrongly_coreferent(e) if measure == "pairs" else -precision(e, measure)
        for name, e in _both().items()
    }
    return " and ".join(FIGURE[name] for name in harm if harm[name] == max(harm.values()))


def gap(measure: str) -> Fraction:
    """By how much precision falls from the first response to the second."""
    first, second = (precision(example, measure) for example in _both().values())
    return first - second


def class_weights_compared() -> str:
    """Whether precision falls less from one response to the other if classes are alike."""
    return "less severe" if 0 < gap("b3_class") < gap("b3") else "as severe or more"


def sensitivity_compared() -> str:
    """Whether both errors cost less precision if classes are alike."""
    less = all(precision(e, "b3_class") > precision(e, "b3") for e in _both().values())
    return "less sensitive" if less else "not less sensitive"


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
LOOK_EXCHANGED = ("La Hack 3", "Highly Syntactic Coreference")


def reported(place: str) -> tuple[Fraction, Fraction]:
    """The recall and the precision that the paper reports at a place, as printed."""
    printed = {
        row["measure"]: Fraction(row["printed"].rstrip("%")) / 100
        for group in load("baldwin1998").content["figures"]
        for row in group["rows"]
        if group["place"] == place and row["measure"] in ("recall", "precision")
    }
    return printed["recall"], printed["precision"]


def drop_in_recall() -> Fraction:
    """From MUC to B³, in points."""
    return reported(TOTAL)[0] - reported(TOTAL_B3)[0]


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
    return (
        f"as printed {' and '.join(over)} recall more than the total; the recalls of all "
        f"components add up to {_percent(recall)}, with these pairs exchanged to "
        f"{_percent(recall_x)}, and all their hits over all their links are a precision of "
        f"{_percent(precise)}, exchanged {_percent(precise_x)}; the total is "
        f"{_percent(total_recall)} recall and {_percent(total_precision)} precision"
    )


def la_hack_evidence(example: Example | None, printed: str) -> str:
    """The same, and what the comparison with MUC-6 says."""
    before, now = reported("La Hack 3, in MUC-6"), reported("La Hack 3")
    changes = [
        f"recall would have changed by {float(recall - before[0]) * 100:+.1f} points and precision "
        f"by {float(precise - before[1]) * 100:+.1f} {how}"
        for how, (recall, precise) in (("as printed", now), ("exchanged", now[::-1]))
    ]
    return f"{exchange_evidence(example, printed)}; since MUC-6 {', '.join(changes)}"


def _both() -> dict[str, Example]:
    examples = load("baldwin1998").examples
    return {name: examples[name] for name in FIGURE}


def _percent(value: Fraction) -> str:
    return f"{float(value):.1%}"
