"""Baldwin et al.: what the rows of the ledger alone do not prove."""

import re
from fractions import Fraction
from itertools import combinations

import oracle
import pytest
from corefbook import ledger
from corefbook.enumeration import partitions
from corefbook.ledger import Example
from corefbook.papers import baldwin1998
from figures import figures
from hypothesis import given
from strategies import pairs

from corefeval import metric
from corefeval.overlap.partition import Partition
from corefeval.score import Tally


def merges(entities):
    for a, b in combinations(entities, 2):
        yield [a + b, *(e for e in entities if e not in (a, b))]


def test_muc_recall_never_falls_with_more_links():
    # What the evidence about the two exchanged pairs of 003 rests on. X is on one side only.
    for key in partitions("abcd"):
        for response in partitions("abcX"):
            before = metric("muc")(key, response).counts.recall.hits
            linked = [[["d", *e], *(o for o in response if o != e)] for e in response]
            for more in [*merges(response), *linked]:
                assert metric("muc")(key, more).counts.recall.hits >= before


def test_versions_of_b_cubed_differ_for_missing_mentions():
    example = Example("", {"key": "{a b c}", "response": "{a b}"})
    assert baldwin1998.credit(example, "c") == Tally(0, 3)
    assert not baldwin1998.same_as_informal(example, "mention")


def test_lists_of_figure_6_miss_their_totals():
    lists = [f for _, f in figures("baldwin1998") if f["place"] == "Figure 6, B-CUBED Algorithm"]
    assert len(lists) == 3  # one of them stands in the paper twice
    examples = ledger.load("baldwin1998").examples
    for figure in lists:
        score = metric("b3")(examples[figure["example"]].key, examples[figure["example"]].response)
        total = score.exact.precision if "with" in figure else score.exact.recall
        sums = [
            sum(map(Fraction, re.findall(r"\d+/\d+", text))) / 12
            for text in (figure["printed"], figure["copy_slip"]["right"])
        ]
        assert sums[0] != total == sums[1]


def test_reported_scores_speak_for_an_exchange():
    total_recall, total_precision = baldwin1998.reported(baldwin1998.TOTAL)
    over = [c for c in baldwin1998.COMPONENTS if baldwin1998.reported(c)[0] > total_recall]
    assert tuple(over) == baldwin1998.LOOK_EXCHANGED
    as_printed = baldwin1998.together(baldwin1998.exchanged(()))
    exchanged = baldwin1998.together(baldwin1998.exchanged())
    assert as_printed[0] > 1 > exchanged[0]
    assert abs(exchanged[1] - total_precision) < abs(as_printed[1] - total_precision)


CHANGES = [
    ("_with_wrong_link", "cost B³ precision the same"),
    ("_with_right_merge", "gain B³ recall the same"),
    ("_without_singleton", "leave B³ recall as it is"),
]


@pytest.mark.parametrize(("change", "claim"), CHANGES)
def test_false_claims_of_b_cubed_have_counterexamples(change, claim):
    # What the paper says of MUC, said of B³: the same changes tell the two measures apart.
    measure = metric("b3")

    def same(before, after):
        a, b = measure(*before), measure(*after)
        moved = (a.exact.precision - b.exact.precision, b.exact.recall - a.exact.recall)
        return moved == first.setdefault(claim, moved)

    first = {"leave B³ recall as it is": (0, 0)}
    assert baldwin1998._for_all(getattr(baldwin1998, change), same).counterexample


def test_different_definitions_of_b_cubed_are_noticed(monkeypatch):
    monkeypatch.setattr(baldwin1998, "entity_recall", lambda example, of: Fraction(1, 2))
    uncached = baldwin1998.same_versions.__wrapped__
    assert uncached("mention").counterexample


def test_pairs_are_printed_recall_first_but_two():
    places = (*baldwin1998.COMPONENTS, *baldwin1998.IN_MUC_6)
    assert [p for p in places if not baldwin1998.recall_first(p)] == [*baldwin1998.LOOK_EXCHANGED]
    # The totals, too, are printed precision first.
    assert not any(map(baldwin1998.recall_first, (baldwin1998.TOTAL, baldwin1998.TOTAL_B3)))


def test_relations_between_printed_scores():
    # The other way round none of them would hold.
    compared = [
        figure["with"] for _, figure in figures("baldwin1998") if figure.get("measure") == "lower"
    ]
    assert len(compared) == 3
    for each in compared:
        assert baldwin1998.lower(**each)
        assert not baldwin1998.lower(each["than"], each["place"])


def spelled(pair):
    key, response = map(Partition, pair)
    return Example("", {"key": str(key), "response": str(response)})


@given(pairs())
def test_weighted_credits_are_the_measures(pair):
    example = spelled(pair)
    for weights, name in (("mention", "b3"), ("entity", "b3_class")):
        expected = oracle.score(name, *pair)
        assert baldwin1998.weighted(example, weights) == expected.recall
        assert baldwin1998.weighted(example, weights, "response") == expected.precision


@given(pairs())
def test_the_credit_of_one_mention(pair):
    example = spelled(pair)
    for mention in oracle.mentions_of(pair[0]):
        credit = baldwin1998.share(example, mention)
        assert credit == oracle.mention_recall(mention, *pair)
