"""The oracle against what the papers and the reference scorer print."""

from fractions import Fraction as F
from pathlib import Path

import oracle
import pytest
from corefbook import ledger
from hypothesis import Phase, find, given, settings
from rows import every_row
from strategies import all_keys, all_pairs, all_partitions, pairs, read


def scores(name: str, key: str, response: str, zero: int = 0) -> tuple:
    return oracle.score(name, read(key), read(response), zero)[:3]


TOLERANCE = {
    "reference_scorer": 1e-4,  # of its own suite
    "reference_scorer_lea": 1e-4,
    "luo2005": 0.0005,
    "recasens2010": 0.00005,
}


def printed_by(paper: str) -> list[tuple]:
    """The example, the measure and what is printed: F1, or recall, precision and F1."""
    return [
        (group["example"], row["measure"].removesuffix(".f1"), row["printed"])
        for group in ledger.load(paper).content["figures"]
        for row in group["rows"]
        if row["printed"] != "no score"
    ]


def number(text: str) -> float:
    """``"0.947"``, ``"94.7%"`` or ``"(7/3)/6"``"""
    return float(eval(text.removesuffix("%"))) / (100 if text.endswith("%") else 1)


@every_row("paper, example, name, printed", [(p, *row) for p in TOLERANCE for row in printed_by(p)])
def test_what_scorers_and_papers_print(paper, example, name, printed):
    if (paper, name) == ("recasens2010", "ceafm"):
        return  # 64 entities have too many alignments to try
    sides = ledger.load(paper).examples[example].given
    recall, precision, f1 = scores(name, sides["key"], sides["response"])
    if isinstance(printed, str):
        assert float(f1) == pytest.approx(number(printed), abs=TOLERANCE[paper])
    else:
        expected = [*map(number, printed)]
        computed = [float(part) for part in (recall, precision, f1)]
        assert computed == pytest.approx(expected, abs=TOLERANCE[paper])


def test_the_reference_scorer_cases_are_all_there():
    rows = printed_by("reference_scorer") + printed_by("reference_scorer_lea")
    examples, names, _ = zip(*rows, strict=True)
    assert len({*examples}) == 33
    assert {*names} == {"muc", "b3", "ceafm", "ceafe", "blanc", "lea"}


WALK_KEY, WALK_RESPONSE = "{a b c} {d e f g}", "{a b} {c d} {f g h i}"
GUIDE_KEY = "{1 2} {3 4 5} {6 7 8 9 10 11 12} {13 14 15 16 17}"
GUIDE_RESPONSE = "{1 2 6 7 8 9 10} {3 4 5 11 12 13 14 15 16} {17}"


def test_the_link_sets_that_pradhan_2014_lists():
    key, response = read(WALK_KEY), read(WALK_RESPONSE)

    def links(text: str) -> set[frozenset]:
        return set(map(frozenset, text.split()))

    assert oracle.coreference_links(key) == links("ab ac bc de df dg ef eg fg")
    assert oracle.other_links(key) == links("ad ae af ag bd be bf bg cd ce cf cg")
    assert oracle.coreference_links(response) == links("ab cd fg fh fi gh gi hi")
    assert oracle.other_links(response) == links(
        "ac ad af ag ah ai bc bd bf bg bh bi cf cg ch ci df dg dh di"
    )
    assert oracle.link_sets(key, response) == (2, 9, 8, 8, 12, 20)
    # F_c = 4/17 and F_n = 1/2 before they are rounded.
    assert scores("blanc", WALK_KEY, WALK_RESPONSE)[2] == (F(4, 17) + F(1, 2)) / 2


POPESCU_BELIS = [
    (group["example"], *row["measure"].split("."), float(row["printed"]))
    for group in ledger.load("popescubelis").content["figures"]
    if group["place"] in ("Table 3", "Table 4")
    for row in group["rows"]
]
"""Rows 1 to 3, in percent: recall and precision of Table 3, f-measure and κ of Table 4, DMT."""


@every_row("example, name, part, percent", POPESCU_BELIS)
def test_popescu_belis_tables_3_and_4(example, name, part, percent):
    sides = ledger.load("popescubelis").content["examples"][example]
    # The two readings of the algorithm of XC agree here.
    for each in ("xc", "xc_free") if name == "xc" else (name,):
        score = oracle.score(each, read(sides["key"]), read(sides["response"]), zero=1)
        assert float(100 * getattr(score, part)) == pytest.approx(percent, abs=0.5)


def test_the_cells_of_tables_3_and_4_are_all_there():
    measures = [f"{name}.{part}" for _, name, part, _ in POPESCU_BELIS]
    both = [f"{m}.{part}" for m in ("muc", "b3", "c", "xc", "h") for part in oracle.Scores._fields]
    expected = {part for part in both if not part.endswith(".value")} | {"kappa.value", "dmt.value"}
    assert {example for example, *_ in POPESCU_BELIS} == {"sample", "example-2", "example-3"}
    assert sorted(measures) == sorted([*expected] * 3)


def test_the_algorithm_of_exclusive_cores_in_footnote_7():
    key, response = read(GUIDE_KEY), read(GUIDE_RESPONSE)
    for reading in ("core", "free"):
        given = dict(oracle.exclusive_cores(key, response, reading))
        assert given == {key[2]: response[0], key[3]: response[1]}
        assert oracle.xc_reachable(key, response, reading) == {(9, 7)}


def test_def_19_on_sets():
    key, response = oracle.completed(read("{a b} {c}"), read("{b c} {d e}"))
    assert set(key) == set(read("{a b} {c} {d} {e}"))
    assert set(response) == set(read("{a} {b c} {d e}"))


def test_independence_and_certainty_are_exact():
    key = [frozenset({(i, j) for j in range(5)}) for i in range(3)]
    response = [frozenset({(i, j) for i in range(3)}) for j in range(5)]
    assert oracle.score("h", key, response)[:3] == (0, 0, 0)
    assert oracle.score("h", key, [*response[2:], response[0] | response[1]])[:3] == (0, 0, 0)
    parts = [frozenset({mention}) for entity in key for mention in entity]
    recall, precision, *_ = oracle.score("h", key, parts)
    assert precision == 1 and 0 < recall < 1


@pytest.mark.parametrize(
    ("key", "response", "recall", "precision"),
    [
        # Vilain et al. 1995, Table 1: the original scorer agrees with the first three rows ...
        ("A-B B-C C-D", "A-B C-D", F(2, 3), F(1)),
        ("A-B C-D", "A-B B-C C-D", F(1), F(2, 3)),
        ("A-B B-C B-D", "A-B B-C C-D", F(1), F(1)),
        # ... and "does not obtain" 2/3 and 1/2 in the others. By hand: of the key's links only
        # A-B, and none, have both ends connected.
        ("A-B B-C B-D", "A-B C-D", F(1, 3), F(1)),
        ("A-B B-C", "A-C", F(0), F(1)),
    ],
)
def test_link_score(key, response, recall, precision):
    sides = [[tuple(link.split("-")) for link in side.split()] for side in (key, response)]
    assert oracle.link_score(*sides)[:2] == (recall, precision)


def test_the_oracle_owes_nothing_to_the_library():
    for module in ("oracle", "strategies"):
        text = (Path(__file__).parents[1] / f"{module}.py").read_text("utf-8")
        assert "corefeval" not in text


# ---------------------------------------------------------------------- the strategies


def test_all_partitions_are_there():
    # Partitions of subsets of n mentions: the Bell number of n + 1.
    assert [len({*map(frozenset, all_partitions("abcde"[:n]))}) for n in range(6)] == [
        *(1, 2, 5, 15, 52, 203)
    ]
    # Profiles of sizes: the numbers of partitions of 0 … 5, added up.
    assert len(list(all_keys("abcde"))) == 1 + 1 + 2 + 3 + 5 + 7
    # Those of six mentions, none of them left out: 11, and the Bell number of 6.
    shared = all_pairs("abcdef", twinless=False)
    assert len(shared) == 11 * 203
    assert {oracle.mentions_of(side) for pair in shared for side in pair} == {frozenset("abcdef")}


@pytest.mark.parametrize(
    "wanted",
    [
        lambda key, response: oracle.mentions_of(key) - oracle.mentions_of(response),
        lambda key, response: oracle.mentions_of(response) - oracle.mentions_of(key),
        lambda key, response: {e for e in key if len(e) == 1} & {*response},
        lambda key, response: not key and response,
        lambda key, response: key and not response,
        lambda key, response: len(key) > 1 and {*key} == {*response},
        lambda key, response: len(key) > 1 and len(response) == 1 and len(response[0]) == 7,
    ],
)
def test_the_pairs_are_of_every_kind(wanted):
    find(pairs(), lambda pair: wanted(*pair), settings=settings(phases=[Phase.generate]))


@given(pairs())
def test_pairs_are_partitions(pair):
    for entities in pair:
        assert all(entities)
        assert sum(map(len, entities)) == len(oracle.mentions_of(entities))
