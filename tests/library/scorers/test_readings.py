"""Untidy lines that some scorers read by rules of their own: no number stands under their names.

Which scorers print another number was seen by running them: the reference scorer v8.01 (f49f3f8)
and v8 (894871a), and coval (87071a6). If a test failed, `explain` or ``like`` would give a number
that a scorer does not print.
"""

from __future__ import annotations

import json
from fractions import Fraction as F
from random import Random

import pytest
from documents import conll
from rows import every_row
from untidy import TIDY, UNTIDY, changed

from corefeval import CorefError, Partition, evaluate, explain, read
from corefeval.scorers.bundles import bundles
from corefeval.scorers.reading import READERS


@pytest.mark.filterwarnings("ignore:.*scored by position all the same")
@every_row("name", UNTIDY)
def test_an_untidy_file_has_no_such_score(name, files):
    change, line, others = UNTIDY[name]
    paths = files(TIDY, change(TIDY))
    found = explain(*paths, "mentions")
    strange = [each for each in found.strange if (each.file, each.line) == ("response", line)]
    assert strange and not found.reasons["e2e"]
    assert others <= found.unknown.keys()
    for scorer in others:
        with pytest.raises(CorefError) as refused:
            evaluate(*paths, "mentions", like=scorer)
        assert str(strange[0]) in str(refused.value)
    hit = {name for each in found.to_dict()["faults"] for name in each["scorers"]}
    assert {*found.unknown} & hit == {name for name in hit if bundles()[name].measures}


TIDY_TOO = {
    "line ends of Windows": changed("\n", "\r\n"),
    "blanks at the end": changed("\tw\t-\n", "\tw\t- \n"),
    "a hashtag": changed("d\t0\t2\tw", "#tag\t0\t2\tw"),
    "a blank behind the tab": changed("\tw\t(1)", "\tw\t (1)"),
}


@pytest.mark.filterwarnings("ignore:.*scored by position all the same")
@every_row("name", ["as it is", *TIDY_TOO])
def test_a_tidy_file_has_nothing_strange(name, files):
    change = TIDY_TOO.get(name, str)
    found = explain(*files(TIDY, change(TIDY)), "mentions")
    assert found.strange == [] and not any(found.reasons.values())
    assert {"reference", "perl_v8", "coval"} <= found.scores.keys()


def test_like_names_three_of_all_lines(files):
    paths = files(TIDY, TIDY.replace("d\t0\t", "# by hand\nd\t0\t"))
    with pytest.raises(CorefError) as refused:
        evaluate(*paths, "muc", like="reference")
    message = str(refused.value)
    assert all(f"response, line {line}: " in message for line in (2, 4, 6))
    assert "line 9" not in message and "and 2 more" in message and "reference" in message
    evaluate(*paths, "muc", like="e2e")


def test_sentences_and_documents_in_another_order(files):
    paths = files(TIDY, TIDY.replace("\n\n", "\n"))
    for scorer in ("coval", "scorch_cli"):
        with pytest.raises(CorefError, match=r"response, line 1: document 'd; part 000'"):
            evaluate(*paths, "muc", like=scorer)
        assert scorer in explain(*paths, "muc").unknown
    key = conll("(0) (0)", "- (0) (0)")
    paths = files(key, conll("- (0) (0)", "(0) (0)", names="ed"))
    for scorer in ("coreference_eval", "hf_coval"):
        with pytest.raises(CorefError, match="order"):
            evaluate(*paths, "muc", like=scorer)
    # The first mention ends where the second is, and begins as far into its sentence.
    paths = files(conll("(0 / 0)|(1) (1)"), conll("(0 / 0)|(1) (1)"))
    with pytest.raises(CorefError, match="document 'd; part 000'"):
        evaluate(*paths, "muc", like="coval")
    paths = files(conll("- (0 / 0)|(1) (1)"), conll("- (0 / 0)|(1) (1)"))
    assert evaluate(*paths, "muc", like="coval")["muc"].exact.f1 == 1


# Two entities of one mention: to coval it is of the one that ends last, to us of the one that
# begins last. For the key it prints MUC 0 100 0, 100 100 100, 0 100 0 and 100 100 100.

TURNED = {
    "(2|(3 3)|2) (3)": None,
    "(3|(2 2)|3) (3)": None,
    "(3|(2 3)|2) (3)": (0, 1, 0),
    "(2|(3 2)|3) (3)": (1, 1, 1),
}


@pytest.mark.parametrize("response", TURNED)
def test_ends_of_two_entities_in_another_order(response, files):
    paths = files(conll("(3 3) (3)"), conll(response))
    found = explain(*paths, "muc")
    for scorer in ("coval", "coval_fork"):
        if TURNED[response] is not None:
            assert evaluate(*paths, "muc", like=scorer)["muc"].exact[:3] == TURNED[response]
            assert found.scores[scorer]["muc"].exact[:3] == TURNED[response]
            continue
        assert scorer in found.unknown
        with pytest.raises(CorefError, match="response, line 1: entities of a mention"):
            evaluate(*paths, "muc", like=scorer)
    # Universal Anaphora's scorer reads CoNLL-2012 by coval's reader, and counts otherwise.
    assert "ua1" in found.unknown
    with pytest.raises(CorefError, match="response, line 1: it has a mention twice"):
        evaluate(*paths, "muc", like="ua1")


# What coval's own suite has as its cases A7 to A9: repeats without a bar.


@pytest.mark.parametrize(("begin", "end"), [("(1", "1)"), ("(3", "3)"), (10 * "(3", 10 * "3)")])
def test_repeats_without_a_bar(begin, end, files):
    key = "(0 0) - (1 - - 1) - - (1) - (2 2) - (2) - (2 - 2) -"
    response = f"(0 0) - (1{begin} - - {end}1) - - (1) (1) (2 2) (3) - (2) - - - -"
    found = explain(*files(conll(key), conll(response)))
    for scorer in ("coval", "coval_fork", "coval_no_singletons"):
        assert "response, line 5" in found.unknown[scorer]
    assert "reference" not in found.unknown


# Names and bare numbers. Perl stops at the first name, coval sees its digits.

NAMED = "#begin document (d)\na\t(abstract-1\nb\tabstract-1)\nc\t(person-1)\n#end document\n"
BARE = "#begin document (d)\na\t(8\nb\t8|(3)\nc\t8)\n#end document\n"


@pytest.mark.filterwarnings("ignore:.*the bare number of an entity")
@every_row("text, scorers", [(NAMED, ("reference", "perl_v8", "coval")), (BARE, ("coval", "ua1"))])
def test_names_and_bare_numbers(text, scorers, files):
    paths = files(text, text)
    found = explain(*paths, "muc")
    for scorer in scorers:
        assert scorer in found.unknown
        with pytest.raises(CorefError, match=r"key, line [23]: "):
            evaluate(*paths, "muc", like=scorer)
    assert found.scores["e2e"]["muc"] == found.ours["muc"]


def test_every_reader_is_one_that_some_scorer_follows():
    readers = {reader for each in READERS.values() for reader in each}
    assert {bundle.reading for bundle in bundles().values()} == {"", *readers}


# Documents that only the response has


def test_coval_goes_over_the_documents_of_the_key(files):
    """It prints 100.00 for these, as andreasvc/coval does."""
    response = TIDY + conll("(0) (0)", names="f")
    paths = files(TIDY, response)
    found = explain(*paths, "muc")
    for scorer in ("coval", "coval_no_singletons", "coval_fork"):
        assert found.scores[scorer]["muc"].exact.f1 == 1
        assert evaluate(*paths, "muc", like=scorer).total["muc"].exact.f1 == 1
        assert found.reasons[scorer]["muc"] == "leaves out 1 document that the key lacks"
    # The other way round it stops: KeyError.
    found = explain(*paths[::-1], "muc")
    assert "document 'f; part 000' is not in key" in found.failures["coval"]


CONLLU = "{}# newdoc id = {}\n1\ta\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-1)\n2\tb\t_\t_\t_\t_\t1\t_\t_\t"
ENTITY = "Entity=(e1-1)\n\n"
HEADER = "# global.Entity = eid-head\n"


def test_corefud_leaves_out_documents_that_the_key_lacks(files):
    """corefud-scorer prints 100.00; the other way round it stops: AssertionError."""
    one, other = (CONLLU.format("", name) + ENTITY for name in "de")
    paths = files(HEADER + one, HEADER + one + other)
    assert explain(*paths, "muc").scores["corefud_exact"]["muc"].exact.f1 == 1
    assert evaluate(*paths, "muc", like="corefud_exact").total["muc"].exact.f1 == 1
    failures = explain(*paths[::-1], "muc").failures
    assert "document 'e' is not in key" in failures["corefud_exact"]
    with pytest.raises(CorefError, match="document 'e' is not in key"):
        evaluate(*paths[::-1], "muc", like="corefud_exact")


@pytest.mark.parametrize(
    ("columns", "scored"),
    [
        ("(e2-x-1(e3-x-1 e3)e2) (e3-x-1)", True),
        ("(e3-x-1(e2-x-1 e2)e3) (e3-x-1)", False),
        ("(e3-x-1(e4-x-1 e4)e3) (e3-x-1)", True),
        ("(e4-x-1(e3-x-1 e3)e4) (e3-x-1)", False),
    ],
)
def test_corefud_orders_entities_of_a_word_by_name(columns, scored, files):
    """corefud-scorer prints MUC 100 100 100, 100 100 100, 0 100 0 and 0 100 0."""

    def text(columns):
        lines = [
            "\t".join([str(n), "w", *"_____"[:4], str(n - 1), "_", "_", f"Entity={each}"])
            for n, each in enumerate(columns.split(), 1)
        ]
        return "\n".join(["# global.Entity = eid-etype-head", "# newdoc id = d", *lines, "", ""])

    paths = files(text("(e3-x-1 e3) (e3-x-1)"), text(columns))
    found = explain(*paths, "muc")
    assert ("corefud_exact" in found.scores) == scored
    if scored:
        expected = (1, 1, 1) if columns.startswith("(e2") else (0, 1, 0)
        assert found.scores["corefud_exact"]["muc"].exact[:3] == expected
        assert evaluate(*paths, "muc", like="corefud_exact")["muc"].exact[:3] == expected
        return
    assert "document 'd'" in found.unknown["corefud_exact"]
    with pytest.raises(CorefError, match=r"response: document 'd'"):
        evaluate(*paths, "muc", like="corefud_exact")


# More than ten repeated mentions


@pytest.mark.parametrize(("repeats", "scored"), [(10, True), (11, False)])
def test_the_reference_scorer_refuses_eleven_repeated_mentions(repeats, scored, files):
    """It prints "Found too many repeated mentions (> 10) in the response", v7 and v8 do not."""
    columns = ["(0)|(1)"] * repeats + ["(0)"] * (13 - repeats)
    paths = files(conll(" ".join(["(0)"] * 13)), conll(" ".join(columns)))
    found = explain(*paths, "muc")
    for scorer in ("reference", "perl_9_alpha", "perl_v8_01_tag"):
        assert (scorer in found.scores) == scored
        assert (scorer in found.failures) == (not scored)
    assert found.scores["perl_v8"]["muc"].exact.f1 == 1
    if scored:
        assert evaluate(*paths, "muc", like="reference").total["muc"].exact.f1 == 1
        return
    with pytest.raises(CorefError, match="repeats more than 10 mentions of the key: here 11; mend"):
        evaluate(*paths, "muc", like="reference")


def test_repeats_of_spurious_mentions_are_not_counted(files):
    """The reference scorer prints recall 100 %, and mentions 1 of 13 found."""
    key = conll("(0) (0)" + " -" * 12)
    paths = files(key, conll("(0) (0)" + " (1)|(2)" * 12))
    assert explain(*paths, "muc").scores["reference"]["muc"].exact.recall == 1
    assert evaluate(*paths, "muc", like="reference").total["muc"].exact.recall == 1


# One entity of those that have the same name in several documents

KEY = {"d": [["a", "b"], ["c", "d"]], "e": [["x", "y"]]}
EXCHANGED = {"d": [["c", "d"], ["a", "b"]], "e": [["x", "y"]]}


def refused_by_both(key, response, *words):
    """Whether ``like`` refuses, and `explain` has no score, and says the same."""
    with pytest.raises(CorefError) as refused:
        evaluate(key, response, "muc", like="hf_coval")
    assert all(word in str(refused.value) for word in words)
    found = explain(key, response, "muc", scorer="hf_coval")
    assert "hf_coval" not in found.scores
    assert str(refused.value).startswith(found.unknown["hf_coval"])
    return True


def json_lines(side, clusters=list):
    return "".join(
        json.dumps({"doc_key": name, "sentences": [["w", "w"]], "clusters": clusters(of)}) + "\n"
        for name, of in side.items()
    )


def test_an_entitys_place_is_no_name(files):
    """A perfect response in another order had a MUC of 3/4."""
    assert refused_by_both(KEY, EXCHANGED, "'d' (key) have no names", "files that name")
    assert refused_by_both([*KEY.values()], [*EXCHANGED.values()], "document 0 (key)")
    labels = {"a": 1, "b": 1, "c": 2}
    of_labels = {name: Partition.from_labels(labels) for name in "de"}
    assert refused_by_both(of_labels, of_labels, "have no names")
    spans = {"d": [[[0, 0], [1, 1]]], "e": [[[0, 0], [1, 1]]]}
    repeated = {"d": [[[0, 0], [1, 1]], [[0, 0]]], "e": [[[0, 0], [1, 1]]]}
    named = conll("(0) (0)", "(0) (0)")
    for side in (spans, repeated):
        paths = files(json_lines(spans), json_lines(side))
        assert refused_by_both(*paths, "'d' (key) have no names")
        read_again = [read(path, repeated="each") for path in paths]
        assert refused_by_both(*read_again, "'d' (key) have no names")
        texts = named.replace("; part 000", ""), json_lines(side)
        assert refused_by_both(*files(*texts), "(response) have no names")


def test_entities_of_a_file_join_by_names(files):
    named = conll("(0) (0) (1) (1)", "(0) (0)"), conll("(1) (1) (0) (0)", "(1) (1)")
    paths = files(*named)
    assert evaluate(*paths, "muc", like="hf_coval")["muc"].exact.f1 == 1
    assert evaluate(*map(read, paths), "muc", like="hf_coval")["muc"].exact.f1 == 1
    assert explain(*paths, "muc").scores["hf_coval"]["muc"].exact.f1 == 1
    # scorch's mappings have names, whatever their order: 1 of 3 links of the key, 1 of 2.
    key, response = {"e1": ["a", "b"], "e2": ["c"]}, {"e2": ["c"], "e1": ["a", "b"]}
    for each, recall in ((key, 1), ({"e2": ["a", "b"], "e1": ["c"]}, F(2, 4))):
        both = {"d": response, "e": each}
        paths = files(json_lines({"d": key, "e": key}, dict), json_lines(both, dict))
        assert evaluate(*paths, "muc", like="hf_coval")["muc"].exact.recall == recall


def test_nothing_is_joined_in_one_document():
    one = {"d": KEY["d"]}, {"d": EXCHANGED["d"]}
    for key, response in (one, [side | {"e": []} for side in one]):
        assert evaluate(key, response, "muc", like="hf_coval")["muc"].exact.f1 == 1
        assert explain(key, response, "muc").scores["hf_coval"]["muc"].exact.f1 == 1
    assert refused_by_both(one[0], EXCHANGED, "(response) have no names")


def test_documents_in_another_order_that_are_read_first(files):
    key, response = map(read, files(conll("(0)", "(0) (0)"), conll("(0)", "(0) (0)")))
    assert evaluate(key, response, "muc", like="hf_coval")["muc"].exact.f1 == 1
    turned = dict(reversed(response.items()))
    assert refused_by_both(key, turned, "another order")


@pytest.mark.parametrize("scorer", [name for name, each in bundles().items() if each.measures])
def test_no_score_rests_on_lists_order(scorer):
    """Of entities that share no mention; tibert alone compares lists, where it divides 0 by 0."""
    chance, scored = Random(scorer), 0
    for _ in range(12):
        sides = [{name: some_entities(chance) for name in "def"} for _ in range(2)]
        scores = []
        for _ in range(3):
            for side in sides:
                for entities in side.values():
                    chance.shuffle(entities)
            try:
                scores.append(evaluate(*sides, like=scorer).total)
            except CorefError as error:
                scores.append(str(error))
        compared = scores
        if scorer == "tibert":
            compared = [{name: of[name] for name in ("b3", "ceafe", "lea")} for of in scores]
        assert compared[0] == compared[1] == compared[2], (scorer, sides)
        scored += not isinstance(scores[0], str)
    assert scored == 0 if scorer == "hf_coval" else scored > 6


def some_entities(chance):
    """Entities of some of six mentions, in one to three lists."""
    entities = [[] for _ in range(chance.randint(1, 3))]
    for mention in chance.sample("abcdef", chance.randint(2, 6)):
        chance.choice(entities).append(mention)
    return [entity for entity in entities if entity]
