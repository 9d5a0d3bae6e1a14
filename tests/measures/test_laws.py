"""Laws that a measure obeys, and laws that it does not, each with a counterexample.

A row of `TABLE` says of one measure, for every law, either HOLDS or an example that breaks it.
A law that holds is tried on all small pairs and on random ones; a counterexample must break its
law. The oracle obeys the same ones: on all small pairs it says what the measure says.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import oracle
import pytest
from alike import TOLERANCE, agree
from hypothesis import given
from rows import every_row
from strategies import MENTIONS, all_keys, all_pairs, disjoint_union, pairs, read

from corefeval import evaluate, metric
from corefeval.registry import MEASURES
from corefeval.score import Pair

# Small random corpora often share no mention, of which evaluate warns.
pytestmark = pytest.mark.filterwarnings("ignore:.*shares? (no mention|none)")

HOLDS = True


metric_of = cache(metric)


@cache
def score_of_sets(name: str, key: tuple, response: tuple, zero: str):
    return metric_of(name, zero=zero)(key, response).exact[:4]


class Measured:
    """A measure as its users call it; many laws ask for the score of the same pair."""

    def __init__(self, name: str) -> None:
        self.name = name

    def score(self, key, response, zero="zero"):
        return score_of_sets(self.name, (*key,), (*response,), zero)

    def total(self, documents):
        key = {name: pair[0] for name, pair in documents.items()}
        response = {name: pair[1] for name, pair in documents.items()}
        return evaluate(key, response, self.name).total[self.name].exact[:4]


def overall(score) -> Fraction:
    """F1, or the value of a measure that has no recall and precision."""
    *_, f1, value = score
    return value if f1 is None else f1


# ------------------------------------------------------------------------ laws of one pair


def stays_in_range(measure, key, response) -> bool:
    """No part is below 0 or above 1."""
    score = measure.score(key, response)
    return all(0 <= part <= 1 for part in score if part is not None)


def only_the_key_is_perfect(measure, key, response) -> bool:
    """A response that scores 1 is the key."""
    return overall(measure.score(key, response)) < 1 or set(key) == set(response)


def only_the_same_entities_are_perfect(measure, key, response) -> bool:
    """A response of the key's mentions, those twinless completed by singletons, that scores 1
    is the key: criterion 1 of Popescu-Belis, section 2.2."""
    key, response = oracle.completed(key, response)
    return overall(measure.score(key, response)) < 1 or set(key) == set(response)


def key_is_perfect_where_nothing_is_one(measure, key, response) -> bool:
    """With 0/0 = 1, every key scores 1 against itself."""
    return all(part in (1, None) for part in measure.score(key, key, zero="one"))


def names_do_not_matter(measure, key, response) -> bool:
    """Other names of the mentions, in another order, change nothing."""
    name = {mention: (1, -ord(mention)) for mention in MENTIONS}
    renamed = [[frozenset(name[m] for m in entity) for entity in side] for side in (key, response)]
    return measure.score(*renamed) == measure.score(key, response)


def order_does_not_matter(measure, key, response) -> bool:
    """Entities and mentions in another order change nothing."""
    lists = [[tuple(sorted(entity)) for entity in side] for side in (key, response)]
    backwards = [[entity[::-1] for entity in side[::-1]] for side in lists]
    return measure.score(*backwards) == measure.score(key, response)


def exchange_exchanges(measure, key, response) -> bool:
    """Key and response exchanged: recall and precision exchanged."""
    recall, precision, *rest = measure.score(key, response)
    return measure.score(response, key) == (precision, recall, *rest)


def exchange_keeps_f1(measure, key, response) -> bool:
    """Key and response exchanged: the same F1."""
    return overall(measure.score(key, response)) == overall(measure.score(response, key))


def common_singleton_changes_nothing(measure, key, response) -> bool:
    """A singleton more on both sides changes nothing."""
    new = [frozenset({"new"})]
    return measure.score([*key, *new], [*response, *new]) == measure.score(key, response)


def twinless_singleton_changes_nothing(measure, key, response) -> bool:
    """A singleton more on one side changes nothing."""
    new, score = [frozenset({"new"})], measure.score(key, response)
    return measure.score([*key, *new], response) == score == measure.score(key, [*response, *new])


def singletons_change_nothing(measure, key, response) -> bool:
    """All singletons left out: the same (Popescu-Belis, PROP.13)."""
    without = [[entity for entity in side if len(entity) > 1] for side in (key, response)]
    return measure.score(*without) == measure.score(key, response)


def completion_changes_nothing(measure, key, response) -> bool:
    """Twinless mentions as singletons of the other side: the same (Popescu-Belis, DEF.19)."""
    completed = measure.score(*oracle.completed(key, response))
    return agree(completed, measure.score(key, response), TOLERANCE.get(measure.name, 0))


def recall_of_one_entity_is_one(measure, key, response) -> bool:
    """All mentions of the key in one entity: recall 1 (or no recall at all to speak of)."""
    everything = [frozenset(m for entity in key for m in entity)] if key else []
    return measure.score(key, everything, zero="one")[0] == 1


# ---------------------------------------------------------------- laws of two documents


def documents_add_up_to_one_table(measure, key, response, key2, response2) -> bool:
    """The total of two documents is the score of both as one document."""
    documents = {1: (key, response), 2: (key2, response2)}
    return measure.total(documents) == measure.score(*disjoint_union(documents))


LAWS: dict[str, Callable[..., bool]] = {
    law.__name__: law
    for law in (
        stays_in_range,
        only_the_key_is_perfect,
        only_the_same_entities_are_perfect,
        key_is_perfect_where_nothing_is_one,
        names_do_not_matter,
        order_does_not_matter,
        exchange_exchanges,
        exchange_keeps_f1,
        common_singleton_changes_nothing,
        twinless_singleton_changes_nothing,
        singletons_change_nothing,
        completion_changes_nothing,
        recall_of_one_entity_is_one,
        documents_add_up_to_one_table,
    )
}

# What a counterexample needs beyond these is in the measure's own row.
USUAL = dict.fromkeys(LAWS, HOLDS) | {
    "common_singleton_changes_nothing": ("{a}", ""),
    "twinless_singleton_changes_nothing": ("{a}", "{a}"),
    "singletons_change_nothing": ("{a}", "{a}"),
    "completion_changes_nothing": ("{a}", ""),
}
# The measures of Popescu-Belis complete both sides before they compare them.
COMPLETING = USUAL | {
    "only_the_key_is_perfect": ("{a b}", "{a b} {c}"),
    "completion_changes_nothing": HOLDS,
}
# Singletons count nothing at all.
LINKS = COMPLETING | {
    "common_singleton_changes_nothing": HOLDS,
    "twinless_singleton_changes_nothing": HOLDS,
    "singletons_change_nothing": HOLDS,
}
# It is driven by the key: there are no exclusive cores of the response.
EXCLUSIVE = COMPLETING | {
    # The response entity that comes first is given first: 1/3 or 2/3 is correct.
    "order_does_not_matter": ("{a b} {c}", "{a c} {b}"),
    "exchange_exchanges": ("{a b}", "{a} {b}"),
    "exchange_keeps_f1": ("{a b}", "{a} {b}"),
    "common_singleton_changes_nothing": ("{a b}", "{a} {b}"),
    "twinless_singleton_changes_nothing": ("{a b}", "{a} {b}"),
    "singletons_change_nothing": ("{a b} {c}", "{a} {b} {c}"),
    "recall_of_one_entity_is_one": ("{a} {b}", ""),
}

TABLE: dict[str, dict[str, Any]] = {
    "mentions": USUAL
    | {
        "only_the_key_is_perfect": ("{a b}", "{a} {b}"),
        "only_the_same_entities_are_perfect": ("{a b}", "{a} {b}"),
    },
    "muc": LINKS,
    "b3": USUAL,
    "b3_class": USUAL,
    "ceaf1": USUAL | {"recall_of_one_entity_is_one": ("{a} {b}", "")},
    "ceaf2": USUAL
    | {
        "only_the_key_is_perfect": ("{a b}", "{a c}"),
        "only_the_same_entities_are_perfect": ("{a b} {c}", "{a c} {b}"),
        "recall_of_one_entity_is_one": ("{a} {b}", ""),
    },
    "ceafm": USUAL | {"recall_of_one_entity_is_one": ("{a} {b}", "")},
    "ceafe": USUAL | {"recall_of_one_entity_is_one": ("{a} {b}", "")},
    "blanc": USUAL
    | {
        # The key has no link between entities, so those of the response do not count ...
        "only_the_key_is_perfect": ("{a b}", "{a b} {c}"),
        # ... but they do when it is the key.
        "exchange_exchanges": ("{a b}", "{a b} {c}"),
        "exchange_keeps_f1": ("{a b}", "{a b} {c}"),
        "common_singleton_changes_nothing": ("{a b}", "{a} {b}"),
        "twinless_singleton_changes_nothing": ("{a b} {c}", "{a b} {c}"),
        "singletons_change_nothing": ("{a} {b}", "{a} {b}"),
        "completion_changes_nothing": ("{a} {b}", ""),
        "recall_of_one_entity_is_one": ("{a} {b}", ""),
        # Links between mentions of different documents are in the one table only.
        "documents_add_up_to_one_table": ("{a b}", "{a} {b}", "{a b}", "{a b}"),
    },
    "blanc_both": USUAL
    | {
        "common_singleton_changes_nothing": ("{a b}", "{a} {b}"),
        "twinless_singleton_changes_nothing": ("{a b} {c}", "{a b} {c}"),
        "singletons_change_nothing": ("{a} {b}", "{a} {b}"),
        "completion_changes_nothing": ("{a} {b}", ""),
        "recall_of_one_entity_is_one": ("{a} {b} {c d}", ""),
        "documents_add_up_to_one_table": ("{a b}", "{a} {b}", "{a b}", "{a b}"),
    },
    "pairwise": LINKS,
    # A singleton's link to itself is not in a larger entity.
    "lea": USUAL | {"recall_of_one_entity_is_one": ("{a} {b}", "")},
    "conll": USUAL | {"recall_of_one_entity_is_one": ("", "")},  # it has no recall
    "kappa": COMPLETING
    | {
        "stays_in_range": ("{a b} {c}", "{a c} {b}"),  # -1; below that: test_popescu_belis
        # Where one entity is all there is, agreement is certain: 0/0.
        "common_singleton_changes_nothing": ("{a b}", "{a b}"),
        "twinless_singleton_changes_nothing": ("{a b}", "{a b}"),
        "singletons_change_nothing": ("{a b} {c}", "{a b} {c}"),
        "recall_of_one_entity_is_one": ("", ""),  # it has no recall
        # |E| − 1 links can join one document, |E| − 2 two.
        "documents_add_up_to_one_table": ("{a b}", "{a b}", "{a}", "{a}"),
    },
    "c": LINKS,
    "xc": EXCLUSIVE,
    "xc_free": EXCLUSIVE,
    # Sums of logarithms are rounded once, so that their order does not matter.
    "h": COMPLETING
    | {
        "singletons_change_nothing": ("{a b} {c}", "{a b} {c}"),
        # No document distinguishes anything, but both together distinguish documents.
        "documents_add_up_to_one_table": ("{a}", "{a}", "{a}", "{a}"),
    },
    "dmt": COMPLETING
    | {
        "only_the_same_entities_are_perfect": ("{a b} {c}", "{a c} {b}"),
        "singletons_change_nothing": ("{a b} {c}", "{a} {b} {c}"),
        "recall_of_one_entity_is_one": ("", ""),  # it has no recall
        # The largest distance is that of all mentions in one entity: of |E| − 1, or |E| − 2.
        "documents_add_up_to_one_table": ("{a}", "{a}", "{a}", "{a}"),
    },
}


@cache
def samples(law: str, mentions: str) -> list[tuple]:
    """All small inputs of a law."""
    if law == "documents_add_up_to_one_table":
        few = all_pairs(mentions[:2])
        return [(*one, *two) for one in few for two in few]
    if law in ("key_is_perfect_where_nothing_is_one", "recall_of_one_entity_is_one"):
        return [(key, []) for key in all_keys(mentions)]
    return all_pairs(mentions)


def breaking(measure, law: str, mentions: str) -> tuple | None:
    """The first small input that breaks a law."""
    return next((s for s in samples(law, mentions) if not LAWS[law](measure, *s)), None)


entries = [(name, law) for name, row in TABLE.items() for law in row]
holding = [(name, law) for name, law in entries if TABLE[name][law] is HOLDS]
broken = [(name, law) for name, law in entries if TABLE[name][law] is not HOLDS]


def test_the_table_has_an_entry_for_every_measure_and_law():
    missing = set(MEASURES) - set(TABLE)
    assert not missing, f"TABLE needs a line that says which laws hold of {missing}"
    assert all(set(row) == set(LAWS) for row in TABLE.values())


@pytest.mark.parametrize("mentions", ["abc", pytest.param("abcd", marks=pytest.mark.proof)])
@every_row("name, law", holding)
def test_law_on_all_small_inputs(name, law, mentions):
    assert breaking(Measured(name), law, mentions) is None


@given(one=pairs(), two=pairs())
def test_laws_on_random_inputs(one, two):
    for name, law in holding:
        sample = (*one, *two) if law == "documents_add_up_to_one_table" else one
        assert LAWS[law](Measured(name), *sample), (name, law)


@every_row("name, law", broken)
def test_counterexample(name, law):
    assert not LAWS[law](Measured(name), *map(read, TABLE[name][law]))


# --------------------------------------------------------------------------- exact numbers


def numbers(score) -> list:
    """All that a score has, and the tallies that it comes from."""
    parts = [part for part in score.exact[:4] if part is not None]
    assert parts
    if isinstance(score.counts, Pair):
        tallies = score.counts.recall, score.counts.precision
        parts += [number for each in tallies for number in (each.hits, each.total)]
    return parts


@given(pair=pairs())
def test_numbers_are_exact_but_logarithms(pair):
    for name in MEASURES:
        for number in numbers(metric_of(name)(*pair)):
            if name in TOLERANCE:
                assert isinstance(number, float) or number == Fraction(0), name
            else:
                assert type(number) in (int, Fraction), name
