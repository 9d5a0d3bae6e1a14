"""Popescu-Belis: what the rows of the ledger alone do not prove."""

import random
import re
from fractions import Fraction

import figures
import pytest
from corefbook import ledger
from corefbook.enumeration import up_to, with_twinless
from corefbook.ledger import Bounds, Example, matches
from corefbook.papers import counted
from corefbook.papers.popescubelis import cells, claims, coherence, sample, texts
from corefbook.papers.popescubelis.exclusive import reachable
from corefbook.papers.popescubelis.propositions import full_score, recall, score
from hypothesis import given, settings
from hypothesis import strategies as st

from corefeval import metric
from corefeval.overlap.contingency import Contingency
from corefeval.overlap.partition import Partition

PAPER = ledger.load("popescubelis")


# ------------------------------------------------------------------------------------ the tables


FROM_CELLS = [
    ("Table 5", "VA", "res_of_kind Pronoun REs", "103", "total_mentions"),
    ("Table 5", "VA", "key_classes", "373", "coreference_rate"),
    ("section 5.1, the MUC-6 text", "", "pronouns_allowed", "51", "other_res"),
    ("Table 4", "sample", "c.f1", "82%", "constant_relations"),
    ("Table 4", "sample", "kappa.value", "62%", "constantly_lowest"),
]


@pytest.mark.parametrize(("table", "example", "quantity", "other", "measure"), FROM_CELLS)
def test_figures_from_cells_fail_with_other_cells(
    monkeypatch, table, example, quantity, other, measure
):
    places = {row.place for row in ledger.rows("popescubelis") if row.measure == measure}

    def verdicts():
        rows = [row for row in PAPER.rows(places=(*places,)) if row.measure == measure]
        return {row.verdict for row in rows}

    assert verdicts() == {"reproduced"}
    changed = {**cells.all_cells(), (table, example, quantity): other}
    assert changed != cells.all_cells()
    monkeypatch.setattr(cells, "all_cells", lambda: changed)
    assert "failed" in verdicts()


def test_the_ledger_says_what_chose_the_reading():
    (xrs,) = [
        row
        for row in ledger.rows("popescubelis_lost")
        if (row.place, row.measure) == ("Table 3, row 6", "XRS")
    ]
    assert "1,543 profiles give every cell of rows 4 to 6 but this one" in xrs.note
    assert "has its tie fall to the pronouns' class" in xrs.note


# ------------------------------------------------------------------------ soundness of intervals

MOST = 40
labels = st.integers(1, MOST).flatmap(
    lambda n: st.tuples(*(st.lists(st.integers(0, 12), min_size=n, max_size=n) for _ in "kr"))
)


class Case:
    """A key and a response, and what the paper calls by a letter."""

    def __init__(self, t):
        self.t = t
        self.e, self.pk, self.pr = t.key_mentions, t.key_entities, t.T.key_entities

    def r(self, measure):
        return full_score(measure, self.t).exact.recall

    def p(self, measure):
        return full_score(measure, self.t).exact.precision

    def f(self, measure):
        return score(measure, self.t)


def pair(key, response):
    sides = (Partition.from_labels(dict(enumerate(side))) for side in (key, response))
    return Case(Contingency.of(*sides))


def in_percent(value):
    """As a table prints it, rounded to whole percent."""
    return f"{round(100 * Fraction(value))}%"


def within(value, interval):
    slack = 1e-12 if isinstance(value, float) else 0
    return interval.low - slack <= value <= interval.high + slack


@settings(max_examples=150, deadline=None)
@given(labels)
def test_intervals_contain_what_was_rounded(sides):
    x = pair(*sides)
    for measure in ("muc", "b3", "c", "xc", "h"):
        rounded = [cells.share(in_percent(part)) for part in (x.r(measure), x.p(measure))]
        assert within(x.f(measure), texts.f_between(*rounded)), measure
    rounded = [cells.share(in_percent(part)) for part in (x.r("muc"), x.p("muc"))]
    assert within(x.f("kappa"), texts.kappa_between(x.e, x.pk, *rounded))
    agreements = list(texts.agreements(x.e, x.pk, *rounded))
    assert claims.agreement(x.t) in agreements
    assert x.pr in {x.e - counts.both - counts.response_only for counts in agreements}


def test_intervals_of_exact_scores_are_points():
    third, half = (Bounds(Fraction(1, n), Fraction(1, n)) for n in (3, 2))
    assert texts.f_between(third, half) == (Fraction(2, 5), Fraction(2, 5))
    # a = 1 of 3 and of 2 links, among 5 REs: κ of b = 1, c = 2, d = 0.
    assert texts.kappa_between(5, 2, third, half) == (Fraction(-1, 2), Fraction(-1, 2))


def as_cells(x, name="VA"):
    """What the tables would print of a key and a response."""
    printed = {
        ("Table 5", name, "total_mentions"): str(x.e),
        ("Table 5", name, "key_classes"): str(x.pk),
    }
    for measure in ("muc", "b3", "c", "xc"):
        for part, value in (("recall", x.r(measure)), ("precision", x.p(measure))):
            printed["Table 6", name, f"{measure}_interval {part}"] = in_percent(value)
        printed["Table 7", name, f"f_interval {measure}"] = in_percent(x.f(measure))
    printed["Table 6", name, "dmt_interval"] = in_percent(x.f("dmt"))
    printed["Table 7", name, "kappa_interval"] = in_percent(x.f("kappa"))
    return printed


@settings(max_examples=100, deadline=None)
@given(labels)
def test_intervals_of_table_6_hold_every_pair(sides):
    x = pair(*sides)
    if x.e == 1:
        return
    example, printed = Example("VA", {}), as_cells(x)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cells, "all_cells", lambda: printed)
        for measure in ("muc", "b3", "c", "xc"):
            for part, value in (("recall", x.r(measure)), ("precision", x.p(measure))):
                interval = getattr(texts, f"{measure}_interval")(example, part)
                assert within(value, interval), (measure, part, interval)
        assert within(x.f("dmt"), texts.dmt_interval(example))


IMPOSSIBLE = {
    "b3_interval recall": "50%",  # below PROP.6
    "c_interval recall": "75%",  # above MRS
    "xc_interval recall": "85%",  # above XPS, and above the REs in cores
    "dmt_interval": "99%",
    "muc_interval recall": "75%",  # not with MUC and κ of Table 7
}


@pytest.mark.parametrize("quantity", IMPOSSIBLE)
def test_an_impossible_cell_of_table_6_fails(quantity):
    measure, _, part = quantity.partition(" ")
    figure = {"chapter": "", "place": "Table 6", "example": "VA", "unit": "%"}
    figure |= {"measure": measure, "with": {"part": part} if part else {}}
    for printed, verdict in (
        (cells.cell("Table 6", "VA", quantity), "consistent"),
        (IMPOSSIBLE[quantity], "failed"),
    ):
        assert figures.row(PAPER, figure | {"printed": printed.rstrip("%")}).verdict == verdict


def test_classes_of_table_7_are_among_table_6():
    for text in ("VA", "LPG.eq", "LPG"):
        wide, narrow = (texts.response_classes(PAPER.examples[text], t) for t in (False, True))
        assert wide.low <= narrow.low <= narrow.high <= wide.high


# ------------------------------------------------------------------------------- the sample text


def test_a_double_error_wants_two_acts_before():
    assert sample.errors_of("1a 1a") == sample.errors_of("1a") == "none"
    assert not sample.no_double_error(2).counterexample
    assert sample.no_double_error(1).counterexample and sample.no_double_error(3).counterexample


def test_projections_are_those_of_the_overlap_table():
    random.seed(4)
    for _ in range(100):
        key, response = (
            Partition.from_labels({str(m): random.randrange(4) for m in range(9)}) for _ in "kr"
        )
        example = Example("", {"key": str(key), "response": str(response)})
        t = Contingency.of(example.key, example.response)
        for (i, j), n in t.pairs.items():
            assert len(sample.across(example, f"K{i + 1}")[f"R{j + 1}"]) == n
            assert len(sample.across(example, f"R{j + 1}")[f"K{i + 1}"]) == n
        names = [f"K{i}" for i in range(1, len(example.key) + 1)]
        possible = sum(counted.correct_links(example, name) for name in names)
        by_muc = sum(counted.missing_links(example, name) for name in names)
        by_cores = sum(sample.core_errors(example, name) for name in names)
        for measure, wrong in (("muc", by_muc), ("c", by_cores)):
            hits = metric(measure)(example.key, example.response).counts.recall.hits
            assert possible - wrong == hits == possible - sample.errors(example, measure)
        given = sample.exclusive_cores(example)
        taken = [(k, r) for k, r in given.items() if r != "∅"]
        correct = sum(len(sample.across(example, k)[r]) for k, r in taken)
        incorrect = sum(counted.size(example, r) for _, r in taken) - correct
        assert (correct, incorrect) in reachable(t, "core")


def test_the_largest_distance_is_the_normaliser_of_dmt():
    for mentions in range(1, 11):
        distance, one, singletons = sample.extremes(mentions)
        assert distance == 2 * (mentions - 1)
        if mentions > 1:
            assert (one, singletons) == ((mentions,), (1,) * mentions)


def test_no_other_normaliser_fits_either_definition():
    assert sample.class_normalisers() == "1/|P_K| and 1/|P_R|"
    assert sample.distance_normaliser() == "1/(2·(|E| - 1))"
    # Whatever the misread symbol was: 8/N, 16/N and 10/N must give the cells of rows 1 to 3.
    rows = cells.recomputed("Table 3", "dmt.value")
    fitting = [
        [n for n in range(1, 100) if matches(text, 1 - Fraction(sample.distance(example), n))]
        for example, text in rows
    ]
    assert [next(n for n in numbers if n in (32, 18)) for numbers in fitting] == [32, 18, 18]
    for function in (lambda e: e, lambda e: e - 1, lambda e: e + 1, lambda e: 2 * e):
        sizes = (17, 10, 10)
        assert not all(function(e) in numbers for e, numbers in zip(sizes, fitting, strict=True))


def test_the_formulas_determine_letters_of_table_2():
    example = PAPER.examples["sample"]
    letters = sample.letters(example)
    assert letters == dict(zip("abcd", sample.CELLS, strict=True))
    # With the bottom row as printed, DEF.7 would not give the printed κ either.
    a, b, c, d = 11, 3, 0, 2
    n = a + b + c + d
    by_chance = Fraction((a + c) * (a + b) + (c + d) * (b + d), n * n)
    assert not matches("-0.18", (Fraction(a + d, n) - by_chance) / (1 - by_chance))


# --------------------------------------------------------------------- claims and their searches


def test_a_search_goes_through_all_pairs_smallest_first():
    tried = [*up_to(claims.MOST)]
    assert len(tried) == 1 + 4 + 10 + 33 + 91 + 298, "as many as Burnside's lemma gives"
    search = claims.everywhere(lambda t: t.key_mentions < 3)
    assert search.counterexample.partition(" | ")[0] in ("{a} {b} {c}", "{a b} {c}", "{a b c}")
    assert claims.everywhere(lambda t: True).cases == len(tried)


def test_every_search_is_in_the_ledger():
    made = {
        name
        for name, function in vars(claims).items()
        if hasattr(function, "__wrapped__") and function.__module__ == claims.__name__
    }
    made |= {*claims.FIGURES}
    helpers = {name for name in made if name.startswith("_")} | {"classes_with_zero"}
    named = (ledger.DATA / "popescubelis.toml").read_text("utf-8")
    assert {name for name in made - helpers if f'"{name}"' not in named} == set()


def test_nothing_occurs_without_a_case():
    assert not claims.somewhere(lambda t: score("b3", t) == 0)
    assert not claims.singletons_matter(["muc"]) and not claims.singletons_matter(["c"])
    assert not claims.singletons_matter(["b3", "muc"])


def test_c_meets_the_criteria_that_muc_meets():
    for name, asks in coherence.CRITERIA.items():
        met = {m: all(asks(m, t) for t in up_to(claims.MOST)) for m in ("muc", "c")}
        assert met["muc"] == met["c"], name
    assert (coherence.no_zero("muc", 5) is None) == (coherence.no_zero("c", 5) is None)


@settings(max_examples=150, deadline=None)
@given(labels)
def test_kappa_is_never_above_muc(sides):
    x = pair(*sides)
    counts = claims.agreement(x.t)
    a, b, c, d = counts.both, counts.response_only, counts.key_only, counts.neither
    assert (b + d, c + d) == (x.pk - 1, x.pr - 1), "what makes the denominator of κ non-negative"
    denominator = (a + b) * (b + d) + (a + c) * (c + d)
    assert x.f("kappa") <= x.f("muc")
    if denominator and 2 * a + b + c:
        difference = Fraction(2 * (b + c) * (a + b) * (a + c), (2 * a + b + c) * denominator)
        assert x.f("muc") - x.f("kappa") == difference
    assert claims.kappa_below_muc()


def test_kappa_is_comparable_with_muc_alone():
    for measure in ("b3", "c", "xc", "h", "dmt"):
        assert score("kappa", claims.HALVES) > score(measure, claims.HALVES)


def test_kappa_needs_fractions_and_mentions():
    for known in (
        lambda t: (recall("muc", t), recall("muc", t.T)),
        lambda t: (t.key_mentions, recall("muc", t), recall("muc", t.T)),
        lambda t: full_score("muc", t).counts,
    ):
        assert claims.same_but_kappa(known) is not None
    assert claims.same_but_kappa(lambda t: (t.key_mentions, full_score("muc", t).counts)) is None


def as_printed(t):
    """DEF.5 to the letter, on the key's own mentions; 0/0 is 1."""
    total = t.key_mentions - t.key_entities
    return Fraction(t.key_mentions - len(t.pairs), total) if total else Fraction(1)


def test_def_5_exceeds_1_outside_its_domain():
    """Which is why the remark on DEF.19 is no misprint: DEF.5 is for one set of mentions."""
    values = {as_printed(t) for t in with_twinless(3)}
    assert max(values) > 1
    assert all(as_printed(t) == recall("muc", t) for t in up_to(5))


def test_the_muc_paper_has_twinless_mentions():
    search = claims.same_mentions_in_the_muc_paper()
    assert search.counterexample and search.cases == len(ledger.load("vilain1995").examples)


def test_notes_of_this_paper_have_no_failed_proof():
    for row in ledger.rows("popescubelis"):
        assert not re.search(r"FAILS|no two cases", row.note)
