"""Popescu-Belis's thirteen propositions once more: from sets, with the oracle's scores.

The companion states them on contingency tables with the library's measures. Here they are stated
on partitions as sets, enumerated by the tests' own strategy, with entropies in logarithms. Beside
each stands a statement that somebody could take for it and that is false, which must be found out.
"""

from fractions import Fraction
from itertools import product
from math import fsum, isclose, log

import oracle
import pytest
from companion.papers.popescubelis.propositions import PROPOSITIONS
from strategies import all_pairs


class Pair:
    """A key and a response on the same mentions; |E|, |P_K| and |P_R|."""

    def __init__(self, key, response):
        self.key, self.response = key, response
        self.e, self.pk, self.pr = sum(map(len, key)), len(key), len(response)

    def score(self, name):
        return oracle.score(name, self.key, self.response, zero=1)

    def r(self, name):
        return self.score(name).recall

    def p(self, name):
        return self.score(name).precision

    def f(self, name):
        return self.score(name).f1

    @property
    def turned(self):
        return Pair(self.response, self.key)

    @property
    def perfect(self):
        return {*self.key} == {*self.response}


PAIRS = [Pair(*p) for n in range(1, 6) for p in all_pairs("abcde"[:n], twinless=False)]


def both_ways(holds):
    """What is said of recall, and likewise of precision."""
    return lambda x: holds(x) and holds(x.turned)


def fragments(x):
    """π(K) of every key entity."""
    return [[k & r for r in x.response if k & r] for k in x.key]


def ratio(above, below):
    return Fraction(above, below) if below else Fraction(1)


def near(a, b):
    return isclose(a, b, abs_tol=1e-9)


def entropy(side):
    total = sum(map(len, side))
    return -fsum(len(s) / total * log(len(s) / total) for s in side)


def conditioned(x):
    """H(P_K|P_R)."""
    shared = [(len(k & r), len(r)) for k, r in product(x.key, x.response) if k & r]
    return -fsum(n / x.e * log(n / r) for n, r in shared)


def independent(x):
    return all(len(k & r) * x.e == len(k) * len(r) for k, r in product(x.key, x.response))


def without_singletons(x):
    """The key's singletons, and their mentions, taken from both sides."""
    kept = [k for k in x.key if len(k) > 1]
    left = frozenset().union(*kept)
    return Pair(kept, [r & left for r in x.response if r & left])


def removable(*names):
    def holds(x):
        smaller = without_singletons(x)
        return not smaller.key or all(smaller.r(name) == x.r(name) for name in names)

    return holds


def most_by_one(x):
    return max(map(len, x.response))


TRUE = {
    "PROP.1": both_ways(
        lambda x: all(1 <= len(f) <= len(k) for f, k in zip(fragments(x), x.key, strict=True))
    ),
    "PROP.2": lambda x: (
        sum(map(len, fragments(x))) == sum(map(len, fragments(x.turned)))
        and oracle.muc(x.key, x.response)[0] == oracle.muc(x.response, x.key)[0]
    ),
    "PROP.3": lambda x: (
        (x.f("muc") == 1) == (x.r("muc") == x.p("muc") == 1) == x.perfect
        and (x.r("muc") == 1) == all(any(k <= r for r in x.response) for k in x.key)
    ),
    "PROP.4": lambda x: x.pr > 1 or (x.r("muc") == 1 and x.p("muc") == ratio(x.e - x.pk, x.e - 1)),
    "PROP.5": both_ways(
        lambda x: x.e == x.pk or x.r("muc") >= ratio(x.e - x.pk * x.pr, x.e - x.pk)
    ),
    "PROP.6": both_ways(lambda x: Fraction(x.pk, x.e) <= x.r("b3") <= 1),
    "PROP.7": both_ways(
        lambda x: x.e == x.pk or x.r("c") >= ratio(most_by_one(x) - x.pk, x.e - x.pk)
    ),
    "PROP.8": both_ways(
        lambda x: (
            x.r("c") <= x.r("muc")
            and (x.r("c") == x.r("muc"))
            == all(sorted(map(len, f))[:-1] == [1] * (len(f) - 1) for f in fragments(x))
        )
    ),
    "PROP.9": lambda x: (
        near(entropy(x.response), entropy(x.key) - conditioned(x) + conditioned(x.turned))
        and -1e-9 <= conditioned(x) <= entropy(x.key) + 1e-9
    ),
    "PROP.10": lambda x: (
        near(x.f("h"), 1)
        == (near(conditioned(x), 0) and near(conditioned(x.turned), 0))
        == x.perfect
    ),
    "PROP.11": lambda x: (
        near(x.f("h"), 0)
        == ((x.pr == 1) != (x.pk == 1) or (x.pr > 1 and x.pk > 1 and independent(x)))
    ),
    "PROP.12": lambda x: (
        near(conditioned(x), entropy(x.key))
        == near(conditioned(x.turned), entropy(x.response))
        == independent(x)
    ),
    "PROP.13": both_ways(removable("muc", "c")),
}

FALSE = {
    "PROP.1": lambda x: all(len(f) < len(k) for f, k in zip(fragments(x), x.key, strict=True)),
    "PROP.2": lambda x: x.r("muc") == x.p("muc"),
    "PROP.3": lambda x: (x.r("muc") == 1) == x.perfect,
    "PROP.4": lambda x: x.pr > 1 or x.p("muc") == ratio(x.e - x.pk, x.e),
    "PROP.5": lambda x: x.e == x.pk or x.r("muc") > ratio(x.e - x.pk * x.pr, x.e - x.pk),
    "PROP.6": lambda x: x.r("b3") > Fraction(x.pk, x.e),
    "PROP.7": lambda x: x.e == x.pk or x.r("c") > ratio(most_by_one(x) - x.pk, x.e - x.pk),
    "PROP.8": lambda x: x.r("c") == x.r("muc"),
    "PROP.9": lambda x: conditioned(x) <= entropy(x.response) / 2 + 1e-9,
    "PROP.10": lambda x: near(x.f("h"), 1) == (x.pk == x.pr),
    "PROP.11": lambda x: near(x.f("h"), 0) == ((x.pr == 1) != (x.pk == 1)),
    "PROP.12": lambda x: near(conditioned(x), 0) == independent(x),
    "PROP.13": removable("b3"),
}


def test_all_thirteen_are_stated_twice():
    assert [*TRUE] == [*FALSE] == [*PROPOSITIONS]


@pytest.mark.parametrize("name", TRUE)
def test_proposition_holds_from_sets(name):
    assert [(x.key, x.response) for x in PAIRS if not TRUE[name](x)] == []


@pytest.mark.parametrize("name", FALSE)
def test_what_is_like_it_and_false_is_found_out(name):
    assert not all(map(FALSE[name], PAIRS))
