"""Choices about repeats, singletons, 0/0, and several documents; other scorers by their names."""

from fractions import Fraction as F

import pytest
from alike import TOLERANCE, agree, parts
from hypothesis import given
from messages import says
from rows import every_row
from strategies import all_pairs, pairs

from corefeval import CorefError, Partition, evaluate, metric
from corefeval.chance.significance import bootstrap
from corefeval.conventions import CHOICES, OF_A_CORPUS, OF_FILES
from corefeval.overlap import repeats
from corefeval.registry import MEASURES
from corefeval.scorers.bundles import FREE, bundles

TWO = {"long": "{a b c}", "short": "{a b} {c}"}, {"long": "{a b}", "short": "{a b} {c}"}
"""By MUC 1/2, 1, 2/3 and 1, 1, 1; three key mentions each, two and three of the response."""


def score(name, key, response, **chosen):
    return metric(name, **chosen)(key, response).exact[:3]


# Repeated mentions


@pytest.mark.proof
@every_row("name", MEASURES)
def test_without_repeats_every_choice_gives_one_score(name):
    expected, *others = [
        metric(name, repeated=choice) for choice in ("error", *CHOICES["repeated"])
    ]
    for key, response in all_pairs("abc"):
        lists = [[*map(list, side)] for side in (key, response)]
        score = parts(expected(*lists))
        for other in others:
            same = agree(parts(other(*lists)), score, TOLERANCE.get(name, 0))
            assert same, (other.conventions.repeated, key, response)


def test_the_reference_rule_refuses_repeats_in_the_key():
    with says("key: mention 'b' is in entity 1 and again in entity 2"):
        metric("muc", repeated="reference")("{a b} {b c}", "{a b}")


def test_a_mention_twice_in_one_entity():
    key, response = "{a b} {c d}", [["a", "b", "b"], ["c", "d"]]
    assert score("b3", key, response, repeated="each") == (1, 1, 1)
    assert score("ceafe", key, response, repeated="each")[0] == F(1, 2) * (F(4, 5) + 1)
    assert score("ceafe", key, response, repeated="once_each")[0] == 1
    # In the key it makes the similarity of two entities larger than 1: 2 · 3 / (3 + 2).
    assert score("ceafe", response, key, repeated="each")[0] == F(1, 2) * (F(6, 5) + 1)


def test_counted_repeats_and_completed_mentions_exclude_each_other():
    with says("twinless='complete'", "repeated='each'"):
        metric("muc", repeated="each", twinless="complete")([["a"]], [["a"]])


def test_a_partition_is_of_one_side():
    with says("repeated='each'", "key and a response"):
        Partition([["a"]], repeated="each")


# Singletons and 0/0


@every_row("name", MEASURES)
def test_zero_is_one_for_the_same_sides_alone(name):
    for key, response in all_pairs("abc"):
        chosen = "one" if key == response else "zero"
        found, expected = (metric(name, zero=zero)(key, response) for zero in ("same", chosen))
        assert agree(parts(found), parts(expected), TOLERANCE.get(name, 0))


# Choices that one scorer makes, and nobody else may


def test_zero_is_one_for_sides_listed_alike():
    def muc(key, response):
        report = evaluate({"d": key}, {"d": response}, "muc", like="tibert")
        return report.total["muc"].exact.f1

    assert (muc("{a} {b}", "{a} {b}"), muc("{a} {b}", "{b} {a}")) == (1, 0)
    assert muc("{a} {b c}", "{b c} {a}") == 1  # nothing is 0/0
    assert (muc("{a} {b}", "{a} {c}"), muc("", "")) == (0, 1)
    with says("zero='listed' is not a choice"):
        metric("muc", zero="listed")


def test_a_repeat_may_count_where_listed_last():
    response = {"d": [["a", "b"], ["b", "c", "d"]]}  # {a} {b c d}
    found = evaluate({"d": "{a b} {c d}"}, response, "muc", like="neleval").total["muc"]
    assert found.exact[:2] == (F(1, 2), F(1, 2))
    with says("repeated='last' is not a choice"):
        evaluate({"d": "{a b} {c d}"}, response, repeated="last")


def test_one_document_alike_makes_no_total_one():
    key, response = {1: "{a}", 2: "{b}"}, {1: "{a}", 2: "{c}"}
    report = evaluate(key, response, "muc", zero="same")
    assert report.documents[1]["muc"].exact.f1 == 1
    assert report.documents[2]["muc"].exact.f1 == report.total["muc"].exact.f1 == 0


# Several documents


@pytest.mark.filterwarnings("ignore:the key and the response share no mention")
@given(pairs())
def test_the_average_of_one_document_is_its_score(pair):
    sides = ({"d": side} for side in pair)
    key, response = sides
    for average in CHOICES["average"]:
        report = evaluate(key, response, ["muc", "b3", "ceafe", "conll", "kappa"], average=average)
        assert {n: s.exact[:4] for n, s in report.total.items()} == {
            n: s.exact[:4] for n, s in report.documents["d"].items()
        }


@pytest.mark.parametrize(
    ("missing", "recall", "precision"), [("empty", F(1, 3), F(1, 2)), ("skip", 1, 1)]
)
def test_documents_that_a_side_lacks(missing, recall, precision):
    key, response = {1: "{a b}", 2: "{a b c}"}, {3: "{a b}", 1: "{a b}"}
    with says("document 2 ", "response", "missing='empty'", "'skip'"):
        evaluate(key, response)
    found = evaluate(key, response, "muc", missing=missing).total["muc"]
    assert (found.exact.recall, found.exact.precision) == (recall, precision)


def test_nothing_in_common():
    with says("no document is on both sides"):
        evaluate({1: "{a}"}, {2: "{a}"}, missing="skip")


@pytest.mark.parametrize("name", [*OF_A_CORPUS, *OF_FILES])
def test_a_metric_is_of_one_pair(name):
    *_, last = (CHOICES | OF_FILES)[name]
    with says(f"{name}={last!r} concerns", "pass it to evaluate"):
        metric("muc", **{name: last})


@pytest.mark.parametrize("name", OF_FILES)
def test_what_concerns_files_needs_files(name):
    *_, last = OF_FILES[name]
    with says(f"{name}={last!r} concerns the reading of files"):
        evaluate(*TWO, **{name: last})


@pytest.mark.parametrize("chosen", [{"average": "mean"}, {"zero": "same"}, {"like": "tibert"}])
def test_no_intervals_without_summed_counts(chosen):
    with says("has no summed counts"):
        bootstrap(evaluate(*TWO, "muc", **chosen))


# Other scorers


def test_a_measure_has_the_name_its_scorer_gives():
    sides = {"d": "{a b c}"}, {"d": "{a b} {c}"}
    assert evaluate(*sides, "blanc", like="ua1").total["blanc"].exact.f1 == F(1, 4)
    assert evaluate(*sides, "blanc").total["blanc"].exact.f1 == F(1, 2)
    assert "blanc.formula=blanc_both" in evaluate(*sides, "blanc", like="ua1").signature


def test_a_scorer_may_be_named_with_a_hyphen():
    both = [evaluate(*TWO, like=name) for name in ("coval-fork", "coval_fork")]
    assert both[0].total == both[1].total
    with says("like='e2'", "did you mean e2e"):
        evaluate(*TWO, like="e2")


def test_what_a_scorer_fixes_cannot_be_chosen():
    for chosen in ({"singletons": "keep"}, {"zero": "one"}, {"repeated": "each"}):
        with says("like='e2e' fixes"):
            evaluate(*TWO, like="e2e", **chosen)
    with says("like='reference' fixes missing"):
        evaluate(*TWO, like="reference", missing="skip")
    assert evaluate(*TWO, like="e2e", missing="skip").total["muc"].exact.f1 == F(4, 5)


@every_row("name", bundles())
def test_a_bundle_is_made_of_choices_and_measures(name):
    bundle = bundles()[name]
    assert bundle.scorer and bundle.version and bundle.reads
    assert bundle.measures or bundle.not_reproduced
    if bundle.measures:
        choice = bundle.choice({})
        computed = [
            *bundle.measures,
            *(["conll"] if {*MEASURES["conll"].parts} <= {*bundle.measures} else []),
        ]
        assert [m.measure.name for m in bundle.metrics(computed, choice)] == computed
        for chosen in bundle.measures.values():
            # Files are read, and documents paired, once for all measures.
            assert not {*chosen} & {*FREE, *OF_A_CORPUS} - {"average"}


def test_a_scorer_that_computes_none_of_the_measures():
    with pytest.raises(CorefError, match="computes no b3 or lea; expected one of muc, b3_all"):
        evaluate(*TWO, ["b3", "lea"], like="java")
    assert evaluate(*TWO, [], like="java").total == {}


def test_what_a_scorer_does_not_compute_is_absent():
    asked = ["muc", "kappa"]
    for metrics in (asked, tuple(asked), iter(asked), "muc,kappa", ["muc,kappa"]):
        with pytest.warns(UserWarning, match="'e2e'.*kappa"):
            assert "absent=kappa" in evaluate(*TWO, metrics, like="e2e").signature


def test_lacking_a_part_of_a_suite_warns_nobody():
    assert "absent=mentions,ceafm,blanc" in evaluate(*TWO, "standard", like="e2e").signature
    with pytest.warns(UserWarning, match="'e2e'.*no blanc:"):
        evaluate(*TWO, ["standard", "blanc"], like="e2e")


def test_matching_heads_falls_back_on_mentions_names():
    key, response = {"d": "{a b} {c}"}, {"d": "{a b}"}
    report = evaluate(key, response, "muc", like="corefud_official")
    assert report.total["muc"].exact.f1 == 1
    assert "match=exact" in report.signature.split()
    with says("like='corefud_official' fixes match"):
        evaluate(key, response, like="corefud_official", match="head")


def test_an_average_weighted_by_mentions_without_any():
    nothing = {"d": "", "e": ""}
    found = evaluate(nothing, nothing, "b3", average="mentions", zero="same").total["b3"]
    assert found.exact[:3] == (1, 1, 1)


def test_sides_are_alike_only_by_both_tables():
    """Cai and Strube's recall leaves out what the response invents, their precision does not."""
    score = metric("muc", twinless="cai_strube", zero="same")("{a}", "{a b}")
    assert (score.exact.recall, score.exact.precision) == (0, 0)
    assert metric("muc", twinless="cai_strube", zero="same")("{a}", "{a}").exact.value == 1


def test_bundles_know_every_convention():
    """Each is fixed by every scorer, or left to the user, and what a scorer fixes exists."""
    every = CHOICES | OF_FILES
    assert {*FREE} <= {*every}
    own = set()
    for bundle in bundles().values():
        for chosen in (bundle.conventions, *bundle.measures.values()):
            for name in {*chosen} - {"formula"}:
                if chosen[name] not in every[name]:
                    own.add((name, chosen[name]))
        for name in {*every} - {*FREE}:
            with says(f"fixes {name}"):
                bundle.choice({name: next(iter(every[name]))})
    assert own == OF_ONE_SCORER


OF_ONE_SCORER = {("repeated", "last"), ("zero", "listed"), ("zero", "few")}


@pytest.mark.parametrize("choice", ["each", "once_each"])
def test_repeats_with_too_many_pairs_are_refused(choice, monkeypatch):
    monkeypatch.setattr(repeats, "MOST_REPEATS", 6)
    score = metric("b3", repeated=choice)
    score([["a"]] * 3, [["a"]] * 4)  # (3 − 1)(4 − 1) = 6
    score([["a"]] * 2, [["a"]] * 7)  # (2 − 1)(7 − 1) = 6
    score([[n] for n in range(9)], [[n] for n in range(9)])  # no repeats, however many mentions
    with pytest.raises(CorefError, match=r"gives mention 'a' 3 times, and the response in 5 ent"):
        score([["a"]] * 3, [["a"]] * 5)
