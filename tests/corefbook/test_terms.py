"""The terms of scores: their sums are what the library counts, and their names what was given."""

import os
import random
from fractions import Fraction
from functools import reduce

import pytest
from corefbook.pages.terms import SUMS, term_tables, terms
from rows import every_row

from corefeval import CorefError, Partition, metric
from corefeval.overlap.contingency import Contingency
from corefeval.overlap.twinless import POLICIES
from corefeval.registry import MEASURES

WALK_THROUGH = ("{a b c} {d e f g}", "{a b} {c d} {f g h i}")


def table(key: str, response: str) -> Contingency:
    return Contingency.of(Partition.parse(key), Partition.parse(response))


def drawn(rng: random.Random) -> tuple[Partition, Partition]:
    def side() -> Partition:
        kept = [m for m in "abcdefghijkl" if rng.random() < 0.7]
        return Partition.from_labels({m: rng.randrange(5) for m in kept})

    return side(), side()


@every_row("policy", POLICIES)
@every_row("name", SUMS)
def test_the_sums_are_what_the_library_counts(name, policy):
    rng = random.Random(1998)
    for _ in range(60 if os.environ.get("CI") else 15):
        key, response = drawn(rng)
        try:
            chosen = {
                "twinless": policy,
                "zero": rng.choice(["zero", "one"]),
            }
            score = metric(name, **chosen)(key, response)
        except CorefError:
            continue
        sums = terms(name, Contingency.of(key, response), **chosen)
        for each in sums:
            counted = score.exact.f1
            if each.where:
                counted = reduce(part, each.where.split("."), score.counts)
            assert float(each.total) == pytest.approx(float(counted)), (key, response, each)
            assert isinstance(each.total, float) or each.total == counted


def part(counts: object, name: str) -> object:
    return counts[int(name)] if name.isdigit() else getattr(counts, name)


def test_every_measure_has_terms():
    missing = {*MEASURES} - {*SUMS}
    assert not missing, f"SUMS in corefbook/pages/terms.py needs a line for {missing}"
    assert {*MEASURES} == {*SUMS}
    t = table(*WALK_THROUGH)
    assert all(terms(name, t) for name in MEASURES)
    assert ">35/12</td>" in term_tables("b3", t)
    assert ">MUC F1</th>" in term_tables("conll", t) and ">2/15</td>" in term_tables("conll", t)


def test_the_terms_of_exclusive_core_classes():
    # K1 takes R1, so that K2's best match is gone: one reading gives it nothing, the other R2.
    t = table("{a b c d} {e f g}", "{a b c e f} {g}")
    for name, given in (("xc", ["K1 ∩ R1"]), ("xc_free", ["K1 ∩ R1", "K2 ∩ R2"])):
        correct, incorrect, mentions = terms(name, t)
        assert [each.of for each in correct.terms] == given
        assert [each.value for each in incorrect.terms] == [2, 0][: len(given)]
        assert mentions.total == 7


def test_the_terms_of_the_walk_through():
    # Pradhan et al. 2014, section 4.2: recall (2²/3 + 1²/3 + 1²/4 + 2²/4) / 7.
    hits, total, *_ = terms("b3", table(*WALK_THROUGH))
    assert [(each.of, each.value) for each in hits.terms] == [
        ("K1 ∩ R1", Fraction(4, 3)),
        ("K1 ∩ R2", Fraction(1, 3)),
        ("K2 ∩ R2", Fraction(1, 4)),
        ("K2 ∩ R3", 1),
    ]
    assert hits.terms[0].triple == (2, 3, 2)
    assert [(each.of, each.value) for each in total.terms] == [("K1 of 3", 3), ("K2 of 4", 4)]
    # Section 4.3.2: the best alignment has K1 and R1, K2 and R3.
    aligned, *_ = terms("ceafe", table(*WALK_THROUGH))
    assert [(each.of, each.value) for each in aligned.terms] == [
        ("K1 ∩ R1", Fraction(4, 5)),
        ("K2 ∩ R3", Fraction(1, 2)),
    ]


def test_precision_is_said_with_its_own_letters():
    each = [one.each for one in terms("b3", table(*WALK_THROUGH))]
    assert each == ["n² / k", "k", "n² / r", "r"]
    precision = terms("lea", table(*WALK_THROUGH))[2]
    assert precision.each == "n (n − 1) / (r − 1), 1 for equal singletons"


def test_names_are_those_of_the_given_entities():
    # R1 is a twinless singleton, which rahman_ng drops: the others keep their names.
    t = table("{a b} {c}", "{x} {a b} {d e}")
    [term] = terms("muc", t, twinless="rahman_ng")[0].terms
    assert term.of == "K1 ∩ R2" and term.triple == (2, 2, 2)
    added = [each.of for each in terms("mentions", t, twinless="complete")[0].terms]
    assert added[:2] == ["K1 ∩ R2", "K2 ∩ added"]
    assert added[2:] == ["added, of the response alone"] * 3
