"""What the library's users hold in their hands: partitions, tables, scores, reports, errors."""

import pickle
import re
from fractions import Fraction as F

import oracle
import pytest
from hypothesis import given
from messages import says
from rows import every_row
from strategies import links, pairs, partitions

import corefeval
from corefeval import Partition, evaluate, from_labels, metric
from corefeval.conventions import CHOICES, OF_FILES, Conventions
from corefeval.measures import link_score
from corefeval.overlap.contingency import Contingency
from corefeval.registry import MEASURES, SUITES, names_of
from corefeval.score import Score, Tally


def as_sets(partition: Partition) -> set[frozenset]:
    return set(map(frozenset, partition))


# ------------------------------------------------------------------------------ Partition


@given(partitions())
def test_a_partition_is_its_entities(entities):
    partition = Partition(entities)
    assert as_sets(partition) == set(entities)
    assert len(partition) == len(entities)
    assert partition.mentions == oracle.mentions_of(entities)
    assert [partition.sizes[partition.entity_of[min(e)]] for e in entities] == [*map(len, entities)]


@given(partitions())
def test_partitions_are_equal_in_any_order(entities):
    backwards = [sorted(entity, reverse=True) for entity in reversed(entities)]
    assert Partition(backwards) == Partition(entities)
    assert hash(Partition(backwards)) == hash(Partition(entities))
    assert Partition([*entities, ["new"]]) != Partition(entities)


def test_partitions_of_the_same_mentions_may_differ():
    assert Partition([["a", "b"]]) != Partition([["a"], ["b"]])
    assert Partition([["a"]]) != [["a"]]


@given(partitions())
def test_the_notation_is_read_back(entities):
    partition = Partition(entities)
    assert Partition.parse(str(partition)) == partition
    assert repr(partition) == f"Partition('{partition}')"


@given(partitions())
def test_labels_make_the_same_partition(entities):
    labels = {mention: min(entity) for entity in entities for mention in entity}
    assert Partition.from_labels(labels) == Partition(entities)


@given(links())
def test_links_make_the_connected_components(edges):
    assert as_sets(Partition.from_links(edges)) == oracle.components(edges)


@given(links())
def test_a_mention_without_links_becomes_a_singleton(edges):
    alone = {m for m in "abcdefg" if not any(m in edge for edge in edges)}
    expected = oracle.components(edges) | {frozenset({m}) for m in alone}
    assert as_sets(Partition.from_links(edges, mentions="abcdefg")) == expected


def test_without_singletons():
    assert as_sets(Partition.parse("{a} {b c} {d}").without_singletons()) == {frozenset("bc")}
    assert len(Partition.parse("{a}").without_singletons()) == 0


def test_mentions_may_be_anything_hashable():
    spans = [[(0, 2), (5, 5)], [("p", 7)], [F(1, 2), 3.5]]
    assert as_sets(Partition(spans)) == set(map(frozenset, spans))


def test_entities_may_be_any_collections_and_iterators():
    entities = iter([["a", "b"], iter("cd"), {"e", "f"}, ("g",)])
    assert Partition(entities) == Partition.parse("{a, b} {c d} {e f} {g}")


@pytest.mark.parametrize(
    ("repeated", "entities", "expected"),
    [
        ("first", [["a", "b"], ["b", "c"]], "{a b} {c}"),
        ("first", [["a", "b"], ["b"], ["b", "c"]], "{a b} {c}"),
        ("first", [["a", "a"]], "{a}"),
        ("merge", [["a", "b"], ["b", "c"], ["d"]], "{a b c} {d}"),
        ("merge", [["a", "b"], ["c", "d"], ["d", "a"]], "{a b c d}"),
        ("merge", [["a", "a"]], "{a}"),
        ("error", [["a"], ["b"]], "{a} {b}"),
    ],
)
def test_repeated_mentions(repeated, entities, expected):
    partition = Partition(entities, repeated=repeated)
    assert partition == Partition.parse(expected)
    assert partition.sizes == [len(entity) for entity in partition]


@pytest.mark.parametrize(
    ("entities", "words"),
    [
        (
            [["a", "b"], ["c"], ["b"]],
            ["'b'", "in entity 1 and again in entity 3", "first", "merge"],
        ),
        ([["c"], ["a", "a"]], ["'a'", "in entity 2 and again in entity 2"]),
        ([[(3, 5)], [(3, 5)]], ["(3, 5)", "in entity 1 and again in entity 2"]),
        ([["a"], []], ["entity 2 is empty"]),
        (["ab"], ["lists of mentions", "'ab'"]),
        ([["a"], 7], ["lists of mentions", "7"]),
        (7, ["lists of mentions", "7"]),
        ([["a"], [[["b"]]]], ["entity 2", "[['b']]"]),
    ],
)
def test_what_is_no_partition(entities, words):
    with says(*words):
        Partition(entities)


@pytest.mark.parametrize("text", ["a b", "{a b", "{a} b}", "{a} {", "{a {b}}"])
def test_what_is_no_notation(text):
    with says("cannot read", text):
        Partition.parse(text)


def test_an_empty_entity_in_the_notation():
    with says("entity 2 is empty"):
        Partition.parse("{a} {}")


@pytest.mark.parametrize("links", [["AB"], [["A"]], [["A", "B", "C"]], [7]])
def test_what_is_no_pair(links):
    for call in (Partition.from_links, lambda links: link_score(links, "A-B")):
        with says("expected", "of mentions", f"got {links[0]!r}"):
            call(links)


@pytest.mark.parametrize("text", ["A", "A-", "-B", "A-B-C", "A-B C"])
def test_what_is_no_link(text):
    with says("cannot read", text, "expected A-B B-C, found"):
        Partition.from_links(text)


# ---------------------------------------------------------------------------- Contingency


@given(pairs())
def test_the_table_counts_what_overlaps(pair):
    key, response = pair
    t = Contingency.of(Partition(key), Partition(response))
    assert t.pairs == {
        (i, j): len(k & r) for i, k in enumerate(key) for j, r in enumerate(response) if k & r
    }
    assert list(t.key_sizes) == [*map(len, key)]
    assert list(t.response_sizes) == [*map(len, response)]
    assert (t.key_mentions, t.key_entities) == (len(oracle.mentions_of(key)), len(key))


@given(pairs())
def test_the_transpose_is_the_exchanged_pairs_table(pair):
    key, response = map(Partition, pair)
    t, exchanged = Contingency.of(key, response), Contingency.of(response, key)
    assert t.T.T is t
    assert t.T is t.T
    assert t.T.pairs == exchanged.pairs
    assert (t.T.key_sizes, t.T.response_sizes) == (exchanged.key_sizes, exchanged.response_sizes)


def test_sums_call_a_function_once_per_triple():
    calls = []
    t = Contingency.of(Partition.parse("{a b} {c d} {e f}"), Partition.parse("{a b} {c d} {e x}"))
    assert t.sum(lambda n, k, r: calls.append((n, k, r)) or n) == 5
    assert sorted(calls) == [(1, 2, 2), (2, 2, 2)]


# ------------------------------------------------------------------- Conventions and counts


def test_the_defaults_are_the_first_choices():
    first = {name: next(iter(choices)) for name, choices in (CHOICES | OF_FILES).items()}
    assert Conventions() == Conventions(**first)
    assert str(Conventions()) == (
        "average=sum match=exact missing=error offsets=found pairs=found "
        "repeated=error singletons=keep twinless=keep zero=zero "
        "zero_match=dependent"
    )


def test_conventions_are_values():
    assert Conventions(zero="one") == Conventions(zero="one") != Conventions()
    with pytest.raises(AttributeError):
        Conventions().zero = "one"
    with pytest.raises(TypeError):
        Conventions("first")


@pytest.mark.parametrize("name", CHOICES | OF_FILES)
def test_a_choice_that_does_not_exist(name):
    with says(name, "'neither'", *(CHOICES | OF_FILES)[name]):
        metric("muc", **{name: "neither"})
    with says(name, "'neither'"):
        evaluate({}, {}, **{name: "neither"})
    with says(name, "'neither'"):
        Conventions(**{name: "neither"})


def test_a_convention_that_does_not_exist():
    with says("'nil'", "repeated", "singletons", "zero"):
        metric("muc", nil="zero")
    with says("'nil'"):
        evaluate({}, {}, nil="zero")


def test_a_score_prints_what_it_has():
    assert repr(metric("muc")("{a b c}", "{a b}")) == "recall 1/2, precision 1, f1 2/3"
    assert repr(Score(None, None, None, F(-1, 3), Tally(0, 0))) == "value -1/3"
    assert str(Tally(3, 6)) == "3/6"


# -------------------------------------------------------------------------------- metric


def test_a_measure_that_does_not_exist():
    with says("'muk'", "muc"):
        metric("muk")
    with says("'ceaf'", "ceafm"):
        metric("ceaf")
    with says("'nonsense'", *MEASURES):
        metric("nonsense")
    with says("'muk'", "muc"):
        evaluate({}, {}, ["mentions", "muk"])


def test_an_error_names_the_side():
    with says("key", "'a'", "in entity 1 and again in entity 2"):
        metric("muc")([["a"], ["a", "b"]], "{a}")
    with says("response", "entity 1 is empty"):
        metric("muc")("{a}", [[]])


def test_metrics_know_what_they_are():
    chosen = metric("muc", zero="one")
    assert (chosen.measure.name, chosen.conventions) == ("muc", Conventions(zero="one"))
    assert chosen == metric("muc", zero="one") != metric("muc")


def test_suites():
    assert names_of("all") == list(MEASURES)
    assert names_of("standard") == list(SUITES["standard"])
    assert names_of(iter(["muc", "mentions"])) == ["muc", "mentions"]
    assert all(m.name == name and m.title and m.cite for name, m in MEASURES.items())


# ------------------------------------------------------------------------------ evaluate

CORPUS = (
    {"one": "{a b} {c d} {e}", "two": "{a b c d}"},
    {"two": "{a b c d}", "one": "{a b c} {d x}"},
)


def test_a_total_is_no_score_of_one_table():
    # BLANC by hand. Each document has one link of C in the key: found in d1, not in d2.
    # N is empty in both keys, so it is dropped: C alone, recall 1/2, precision 1/1.
    key = {"d1": "{a b}", "d2": "{a b}"}
    response = {"d1": "{a b}", "d2": "{a} {b}"}
    blanc = evaluate(key, response, "blanc")
    assert blanc.total["blanc"].exact[:3] == (F(1, 2), 1, F(2, 3))
    # In one table the key has 4 links of N, all found, the response 5.
    pooled = metric("blanc")("{a b} {c d}", "{a b} {c} {d}")
    assert pooled.exact[:3] == (F(3, 4), F(9, 10), (F(2, 3) + F(8, 9)) / 2)


@every_row("name", MEASURES)
def test_a_table_of_documents_has_the_total(name):
    key, response = CORPUS
    tables = [Contingency.of(*map(Partition.parse, (key[d], response[d]))) for d in key]
    total = evaluate(*CORPUS, name).total[name]
    assert metric(name)(Contingency.union(tables)) == total


def test_documents_keep_the_order_of_the_key():
    assert list(evaluate(*CORPUS).documents) == ["one", "two"]


def test_the_signature_has_all_that_changes_a_number():
    report = evaluate(*CORPUS, zero="one", singletons="drop")
    assert report.signature == (
        f"corefeval={corefeval.__version__} metrics=mentions,muc,b3,ceafm,ceafe,blanc,lea,conll "
        "documents=2 average=sum match=exact missing=error offsets=found "
        "pairs=found repeated=error singletons=drop twinless=keep zero=one zero_match=dependent"
    )
    assert report.short_signature == (
        f"corefeval={corefeval.__version__} metrics=mentions,muc,b3,ceafm,ceafe,blanc,lea,conll "
        "documents=2 singletons=drop zero=one"
    )


def test_reports_print_as_the_command_prints_them():
    assert str(evaluate(*CORPUS, "muc")).splitlines() == [
        "measure  recall  precision     F1",
        "muc       80.00      66.67  72.73",
        "",
        f"corefeval={corefeval.__version__} metrics=muc documents=2 defaults",
    ]


def test_reports_and_tables_can_go_between_processes():
    report = evaluate({1: "{a b c}", 2: "{d e}"}, {1: "{a b} {x}", 2: "{d} {e}"}, "all")
    total, documents = report.total, report.documents
    again = pickle.loads(pickle.dumps(report))
    assert again.total == total and again.documents == documents
    table = from_labels([1, 1, 2], [1, 2, 2])
    score = metric("ceafe")(table)
    assert pickle.loads(pickle.dumps(score)) == score
    assert metric("ceafe")(pickle.loads(pickle.dumps(table))) == score


# ------------------------------------------------------------------------------ the face


def test_completion_shows_the_public_names_alone():
    assert dir(corefeval) == sorted([*corefeval.__all__, "__version__"])
    assert all(getattr(corefeval, name) for name in corefeval.__all__)


def test_the_package_says_where_everything_is():
    named = set(re.findall(r"`(\w+)`", corefeval.__doc__))
    assert named == {*corefeval.__all__}
