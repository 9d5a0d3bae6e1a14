"""What other scorers print, under the choices that `like` names.

The values stand in data/public_scorers, as the scorers gave them. A wrong choice in
corefeval/scorers/scorers.toml, or a convention that has come to mean something else, makes a row
fail; so does an exception that has become equal, which is then no exception any more.
"""

import re
from itertools import chain
from statistics import fmean

import pytest
from case_files import lines_of
from corefbook.ledger import load
from corefbook.studies import scorers
from rows import every_row

from corefeval import CorefError, Scorer, evaluate, from_labels
from corefeval.registry import MEASURES, OF_MENTIONS
from corefeval.scorers.bundles import bundles

DATA = load("public_scorers").content
PAIRS = [(scorer, measure) for scorer in bundles() for measure in scorers.measures_of(scorer)]
NAMES = scorers.inputs()


@every_row("scorer, measure", PAIRS)
def test_our_choices_give_what_the_scorer_prints(scorer, measure):
    excepted, printed = scorers.exceptions(scorer, measure), 0
    for name in NAMES:
        value = scorers.printed(name, measure).get(scorer, "")
        if scorers.numbers(value):
            printed += 1
            mine = scorers.ours(scorer, name, measure)
            assert scorers.agrees(value, mine) == (name not in excepted), (name, value, mine)
    found = scorers.given_by_choices(scorer, measure)
    assert not found.counterexample and found.cases == printed - len(excepted)
    assert printed >= 8


def test_an_exception_is_of_a_printed_value():
    for each in DATA["exceptions"]:
        for scorer in each["scorers"].split():
            of = each.get("measures", "").split()
            assert {*of} - {*MEASURES} == set()
            for measure in [m for m in bundles()[scorer].measures if not of or m in of]:
                for name in each["inputs"].split():
                    value = scorers.printed(name, measure).get(scorer, "")
                    assert scorers.numbers(value), (scorer, measure, name)


def test_every_scorer_has_values_or_words_everywhere():
    measures = {measure for name in NAMES for measure in scorers._values()[name]}
    for measure in measures:
        answered = [set(scorers.printed(name, measure)) for name in NAMES]
        assert answered.count(answered[0]) == len(NAMES), measure
    assert {p for name in NAMES for m in measures for p in scorers.printed(name, m)} == {
        *DATA["scorers"]
    }


def test_every_scorer_has_choices_or_a_reason():
    assert {*bundles()} == {*DATA["scorers"]}
    for scorer, bundle in bundles().items():
        if not bundle.measures:
            with pytest.raises(CorefError) as error:
                evaluate({"d": "{a b}"}, {"d": "{a b}"}, like=scorer)
            assert bundle.not_reproduced in str(error.value)


def test_every_measure_is_there_or_left_out():
    left_out = {each["place"] for each in DATA["left_out"]}
    for scorer, bundle in bundles().items():
        printed = {m for name in NAMES for m in scorers._values()[name] if scorer in
                   scorers.printed(name, m)}  # fmt: skip
        # The inputs are lists, which have neither words nor zeros.
        of_lists = {*bundle.measures} - {*OF_MENTIONS}
        assert printed == of_lists or scorer in left_out, scorer


def test_a_fact_names_scorer_and_input():
    for fact in DATA["facts"]:
        assert {*fact["scorers"].split()} <= {*DATA["scorers"]}
        assert fact.get("shown", "pradhan") in NAMES
        assert fact["known"].startswith(("ran", "read, not run"))
        assert fact["where"] and fact["says"].endswith(".")


def values_of(fact):
    """All that the scorers of a fact print for the input that it names, and CoNLL scores of it."""
    name = fact["shown"]
    for scorer in fact["scorers"].split():
        found = {
            measure: scorers.numbers(scorers.printed(name, measure).get(scorer, ""))
            for measure in scorers._values()[name]
        }
        yield from chain.from_iterable(filter(None, found.values()))
        of_conll = [found[name] for name in ("muc", "b3", "ceafe") if found.get(name)]
        if len(of_conll) == 3:
            yield fmean(f1 for *_, f1 in of_conll)


@every_row("fact", [fact for fact in DATA["facts"] if "shown" in fact])
def test_the_scores_of_a_fact_were_printed(fact):
    scores = re.findall(r"(?<![\d.])0\.\d+|\d\d\.\d\d", fact["says"])
    values = [value for value in values_of(fact) if isinstance(value, float)]
    for score in scores:
        assert any(abs(float(score) - x) < 0.005 for v in values for x in (v, 100 * v)), score


@pytest.mark.parametrize(
    ("scorer", "name", "measure", "value"),
    [
        # A changed digit, a changed order of recall and precision, a value of another scorer.
        ("e2e", "perfect-singletons", "ceafe", "0.3334 1.0000 0.5000"),
        ("e2e", "perfect-singletons", "ceafe", "1.0000 0.3333 0.5000"),
        ("reference", "perfect-singletons", "ceafe", "0.3333 1.0000 0.5000"),
        ("e2e", "perfect-singletons", "ceafe", "0.3332 1.0000 0.5000"),
    ],
)
def test_a_value_not_printed_does_not_agree(scorer, name, measure, value):
    assert not scorers.agrees(value, scorers.ours(scorer, name, measure))


def test_values_cut_and_values_rounded_agree():
    score = scorers.ours("reference", "micro-macro", "muc")  # precision 6/7, in full 0.857142…
    assert scorers.agrees("0.7500 1.0000 0.8571", score)
    assert not scorers.agrees("0.7500 1.0000 0.8573", score)


# Single values

GIVEN, NOT_GIVEN = (
    [(*re.fullmatch(r"(\w+) (\w+): (.*) \|(.*)", case).groups(), v) for case, v in lines_of(name)]
    for name in ("scorers/like", "scorers/not_reproduced")
)


def of_one_document(scorer, measure, key, response, folder):
    """The score of entities in braces by a scorer's choices; in CorefUD files for its scorers."""
    sides = [scorers._entities({"d": text}) for text in (key, response)]
    if "match" in bundles()[scorer].conventions:
        texts, sides = map(scorers._corefud, sides), [folder / "key", folder / "response"]
        for path, text in zip(sides, texts, strict=True):
            path.write_text(text, encoding="utf-8")
    return evaluate(*sides, measure, like=scorer).total[measure]


@every_row("scorer, measure, key, response, value", GIVEN)
def test_a_small_value_is_given(scorer, measure, key, response, value, tmp_path):
    score = of_one_document(scorer, measure, key, response, tmp_path)
    assert scorers.agrees(value, score), score


@every_row("scorer, measure, key, response, value", NOT_GIVEN)
def test_what_is_not_reproduced_is_another_value(scorer, measure, key, response, value, tmp_path):
    score = of_one_document(scorer, measure, key, response, tmp_path)
    assert not scorers.agrees(value, score), score
    said = bundles()[scorer].not_reproduced
    if other := re.match(r"as (\w+)", said):
        said += bundles()[other[1]].not_reproduced
    assert MEASURES[measure].title.lower() in said.lower()


@pytest.mark.parametrize("scorer", ["coval", "coval_no_singletons", "coval_fork"])
def test_a_document_the_key_lacks_is_left_out(scorer):
    # Printed: 1.0000 1.0000 1.0000, with the other document first and last.
    key, more = {"d": "{a b} {c d}"}, {"e": "{a b}"}
    for response in (key | more, more | key):
        assert evaluate(key, response, "muc", like=scorer).total["muc"].exact.f1 == 1
    with pytest.raises(CorefError, match="document 'e' is not in the response"):
        evaluate(key | more, key, "muc", like=scorer)  # it stops, with a KeyError


FORMS = {
    "k.conll": "#begin document (d)\nw\t(1)\nx\t(1)\n#end document\n",
    "r.conll": "#begin document d\nw\t(1)\nx\t(1)\n#end document\n",
    "k.jsonl": '{"doc_key": "d", "clusters": [[[0, 0], [1, 1]]]}',
    "r.jsonl": '{"doc_key": "d", "clusters": [[[0, 0], [1, 1]], [[1, 1]]]}',
}


@pytest.mark.parametrize(
    ("key", "response", "scorer"),
    [("k.conll", "r.conll", "reference"), ("k.jsonl", "r.jsonl", "ua1")],
)
def test_a_score_that_is_not_known_is_none(key, response, scorer, tmp_path):
    for name, text in FORMS.items():
        (tmp_path / name).write_text(text)
    key, response = (str(tmp_path / name) for name in (key, response))
    with pytest.raises(CorefError, match=re.escape(f"{response}, line 1")):
        evaluate(key, response, "muc", like=scorer)
    assert evaluate(key, key, "muc", like=scorer)["muc"].exact.f1 == 1


def test_a_table_is_scored_by_anothers_rules():
    table = from_labels([1, 1, 2, 3], [5, 5, 6, None], ["p", "p", "q", "q"])
    scorer = Scorer("ceafe", like="e2e")
    scorer.update(table)
    assert scorer.compute()["ceafe"] == evaluate(table, metrics="ceafe", like="e2e")["ceafe"]


MAY_MEAN_SEVERAL = {
    "perl": ["reference", "8.01", "perl_v8", "perl_v7"],
    "scorer.pl": ["reference", "8.01"],
    "CoNLL": ["reference", "perl_v8"],
    "official": ["reference", "corefud_official"],
    "corefud": ["corefud_official", "corefud_head"],
}


@pytest.mark.parametrize("name", MAY_MEAN_SEVERAL)
def test_a_name_of_several_scorers_is_refused(name):
    with pytest.raises(CorefError) as refused:
        evaluate({"d": "{a b}"}, {"d": "{a b}"}, like=name)
    told = str(refused.value)
    assert all(part in told for part in [repr(name), "type ", *MAY_MEAN_SEVERAL[name]]), told
    # A name after "type" is one that is taken.
    assert bundles()[next(each for each in MAY_MEAN_SEVERAL[name] if each in bundles())].measures


def test_what_differs_is_all_of_its_choices():
    for bundle in bundles().values():
        told = bundle.otherwise
        assert ("\n" not in told) and bool(told) == bool(bundle.measures), bundle.name
        for chosen in (bundle.conventions, *bundle.measures.values()):
            for choice in chosen.items():
                assert "=".join(choice) in told, bundle.name
    assert "b3,lea: singletons=drop" in bundles()["e2e"].otherwise
