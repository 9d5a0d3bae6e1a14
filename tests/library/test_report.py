"""Averages by mentions, corpora without documents, singletons that repeat, keys, links alone."""

import os
import pickle
import re
import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from weakref import ref

import pytest
from rows import every_row

from corefeval import CorefError, Scorer, evaluate, from_labels, metric
from corefeval.conventions import CHOICES, OF_FILES
from corefeval.measures import link_score
from corefeval.overlap.twinless import POLICIES
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
def test_weights_are_the_mentions_that_are_counted(twinless, recall, precision):
    """Each in its own table: what a policy leaves out for precision weighs nothing there."""
    total = evaluate(KEY, RESPONSE, "b3", average="mentions", twinless=twinless).total["b3"]
    assert (total.exact.recall, total.exact.precision) == (recall / 5, precision)


def test_f1_is_weighted_by_both():
    total = evaluate(KEY, RESPONSE, "b3", average="mentions", twinless="stoyanov_0").total["b3"]
    assert total.exact.f1 == (5 * Fraction(8, 13) + 4 * Fraction(2, 3)) / 9


@pytest.mark.parametrize(("repeated", "mentions"), [("each", 4), ("once_each", 2)])
def test_a_mention_listed_twice_may_be_singleton(repeated, mentions):
    listed = [["a", "a"], ["b", "c"]]
    counts = metric("mentions", repeated=repeated, singletons="drop")(listed, listed).counts
    assert (counts.recall.total, counts.precision.total) == (mentions, mentions)


@pytest.mark.parametrize("average", CHOICES["average"])
@pytest.mark.parametrize(("zero", "expected"), [("zero", 0), ("one", 1), ("same", 1)])
def test_no_document_scores_as_an_empty_one(average, zero, expected):
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


# Of which keys reports are

ONE = {n: "{a b c} {d e} {f} {g}" for n in range(3)}
RESPONSES = (
    {n: "{a b} {c d e} {f} {g}" for n in range(3)},
    # Other spurious mentions, of which twinless may make singletons of the key.
    {n: "{a b} {c d e} {f x} {y} {z w}" for n in range(3)},
)
OTHERS = {
    "other entities of the same sizes": {n: "{a d c} {b e} {f} {g}" for n in range(3)},
    "a mention of another name": {n: "{a b c} {d e} {f} {h}" for n in range(3)},
    "another key of one document": ONE | {2: "{a b d} {c e} {f} {g}"},
    "one document less": {n: ONE[n] for n in range(2)},
}
TURNED = {n: "{g} {e d} {f} {c a b}" for n in range(3)}


def by_scorer(key, response, **chosen):
    """The report of two scorers that were merged, sent to another process and back."""
    parts = Scorer("b3", **chosen), Scorer("b3", **chosen)
    for n in key:
        parts[n % 2].update(key[n], response[n], n)
    parts[0].merge(parts[1])
    return pickle.loads(pickle.dumps(parts[0])).compute()


def reports(key, response, **chosen):
    response = {n: response[n] for n in key}
    made = evaluate(key, response, "b3", **chosen)
    return [made, pickle.loads(pickle.dumps(made)), by_scorer(key, response, **chosen)]


@pytest.mark.parametrize("singletons", CHOICES["singletons"])
@every_row("twinless", POLICIES)
def test_the_same_key_is_known_from_others(twinless, singletons):
    chosen = {"twinless": twinless, "singletons": singletons}
    ours = reports(ONE, RESPONSES[0], **chosen)
    for response in RESPONSES:
        for one in ours:
            for other in reports(TURNED, response, **chosen):
                assert one.with_other_keys(other) == []
            for name, key in OTHERS.items():
                for other in reports(key, response, **chosen):
                    # Without singletons the mention of another name is in neither key.
                    same = singletons == "drop" and name == "a mention of another name"
                    assert bool(one.with_other_keys(other)) != same, name


def test_keys_are_one_where_singletons_are_dropped():
    without = {n: "{a b c} {d e}" for n in range(3)}
    for singletons in CHOICES["singletons"]:
        one, other = (
            evaluate(key, RESPONSES[0], "b3", singletons=singletons) for key in (ONE, without)
        )
        assert one.with_other_keys(other) == ([] if singletons == "drop" else [0, 1, 2])


# By the others there is no score of a key that repeats a mention.
@pytest.mark.parametrize("repeated", ["first", "merge", "each", "once_each"])
def test_a_key_is_compared_after_its_repeats(repeated):
    twice, once = [["a", "b", "b"], ["c"]], [["a", "b"], ["c"]]
    one, other = (
        evaluate({"d": key}, {"d": "{a b c}"}, "b3", repeated=repeated) for key in (twice, once)
    )
    assert bool(one.with_other_keys(other)) == (repeated == "each")


def test_like_compares_a_key_for_each_measure():
    with_singleton, without = {"d": "{a b} {c}"}, {"d": "{a b}"}
    for like, same in (("corefud_official", True), ("e2e", False)):
        one, other = (evaluate(key, key, like=like) for key in (with_singleton, without))
        assert bool(one.with_other_keys(other)) != same


def test_of_tables_the_sizes_are_compared():
    one, same, other = (
        evaluate(from_labels(*sides), metrics="b3")
        for sides in (([1, 1, 2], [5, 5, 5]), ([7, 9, 9], [1, 2, 2]), ([1, 2, 3], [5, 5, 5]))
    )
    assert one.with_other_keys(same) == [] and one.with_other_keys(other) == ["table"]
    named = evaluate({"table": "{a b} {c}"}, {"table": "{a}"}, "b3")
    assert one.with_other_keys(named) == [] and named.with_other_keys(other) == ["table"]


HEADED = """# global.Entity = eid-head
# newdoc id = d
1\ta\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-1
2\tb\t_\t_\t_\t_\t1\t_\t_\tEntity=e1)
3\tc\t_\t_\t_\t_\t1\t_\t_\t{}

"""


@pytest.mark.parametrize("match", OF_FILES["match"])
def test_a_files_key_is_known_in_copies(folder, match):
    Path("k.conllu").write_text(HEADED.format("Entity=(e1-1)"))
    renamed = HEADED.format("Entity=(e1-1)").replace("e1", "e9")
    Path("copy.conllu").write_text(f"# a comment\n{renamed}")
    Path("other.conllu").write_text(HEADED.format("Entity=(e2-1)"))
    one, copied, other = (
        evaluate(f"{name}.conllu", "k.conllu", "b3", match=match) for name in ("k", "copy", "other")
    )
    assert one.with_other_keys(copied) == [] and one.with_other_keys(other) == ["d"]


def test_keys_of_mentions_of_somebodys_own():
    @dataclass(frozen=True)
    class Token:
        number: int

        __repr__ = object.__repr__

    def report(*entities):
        key = {"d": [[Token(n) for n in entity] for entity in entities]}
        return evaluate(key, key, "b3")

    assert report((1, 2), (3,)).with_other_keys(report((3,), (2, 1))) == []
    assert report((1, 2), (3,)).with_other_keys(report((1, 3), (2,))) == ["d"]


def test_keys_are_numbered_only_to_be_compared():
    made = evaluate(ONE, RESPONSES[0], "b3")
    assert made.total["b3"].exact.f1 < 1 and "key_digests" not in vars(made)


def test_a_report_keeps_no_response():
    @dataclass(frozen=True)
    class Token:
        place: int

    key, response = ([[*map(Token, range(3))]] for _ in range(2))
    of_key, of_response = ref(key[0][0]), ref(response[0][0])
    made = evaluate({"d": key}, {"d": response}, "b3")
    del key, response
    assert of_key() and of_response() is None and made.total["b3"].exact.f1 == 1


# What a report says when asked


def test_a_score_by_a_printed_or_typed_name():
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


def test_an_unknown_score_says_what_there_is():
    report = evaluate(KEY, RESPONSE, ["muc", "b3"])
    for name, told in {
        "lea": "'lea' was not scored; .* muc, b3",
        "CEAFₑ": "'CEAFₑ' was not scored; .* muc, b3",
        "muk": "there is no measure 'muk'; did you mean muc?; .* muc, b3",
        0: "there is no measure 0; .* muc, b3",
    }.items():
        with pytest.raises(CorefError, match=re.escape(told).replace(r"\.\*", ".*")):
            report[name]


def test_names_of_a_log_begin_with_prefix():
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


def test_a_report_is_no_list_of_measures():
    """Python would look for a measure 0 otherwise."""
    report = evaluate({"d": "{a b}"}, {"d": "{a b c}"}, ["muc", "b3"])
    assert "muc" in report and "lea" not in report
    with pytest.raises(TypeError, match="not iterable"):
        list(report)


ODD_MENTIONS = """
import datetime, pickle, sys
from corefeval import evaluate
noon = datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.UTC)
odd = [None, b"a", datetime.date(2026, 1, 1), noon, frozenset({"a", "b"}), datetime.timedelta(1)]
key = {"d": [[(each, "a") for each in odd], [(2.0, "a")]]}
sys.stdout.buffer.write(pickle.dumps(evaluate(key, key, "muc")))
"""


def test_odd_mentions_keep_their_key_across_processes():
    """None, bytes and dates were hashed, by a seed that each process draws for itself."""
    one, other = (
        pickle.loads(
            subprocess.run(
                [sys.executable, "-c", ODD_MENTIONS],
                env=os.environ | {"PYTHONHASHSEED": seed},
                capture_output=True,
                check=True,
            ).stdout
        )
        for seed in ("1", "2")
    )
    assert one.with_other_keys(other) == []
