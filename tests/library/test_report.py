"""Averages by mentions, corpora without documents, repeats that are singletons, links alone."""

import re
from fractions import Fraction

import pytest

from corefeval import CorefError, evaluate, metric
from corefeval.conventions import CHOICES, OF_FILES
from corefeval.measures import link_score
from corefeval.registry import MEASURES, SPELLINGS, spelled

# The response lacks c of the first document and adds x to the second.
KEY = {"d": "{a b c}", "e": "{a} {b}"}
RESPONSE = {"d": "{a b}", "e": "{a b x}"}


@pytest.mark.parametrize(
    ("twinless", "recall", "precision"),
    [
        # d: 4/9 of 3 key mentions, 1 of 2 response mentions; e: 1 of 2, 1/2 of the 2 that are left.
        ("stoyanov_0", Fraction(3 * 4, 9) + 2, (2 * 1 + 2 * Fraction(1, 2)) / 4),
        # d: 5/9 of 3, 1 of 2; e: 1 of 2, 1/3 of 3.
        ("stoyanov_all", Fraction(3 * 5, 9) + 2, (2 * 1 + 3 * Fraction(1, 3)) / 5),
        # As before, but c is a mention of the response, too, when precision is counted.
        ("cai_strube", Fraction(3 * 5, 9) + 2, (3 * 1 + 3 * Fraction(1, 3)) / 6),
    ],
)
def test_weights_are_the_mentions_that_recall_and_precision_are_counted_of(
    twinless, recall, precision
):
    """Each in its own table: what a policy leaves out for precision weighs nothing there."""
    total = evaluate(KEY, RESPONSE, "b3", average="mentions", twinless=twinless).total["b3"]
    assert (total.exact.recall, total.exact.precision) == (recall / 5, precision)


def test_f1_is_weighted_by_both():
    total = evaluate(KEY, RESPONSE, "b3", average="mentions", twinless="stoyanov_0").total["b3"]
    assert total.exact.f1 == (5 * Fraction(8, 13) + 4 * Fraction(2, 3)) / 9


@pytest.mark.parametrize(("repeated", "mentions"), [("each", 4), ("once_each", 2)])
def test_an_entity_that_lists_one_mention_twice_is_a_singleton_only_if_it_counts_once(
    repeated, mentions
):
    listed = [["a", "a"], ["b", "c"]]
    counts = metric("mentions", repeated=repeated, singletons="drop")(listed, listed).counts
    assert (counts.recall.total, counts.precision.total) == (mentions, mentions)


@pytest.mark.parametrize("average", CHOICES["average"])
@pytest.mark.parametrize(("zero", "expected"), [("zero", 0), ("one", 1), ("same", 1)])
def test_no_document_scores_as_nothing_does_by_any_average(average, zero, expected):
    report = evaluate({}, {}, "all", average=average, zero=zero)
    assert not report.documents
    parts = {"kappa": ["value"], "dmt": ["value"], "conll": ["f1"]}
    for name, score in report.total.items():
        names = parts.get(name, ["recall", "precision", "f1"])
        assert score.exact.parts == dict.fromkeys(names, expected), name


def test_links_that_are_the_same_nothing():
    assert link_score([], [], zero="same").exact.f1 == 1
    assert link_score([], [], zero="zero").exact.f1 == 0
    assert link_score([], "A-B", zero="same").exact[:3] == (0, 0, 0)
    assert link_score("A-B", "A-B", zero="same").exact.f1 == 1


@pytest.mark.parametrize("name", [name for name in CHOICES | OF_FILES if name != "zero"])
def test_link_score_refuses_conventions_that_it_would_ignore(name):
    *_, other = (CHOICES | OF_FILES)[name]
    with pytest.raises(CorefError, match=f"{name}='{other}' does not concern links"):
        link_score("A-B", "A-B", **{name: other})


# What a report says when asked


def test_a_score_by_its_name_as_printed_or_typed():
    report = evaluate(KEY, RESPONSE, "all")
    for name, spellings in {
        "b3": ["B³", "b3", "bcub", "B-cubed", "B 3"], "ceafe": ["CEAFₑ", "CEAF_e", "CEAFe"],
        "conll": ["CoNLL", "CoNLL score", "conll"], "mentions": ["Mention detection"],
        "ceaf1": ["CEAF, φ₁"], "kappa": ["κ"], "h": ["H"],
    }.items():  # fmt: skip
        for spelling in spellings:
            assert report[spelling] is report.total[name], spelling
            assert metric(spelling).measure.name == name
    assert list(evaluate(KEY, RESPONSE, ["B³", "bcub", "CoNLL"]).total) == ["b3", "conll"]


def test_a_name_of_no_score_says_what_there_is():
    report = evaluate(KEY, RESPONSE, ["muc", "b3"])
    for name, told in {
        "lea": "'lea' was not scored; there are muc, b3",
        "CEAFₑ": "'CEAFₑ' was not scored; there are muc, b3",
        "muk": "there is no measure 'muk'; did you mean muc?; there are muc, b3",
        0: "there is no measure 0; .*; there are muc, b3",
    }.items():
        with pytest.raises(CorefError, match=re.escape(told).replace(r"\.\*", ".*")):
            report[name]


def test_the_names_of_a_log_begin_with_the_prefix():
    report = evaluate(KEY, RESPONSE, "muc")
    assert list(report.to_dict("dev/")) == ["dev/muc_recall", "dev/muc_precision", "dev/muc_f1"]
    assert [*report.to_dict("dev/").values()] == [*report.to_dict().values()]


def test_titles_are_spelled_apart():
    """Two measures may not be meant by one spelling."""
    names = [spelled(each.name) for each in MEASURES.values()]
    titles = [spelled(each.title) for each in MEASURES.values()]
    assert len({*names}) == len({*titles}) == len(MEASURES)
    for name, title in zip(names, titles, strict=True):
        assert title not in {*names} - {name}
    assert not {*SPELLINGS} & {*names, *titles} and {*SPELLINGS.values()} <= {*MEASURES}


def test_a_report_knows_its_measures_and_is_no_list():
    """Python would look for a measure 0 otherwise."""
    report = evaluate({"d": "{a b}"}, {"d": "{a b c}"}, ["muc", "b3"])
    assert "muc" in report and "lea" not in report
    with pytest.raises(TypeError, match="not iterable"):
        list(report)
