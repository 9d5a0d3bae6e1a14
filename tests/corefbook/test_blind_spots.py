"""The errors of the chapter on blind spots, and its rankings, against what is derived elsewhere."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise, product

import oracle
import pytest
from corefbook.studies import blind_spots
from corefbook.studies.blind_spots import KINDS, NAMES, TOLERANCE, change, effect
from rows import every_row
from strategies import all_partitions, sets

from corefeval.overlap.partition import Partition
from corefeval.scoring import metric

BY_PERMUTATION = {"ceafm", "ceafe", "conll"}
"""Their oracle tries every alignment: not for 34 entities."""


def by_oracle(name, key, response, zero=0):
    scores = oracle.score(name, sets(key), sets(response), zero)
    return scores.f1 if scores.value is None else scores.value


def at_best(name, key, response):
    """The same, but XC's ties fall in the response's favour: for few mentions."""
    if name != "xc":
        return by_oracle(name, key, response)
    everyone = len(key.mentions | response.mentions)
    return max(
        oracle.two_ratios((right, everyone, everyone - wrong, everyone), 0).f1
        for right, wrong in oracle.xc_reachable(sets(key), sets(response), "core")
    )


# ------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("kind", "gone", "new"),
    [
        # The first error of each kind, by hand: which entities vanish, and which appear.
        ("split large", ["1-14"], ["1-7", "8-14"]),
        ("merge large", ["1-14", "15-25"], ["1-25"]),
        ("move large", ["1-14", "15-25"], ["1-13", "14-25"]),
        ("swap large", ["1-14", "15-25"], ["1-13 25", "14-24"]),
        ("drop large", ["1-14"], ["1-13"]),
        ("spurious large", ["1-14"], ["1-14 spurious"]),
        ("split small", ["63-65"], ["63-64", "65"]),
        ("merge small", ["63-65", "66-68"], ["63-68"]),
        ("move small", ["63-65", "66-68"], ["63-64", "65-68"]),
        ("swap small", ["63-65", "66-68"], ["63-64 68", "65-67"]),
        ("drop small", ["63-65"], ["63-64"]),
        ("spurious small", ["63-65"], ["63-65 spurious"]),
        ("link singletons", ["83", "84"], ["83-84"]),
        ("drop singletons", ["83"], []),
        ("spurious singletons", [], ["spurious"]),
    ],
)
def test_the_first_error_of_each_kind(kind, gone, new):
    before, after, *_ = blind_spots.responses(tuple(kind.split()))

    def entity(text):
        mentions = set()
        for part in text.split():
            first, _, last = part.partition("-")
            numbered = first.isdigit()
            mentions |= {*range(int(first), int(last or first) + 1)} if numbered else {part}
        return frozenset(mentions)

    def named(partition):
        return {frozenset("spurious" if isinstance(m, str) else m for m in e) for e in partition}

    assert named(before) - named(after) == set(map(entity, gone))
    assert named(after) - named(before) == set(map(entity, new))


def test_every_kind_is_tried():
    assert len(KINDS) == 15


@pytest.mark.parametrize("kind", KINDS, ids=" ".join)
def test_each_error_changes_entities_of_its_own(kind):
    key, *responses = blind_spots.responses(kind)
    untouched = [len(set(sets(key)) & set(sets(response))) for response in responses]
    per_error = {"merge": 2, "move": 2, "swap": 2, "link": 2}.get(kind[0], 1)
    if kind == ("spurious", "singletons"):
        per_error = 0
    assert untouched == [34 - per_error * errors for errors in (1, 2, 3, 4)]


@pytest.mark.proof
@every_row("start", [blind_spots.key(), blind_spots.flawed()])
@every_row("kind", KINDS)
def test_scores_are_those_of_the_oracle(kind, start):
    key = blind_spots.key()
    last = blind_spots.responses(kind, start)[-1]
    for name in set(NAMES) - BY_PERMUTATION:
        ours = blind_spots.scores_after_errors(name, kind, start)[-1].exact.value
        assert ours == pytest.approx(by_oracle(name, key, last), abs=1e-12), name


def test_what_four_errors_cost_by_hand():
    """66 links and 100 mentions; F1 = 2RP / (R + P)."""
    for size in ("large", "small"):
        assert change("muc", ("split", size)) == Fraction(2 * 62, 66 + 62) - 1
        assert change("muc", ("merge", size)) == Fraction(2 * 66, 66 + 70) - 1
        # A moved mention leaves a link, and the response has as many as before.
        assert change("muc", ("move", size)) == Fraction(62, 66) - 1
        assert change("ceafm", ("drop", size)) == Fraction(2 * 96, 100 + 96) - 1
        assert change("ceafm", ("spurious", size)) == Fraction(2 * 100, 100 + 104) - 1
    # Merged, 11 of 25 mentions and so on are outside the best one-to-one alignment.
    assert change("ceafm", ("merge", "large")) == -Fraction(11 + 8 + 5 + 4, 100)
    # 30 of 34 entities are aligned with themselves; of each linked pair, one at 2/3.
    assert effect("ceafe", ("link", "singletons")) == f"−{100 * (1 - (26 + 4 * 2 / 3) / 32):.1f}"


# ----------------------------------------------------------------- what is said to be proved


def partitions(mentions, *, whole=True):
    """Every partition of the mentions, or of some of them too, but of none."""
    every = [Partition(sorted(map(sorted, entities))) for entities in all_partitions(mentions)]
    least = len(mentions) if whole else 1
    return [each for each in every if len(each.mentions) >= least]


FOUR = partitions("abcd")


def test_twinless_singletons_leave_muc_and_c_alone():
    for key, response in product(FOUR, FOUR):
        for name in ("muc", "c"):
            score = metric(name)(key, response)
            assert metric(name)(key, [*response, ["x"]]).exact[:3] == score.exact[:3]
            assert metric(name)([*key, ["x"]], response).exact[:3] == score.exact[:3]


def test_the_completion_restores_a_dropped_singleton():
    for key, response in product(FOUR, FOUR):
        for name in ("kappa", "xc", "h", "dmt", "muc", "c"):
            with_it = metric(name)([*key, ["x"]], [*response, ["x"]])
            without = metric(name)([*key, ["x"]], response)
            assert with_it.exact[:4] == pytest.approx(without.exact[:4], abs=1e-12)


def test_dmt_never_falls_with_a_spurious_singleton():
    dmt = metric("dmt")
    for key, response in product(FOUR, FOUR):
        if len(key.sizes) + len(response.sizes) > 2:
            assert dmt(key, [*response, ["x"]]).exact.value >= dmt(key, response).exact.value
        renamed = [[{"a": "b", "b": "a"}.get(m, m) for m in entity] for entity in response]
        assert dmt(key, renamed).exact.value == dmt(key, response).exact.value


def test_any_split_costs_muc_one_link():
    for key in FOUR:
        links = 4 - len(key)
        for entity in key:
            if len(entity) > 1:
                score = metric("muc")(key, blind_spots.split(key, entity))
                assert score.exact.recall == Fraction(links - 1, links)


# ------------------------------------------------------------------------------ rankings


@pytest.fixture(scope="module")
def brute():
    """Every pair of responses to every key of four mentions, by the oracle's scores."""
    opposite, tied, pairs = Counter(), Counter(), 0
    for key in FOUR:
        scores = {name: [at_best(name, key, response) for response in FOUR] for name in NAMES}
        for i, j in combinations(range(len(FOUR)), 2):
            pairs += 1
            signs = {}
            for name in NAMES:
                gap = scores[name][i] - scores[name][j]
                signs[name] = 0 if abs(gap) < 1e-10 else 1 if gap > 0 else -1
                tied[name] += signs[name] == 0
            for one, other in combinations(NAMES, 2):
                opposite[one, other] += signs[one] * signs[other] < 0
    return pairs, opposite, tied


def test_rates_are_those_of_a_second_enumeration(brute):
    pairs, opposite, tied = brute
    orders = blind_spots.comparison(4)
    assert orders.pairs == pairs == 15 * 105
    for one, other in combinations(NAMES, 2):
        assert orders.rate(one, other) == Fraction(opposite[one, other], pairs)
        assert orders.rate(other, one) == orders.rate(one, other)
    assert orders.tied == tied


def _opposite(one, other, key, a, b):
    gaps = [by_oracle(name, key, a) - by_oracle(name, key, b) for name in (one, other)]
    return all(abs(gap) > 1e-10 for gap in gaps) and (gaps[0] > 0) != (gaps[1] > 0)


def test_responses_with_twinless_mentions():
    """All partitions of all subsets of the key's mentions and x: 1 + 3 + 3 · 2 + 5 = 15."""
    key = Partition.parse("{a b}")
    responses = blind_spots.answers(key, "x", all_found=False)
    expected = {frozenset(part) for part in all_partitions("abx")}
    assert {frozenset(sets(response)) for response in responses} == expected
    assert len(responses) == len(expected) == 15


def test_rates_with_twinless_mentions():
    """Two mentions and x: the keys {a b} and {a} {b}, and fifteen responses to each."""
    measures = ("muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")
    orders = blind_spots.comparison(2, measures, spurious="x")
    assert orders.pairs == 2 * 105
    parts = partitions("abx", whole=False)
    for one, other in combinations(measures, 2):
        count = sum(
            _opposite(one, other, Partition.parse(key), a, b)
            for key in ("{a b}", "{a} {b}")
            for a, b in combinations(parts, 2)
        )
        # The empty response is the lowest by each measure, so it contradicts nothing.
        assert orders.opposite[one, other] == count, (one, other)


@pytest.mark.proof
def test_the_tolerance_separates_equal_and_different_scores():
    for name in NAMES:
        for key in blind_spots.keys(6):
            answers = blind_spots.answers(key)
            values = sorted({float(metric(name)(key, response).value) for response in answers})
            gaps = [b - a for a, b in pairwise(values)]
            assert all(gap < TOLERANCE / 1000 or gap > 1000 * TOLERANCE for gap in gaps), name


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([Fraction(1, 3), Fraction(2, 3), Fraction(1, 3)], [0, 1, 0]),
        ([0.5, 0.5 + 1e-12, 0.6], [0, 0, 1]),
        ([3, 2, 1], [2, 1, 0]),
    ],
)
def test_ranks(values, expected):
    assert blind_spots.ranks(values) == expected
