"""Documents added one by one score as all at once, and merged scorers as one.

If one of these failed, a number printed in training would not be the one printed in the paper.
"""

from __future__ import annotations

import json
import pickle
import random
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from fractions import Fraction as F
from functools import partial
from itertools import chain
from multiprocessing import get_context
from pathlib import Path

import pytest
from rows import every_row

import corefeval
from corefeval import CorefError, Report, Scorer, evaluate, from_labels
from corefeval.conventions import CHOICES
from corefeval.registry import MEASURES
from corefeval.score import Tally
from corefeval.scorers.bundles import bundles

# Small random documents often share no mention, of which both warn.
pytestmark = pytest.mark.filterwarnings("ignore:.*shares? (no mention|none)")

FEW = ("b3", "blanc", "kappa", "dmt", "conll")
"""A measure of each kind of counts."""
TRIED = pytest.mark.parametrize(
    ("seeds", "measures"),
    [(range(2), FEW), pytest.param(range(6), MEASURES, marks=pytest.mark.proof)],
    ids=["few", "all"],
)


def entities(draw: random.Random, mentions: range, repeats: int) -> list[list[int]]:
    """A random grouping of a random choice of mentions, some of them given again."""
    found: dict[int, list[int]] = {}
    for mention in mentions:
        if draw.random() < 0.8:
            found.setdefault(draw.randrange(4), []).append(mention)
    listed = list(found.values())
    for _ in range(repeats if listed else 0):
        draw.choice(listed).append(draw.choice(mentions))
    return listed


def corpus(seed: int, repeats: int = 0) -> tuple[dict, dict]:
    """A key and a response of up to six documents, some the same on both sides, some empty."""
    draw = random.Random(seed)
    key, response = {}, {}
    for name in [f"d{number}" for number in range(draw.randrange(1, 7))]:
        size, shift = draw.randrange(9), draw.choice([0, 0, 2, 9])
        key[name] = entities(draw, range(size), 0)
        response[name] = entities(draw, range(shift, shift + draw.randrange(9)), repeats)
        if draw.random() < 0.3:
            response[name] = [[*entity] for entity in key[name]]
    return key, response


def one_by_one(key: dict, response: dict, *arguments, **chosen) -> Report:
    scorer = Scorer(*arguments, **chosen)
    for name in key:
        scorer.update(key[name], response[name], name)
    return scorer.compute()


def outcome(score, *arguments, **chosen):
    """The report, or what it was refused for."""
    try:
        return score(*arguments, **chosen)
    except CorefError as error:
        return str(error)


def expect_the_same(sides, measure: str, **chosen) -> None:
    expected = outcome(evaluate, *sides, measure, **chosen)
    total = outcome(lambda: expected.total) if isinstance(expected, Report) else expected
    found = outcome(one_by_one, *sides, measure, **chosen)
    found_total = outcome(lambda: found.total) if isinstance(found, Report) else found
    if isinstance(total, str):
        assert isinstance(found_total, str) and total.split(": ")[-1] in found_total
        return
    assert found_total == total
    assert [each.counts for each in found_total.values()] == [
        each.counts for each in total.values()
    ]
    assert found.signature == expected.signature and str(found) == str(expected)
    assert found.documents == expected.documents and found.counts == expected.counts
    assert not found.with_other_keys(expected)


# The law

CHOSEN = [
    {name: choice}
    for name in ("average", "singletons", "twinless", "zero")
    for choice in CHOICES[name]
] + [
    {"average": "mean", "zero": "same", "singletons": "drop"},
    {"average": "mentions", "twinless": "cai_strube"},
    {"zero": "same", "twinless": "rahman_ng"},
    {"zero": "same", "singletons": "drop_response"},
    {"average": "mean_pr", "zero": "one", "twinless": "complete"},
]


@TRIED
@every_row("chosen", CHOSEN)
def test_one_by_one_scores_as_all_at_once(chosen, seeds, measures):
    for measure in measures:
        for seed in seeds:
            expect_the_same(corpus(seed), measure, **chosen)


@TRIED
@every_row("repeated", CHOICES["repeated"])
@every_row("zero", ["zero", "same"])
def test_with_repeated_mentions(repeated, zero, seeds, measures):
    for measure in measures:
        for seed in seeds:
            sides = corpus(seed, repeats=2)
            expect_the_same(sides, measure, repeated=repeated, zero=zero)


@pytest.mark.parametrize("seeds", [range(1), pytest.param(range(1, 6), marks=pytest.mark.proof)])
@every_row("scorer", [name for name, each in bundles().items() if each.documents != "pooled"])
def test_like_a_scorer(scorer, seeds):
    for measure in ("all", "standard", "conll"):
        for seed in seeds:
            for repeats in (0, 1):
                expect_the_same(corpus(seed, repeats), measure, like=scorer)


def test_the_corpora_have_what_the_law_is_about():
    every = [corpus(seed) for seed in range(6)]
    documents = [(key[name], response[name]) for key, response in every for name in key]
    assert any(key and key == response for key, response in documents)
    assert any(key and not response for key, response in documents)
    assert any(len(entity) == 1 for key, _ in documents for entity in key)
    assert any({*chain(*key)} - {*chain(*response)} for key, response in documents)
    repeating = [corpus(seed, repeats=2)[1] for seed in range(6)]
    listed = [[*chain(*each)] for response in repeating for each in response.values()]
    assert any(len(mentions) > len({*mentions}) for mentions in listed)


def test_repeats_that_stop_a_scorer_are_counted_together():
    key = {n: [[0, 1]] for n in range(4)}
    response = {n: [[0, 1, 0, 1, 0]] for n in range(4)}  # three repeats each; the limit is ten
    with pytest.raises(CorefError, match="more than 10"):
        evaluate(key, response, "muc", like="reference")
    scorer, rest = Scorer("muc", like="reference"), Scorer("muc", like="reference")
    for n in range(3):
        scorer.update(key[n], response[n])
    rest.update(key[3], response[3])
    one_more = key[3], response[3]
    for add in (
        lambda: scorer.update(*one_more),
        lambda: scorer.merge(rest),
        lambda: scorer.update_batch(*([each] for each in one_more)),
    ):
        with pytest.raises(CorefError, match=r"more than 10 .* here 12"):
            add()
    assert len(scorer.compute()) == 3
    rest.merge(scored := Scorer("muc", like="reference"))
    for n in range(2):
        scored.update(key[n], response[n])
    rest.merge(scored)
    with pytest.raises(CorefError, match="here 12"):
        rest.update(*one_more)


def test_no_document_scores_as_nothing():
    for zero in CHOICES["zero"]:
        for average in CHOICES["average"]:
            found = Scorer("all", zero=zero, average=average).compute()
            assert found.total == evaluate({}, {}, "all", zero=zero, average=average).total
            assert len(found) == 0


# Documents and their names


def test_a_refused_document_changes_nothing():
    scorer = Scorer("muc")
    scorer.update("{a b}", "{a b}", "d")
    before = scorer.compute()
    for key, response, name, why in [
        ("{a b}", "{a}", "d", "document 'd' was added before"),
        ([["a", "a"]], "{a}", "e", "document 'e': key: mention 'a'"),
        ("{a}", None, "e", "document 'e': there is no response"),
        ("{a}", "{a}", [], "hashable"),
    ]:
        with pytest.raises(CorefError, match=why):
            scorer.update(key, response, name)
    assert scorer.compute().total == before.total and len(scorer.compute()) == 1
    scorer.update("{a b}", "{a b}", "e")


def test_documents_without_a_name_are_numbered():
    scorer = Scorer("muc")
    scorer.update("{a b}", "{a b}")
    scorer.update("{a b}", "{a b}", 2)
    scorer.update("{a b}", "{a b}")
    scorer.update("{a b}", "{a b}", "x")
    assert list(scorer.compute().documents) == [0, 2, 3, "x"]


# Batches


def test_a_batch_adds_what_its_documents_add():
    key, response = corpus(5)
    names = [None if n % 2 else name for n, name in enumerate(key)]
    for chosen in ({}, {"average": "mean"}, {"like": "e2e"}):
        one, batch = (Scorer(**chosen) for _ in range(2))
        for name, *sides in zip(names, key.values(), response.values(), strict=True):
            one.update(*sides, name)
        for some in (slice(3), slice(3, None)):
            batch.update_batch(*([*side.values()][some] for side in (key, response)), names[some])
        assert batch.compute().total == one.compute().total
        assert batch.compute().signature == one.compute().signature
        assert batch.compute().documents == one.compute().documents
    batch.update_batch(iter(["{a b}"]), iter(["{a}"]))
    assert len(batch.compute()) == len(key) + 1


def test_a_refused_batch_changes_nothing():
    scorer = Scorer("muc")
    scorer.update("{a b}", "{a b}", "d")
    two, clusters = ["{a b}", "{a b}"], [[((1, 2), (4, 4))]]
    for batch, why in [
        ((two, two[:1]), "2 keys, 1 responses"),
        ((two, two, ["e"]), "2 keys, 2 responses and 1 names"),
        ((two, two, ["e", "d"]), "document 'd'"),
        ((two, two, ["e", "e"]), "document 'e'"),
        ((two, ["{a b}", "{a b} {b}"], ["e", "f"]), "document 'f': response: mention 'b'"),
        ((["{a b}", clusters], ["{a b}", clusters]), "document 2: key: "),
        (("{a b}", two), "keys, .*'{a b}'"),
        ((corefeval.Partition("{a b} {c d}"), two), "Partition: use update"),
    ]:
        with pytest.raises(CorefError, match=why):
            scorer.update_batch(*batch)
    assert len(scorer.compute()) == 1
    scorer.update_batch(two, two, ["e", "f"])
    assert len(scorer.compute()) == 3


def test_a_report_stays_and_reset_forgets():
    scorer = Scorer("b3")
    scorer.update("{a b}", "{a} {b}", "d")
    before = scorer.compute()
    scorer.update("{a b}", "{a b}", "e")
    assert len(before) == 1 and before.total["b3"].exact.recall == F(1, 2)
    scorer.reset()
    assert scorer.compute().total == evaluate({}, {}, "b3").total
    scorer.update("{a b}", "{a b}", "d")
    assert scorer.compute().total["b3"].exact.f1 == 1


def test_iterators_are_read_once():
    scorer = Scorer("muc")
    scorer.update(iter([iter("ab")]), (iter(entity) for entity in ["ab"]))
    assert scorer.compute().total["muc"].exact.f1 == 1


# What is refused


@every_row(
    "chosen, why",
    [
        ({"metrics": "muk"}, "did you mean muc"),
        ({"missing": "skip"}, "here both are given"),
        ({"match": "head"}, "reading of files"),
        ({"offsets": "inclusive"}, "reading of files"),
        ({"like": "hf_coval"}, "one document of all"),
        ({"like": "e2e", "zero": "one"}, "fixes zero"),
        ({"zero": "two"}, "not a choice"),
        ({"like": "e2e", "missing": "empty"}, "here both are given"),
    ],
)
def test_refused_conventions(chosen, why):
    with pytest.raises(CorefError, match=why):
        Scorer(**{"metrics": "muc", **chosen})


# Merging


def test_merged_scorers_score_as_one():
    for seed in range(6):
        key, response = corpus(seed)
        names = list(key)
        for chosen in ({}, {"average": "mentions"}, {"zero": "same"}, {"like": "e2e"}):
            parts = [Scorer("standard", **chosen) for _ in range(3)]
            for place, name in enumerate(names):
                parts[place * 3 // len(names)].update(key[name], response[name], name)
            parts[0].merge(parts[1])
            parts[0].merge(parts[2])
            expected = evaluate(key, response, **chosen)
            assert parts[0].compute().total == expected.total
            assert parts[0].compute().signature == expected.signature
            assert not parts[0].compute().with_other_keys(expected)


def test_numbers_go_on_where_scorers_are_merged():
    one, other = Scorer("muc"), Scorer("muc")
    for scorer in (one, other):
        scorer.update("{a b}", "{a b}")
        scorer.update("{a b}", "{a} {b}")
    other.update("{a b}", "{a b}", "named")
    one.merge(other)
    documents = one.compute().documents
    assert [*documents] == [0, 1, 2, 3, "named"]
    assert [each["muc"].exact.f1 for each in documents.values()] == [1, 0, 1, 0, 1]
    another = Scorer("muc")
    another.update("{a b}", "{a b}")
    another.update("{a b}", "{a b}", 5)
    one.merge(another)
    assert [*one.compute().documents] == [0, 1, 2, 3, "named", 6, 5]


def test_what_cannot_be_merged():
    def scorer(metrics="muc", document="d", **chosen):
        made = Scorer(metrics, **chosen)
        made.update("{a b}", "{a b}", document)
        return made

    one = scorer()
    before = one.compute()
    for other, why in [
        (scorer("b3", "e"), "same measures"),
        (scorer("muc", "e", zero="one"), "same measures and conventions"),
        (scorer("muc", "e", like="e2e"), "same measures and conventions"),
        (scorer("muc", "d"), "document 'd'"),
        (before, "expected a Scorer"),
        (one, "merged with itself"),
    ]:
        with pytest.raises(CorefError, match=why):
            one.merge(other)
    assert one.compute().total == before.total and len(one.compute()) == 1


# Processes


def scored(number: int) -> Scorer:
    scorer = Scorer(["muc", "ceafe", "h"])
    key, response = corpus(number)
    for name in key:
        scorer.update(key[name], response[name], f"{number} {name}")
    return scorer


@pytest.mark.parametrize("chosen", [{}, {"average": "mean"}, {"like": "e2e"}])
def test_a_scorer_can_be_pickled(chosen):
    scorer = Scorer("all", **chosen)
    scorer.update("{a b c} {d}", "{a b} {c d}", "d")
    copied = pickle.loads(pickle.dumps(scorer))
    for each in (scorer, copied):
        each.update("{a b}", "{a b}", "e")
    assert copied.compute().total == scorer.compute().total
    report = pickle.loads(pickle.dumps(scorer.compute()))
    assert report.total == scorer.compute().total and str(report) == str(scorer.compute())


def test_scorers_come_back_from_other_processes():
    with get_context("spawn").Pool(2) as pool:
        first, *others = pool.map(scored, range(3))
    for other in others:
        first.merge(other)
    key, response = {}, {}
    for number in range(3):
        for whole, part in zip((key, response), corpus(number), strict=True):
            whole |= {f"{number} {name}": entities for name, entities in part.items()}
    assert first.compute().total == evaluate(key, response, ["muc", "ceafe", "h"]).total


# Warnings, and loops as other libraries have them


def test_the_report_warns_of_sides_that_share_nothing():
    one, other = Scorer("muc"), Scorer("muc")
    one.update([[1, 2]], [["1", "2"]], "d")
    with pytest.warns(UserWarning, match="share no mention"):
        one.compute()
    other.update([[1, 2]], [[1, 2]], "e")
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        other.compute()
        one.merge(other)
        one.compute()
    assert warned == []
    one.update([[1, 2, 3]], [["1", "2", "3"]], "f")
    with pytest.warns(UserWarning, match="share no mention in 1 of 3 .* document 'f'"):
        one.compute()


def test_the_report_warns_of_tables_once():
    """A key that has labels of 2 of 6 mentions, in ten tables; and of 2 that are none of these."""
    scorers = Scorer("muc"), Scorer("muc")
    apart = Scorer("muc")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for document in range(10):
            table = from_labels([1, 1, None, None, None, None], [1, 1, 1, 2, 2, 2])
            scorers[document % 2].update(table, document=document)
            apart.update(from_labels([1, 1, None, None], [None, None, 2, 2]), document=document)
        scorers[0].merge(scorers[1])
    for scorer, said in ((scorers[0], "40 of the response's 60"), (apart, "share no mention")):
        with pytest.warns(UserWarning, match=said) as warned:
            scorer.compute()
        assert len(warned) == 1


def test_like_does_not_warn_of_sharing_nothing(recwarn):
    scorer = Scorer("muc", like="reference")
    scorer.update([[1, 2]], [["1", "2"]], "d")
    assert scorer.compute().total["muc"].exact.f1 == 0 and not recwarn


def test_the_shape_of_torchmetrics_and_of_hugging_face():
    """update, compute and reset; what is logged is a flat dictionary of floats."""
    scorer = corefeval.Scorer(["muc", "conll"])
    logged = []
    for _ in range(2):
        for key, response in [("{a b} {c d}", "{a b c d}"), ("{a b}", "{a b}")]:
            assert scorer.update(key=key, response=response) is None
        logged.append(scorer.compute().to_dict())
        scorer.reset()
    assert logged[0] == logged[1] and json.loads(json.dumps(logged)) == logged
    assert logged[0]["muc_recall"] == 1 and logged[0]["muc_precision"] == 3 / 4
    assert all(type(name) is str and type(part) is float for name, part in logged[0].items())


class Metric:
    """What torchmetrics does with states: `forward` sets those aside that are registered."""

    def add_state(self, name, default, dist_reduce_fx):
        self.name = name
        setattr(self, name, list(default))

    def __call__(self, *batch):
        before = getattr(self, self.name)
        setattr(self, self.name, [])
        self.update(*batch)
        found = self.compute()
        setattr(self, self.name, before + getattr(self, self.name))
        return found


def test_the_metric_of_the_recipes_keeps_every_batch():
    page = Path(__file__).parents[2] / "book/recipes.md"
    names = {"Metric": Metric, "corefeval": corefeval}
    code = page.read_text("utf-8").partition("```python\nclass")[2].partition("```")[0]
    exec(f"class{code}", names)
    coreference = names["Coreference"]()
    coreference(["{a b} {c d}"], ["{a b c d}"])
    assert coreference(["{x y}"], ["{x y}"])["muc_recall"] == 1
    assert coreference.compute()["muc_recall"] == 3 / 4


# Interrupts and threads


def _stopped_at(step, act):
    """Whether an act was stopped at its nth traced line, as by the stop button of a notebook."""
    passed = 0

    def trace(frame, event, _):
        nonlocal passed
        if "corefeval" not in frame.f_code.co_filename:
            return None
        if event == "line":
            passed += 1
            if passed == step:
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


TABLE = from_labels([1, 1, 2], [1, 2, 2])
OTHER = Scorer("muc")
OTHER.update_batch(["{p q}", "{r s}"], ["{p q}", "{r} {s}"], ["p", None])


@pytest.mark.parametrize(
    "act",
    [
        lambda scorer: scorer.update("{x y}", "{x} {y}", "x"),
        lambda scorer: scorer.update(TABLE, document="x"),
        lambda scorer: scorer.update_batch(["{x y}", "{z w}"], ["{x} {y}", "{z w}"], ["x", None]),
        lambda scorer: scorer.merge(OTHER),
    ],
)
def test_an_interrupt_leaves_counts_before_or_after(act):
    def begun():
        scorer = Scorer("muc")
        scorer.update("{a b}", "{a b}")
        return scorer

    whole = begun()
    act(whole)
    after = len(whole.compute()), whole.compute()["muc"]
    step, seen = 0, set()
    stopped = True
    while stopped:
        # Every line of a merge, and one in three of what takes longer.
        step += 1 if step < 60 else 3
        scorer = begun()
        stopped = _stopped_at(step, partial(act, scorer))
        report = scorer.compute()
        found = len(report), report["muc"]
        assert found in ((1, begun().compute()["muc"]), after), step
        seen.add(found)
        # What was not added can be added, and nothing is counted twice.
        if found != after:
            act(scorer)
            assert (len(scorer.compute()), scorer.compute()["muc"]) == after
    assert len(seen) == 2


def test_threads_share_a_scorer():
    """Of 1,600 documents that eight threads add, some with names, none is lost or counted twice."""
    scorer = Scorer("muc")

    def add(number):
        if number % 4 == 0:
            scorer.update_batch(["{a b}"], ["{a b}"])
        else:
            scorer.update("{a b}", "{a b}", f"d{number}" if number % 2 else None)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(add, range(1600)))
    finally:
        sys.setswitchinterval(before)
    assert len(scorer.compute()) == 1600
    assert scorer.compute()["muc"].counts.recall == Tally(1600, 1600)


@pytest.mark.parametrize("lazily", [vars(Report)["total"], vars(Report)["key_digests"]])
def test_a_report_has_no_lock_across_forks(lazily):
    """That of Python 3.11's cached_property is one for the class: there must be none."""
    with getattr(lazily, "lock", nullcontext()), ThreadPoolExecutor(1) as pool:
        report = evaluate({"d": "{a b}"}, {"d": "{a b}"}, "muc")
        assert pool.submit(lambda: lazily.__get__(report)).result(timeout=60)
