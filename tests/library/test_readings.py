"""What other programs read in untidy files of CoNLL-2012.

The numbers were printed by the programs: the reference scorer v8.01 (f49f3f8) and v8 (894871a), and
coval (87071a6). If a test failed, `explain` would say "nothing to mend" of files on which a program
prints another number, or give a number that it does not print.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from test_explain import F, conll

from corefeval import CorefError, evaluate, explain
from corefeval.programs.bundles import bundles
from corefeval.programs.faults import hit_by
from corefeval.programs.untidy.foreign_readers import READERS
from corefeval.programs.untidy.wording import BY_KIND, OTHERWISE

TIDY = conll("(0) (0) - / (1) (1)", "(0) (0) -")
ONE = F(1)


def same(found):
    """The programs whose scores are all ours."""
    return {program for program, reasons in found.reasons.items() if not reasons}


def changed(old, new):
    return lambda text: text.replace(old, new)


# How a response that is the key becomes untidy; the kind of fault and its line; then recall and
# precision of mentions that the reference scorer prints, those by v8, and those by coval.
UNTIDY = {
    "comment": (
        changed("d\t0\t1", "# by hand\nd\t0\t1"), ("comment", 3),
        (F(2, 3), F(2, 3)), (F(2, 3), F(2, 3)), (F(5, 6), F(5, 6)),
    ),
    "byte-order mark": (
        lambda text: "\ufeff" + text, ("mark", 1),
        (F(1, 3), ONE), (F(1, 3), ONE), "document '(d); part 000' is missing from the response",
    ),
    "capital in the beginning": (
        changed("#begin document (e)", "#Begin Document (e)"), ("directive", 9),
        (F(2, 3), ONE), (F(2, 3), ONE), "document '(e); part 000' is missing from the response",
    ),
    # The document d goes on to the end of e. To coval it ends where e begins.
    "capital in the end": (
        lambda text: text.replace("#end", "#End", 1), ("directive", 8),
        (ONE, F(3, 4)), (ONE, F(3, 4)), (ONE, ONE),
    ),
    "blank after the hash": (
        changed("#begin document (e)", "# begin document (e)"), ("gap", 9),
        (ONE, ONE), (ONE, ONE), "document '(e); part 000' is missing from the response",
    ),
    "no blank before part": (
        changed("(e); part", "(e);part"), ("name", 9),
        (F(2, 3), ONE), (F(2, 3), ONE), "document '(e); part 000' is missing from the response",
    ),
    "blank at the end of the name": (
        changed("(e); part 000", "(e); part 000 "), ("name", 9),
        (F(2, 3), ONE), (F(2, 3), ONE), "document '(e); part 000' is missing from the response",
    ),
    "a part with fewer zeros": (
        changed("(e); part 000", "(e); part 0"), ("name", 9),
        (F(2, 3), ONE), (F(2, 3), ONE), "document '(e); part 000' is missing from the response",
    ),
    "no part": (
        changed("(e); part 000", "(e)"), ("name", 9),
        (F(2, 3), ONE), (F(2, 3), ONE), "document '(e); part 000' is missing from the response",
    ),
    "carriage returns": (
        changed("\n", "\r"), ("line end", 1), (0, 0), (0, 0), (ONE, ONE),
    ),
    "columns apart by blanks": (
        changed("d\t0\t2\tw\t-", "d 0 2 (7) -"), ("columns", 4),
        (ONE, F(6, 7)), (ONE, F(6, 7)), (ONE, ONE),
    ),
    "a word that ends the document": (
        changed("d\t0\t2\tw\t-", "d\t0\t2\t#end document\t-"), ("end", 4),
        (F(2, 3), ONE), (F(2, 3), ONE), (ONE, ONE),
    ),
    # Of (0(6 coval reads (6 alone, and 0) closes nothing for it.
    "no bar": (
        lambda text: text.replace("d\t0\t2\tw\t-", "d\t0\t2\tw\t(0(6").replace(
            "d\t0\t4\tw\t(1)", "d\t0\t4\tw\t(1)0)6)"
        ),
        ("bar", 4), (ONE, F(6, 7)), (ONE, F(6, 7)), (ONE, F(6, 7)),
    ),
    "a document begun twice": (
        lambda text: conll("- - - / (0) (0)") + text, ("twice", 9),
        (ONE, ONE), (ONE, ONE), (F(2, 3), F(1, 2)),
    ),
    "a line with a blank": (
        changed("\n\n", "\n \n"), ("blank", 5),
        (ONE, ONE), (F(5, 6), F(5, 6)), (ONE, ONE),
    ),
}  # fmt: skip


@pytest.fixture
def files(folder):
    """Writes a key and a response; their names."""

    def files(key, response):
        Path("key").write_bytes(key.encode())
        Path("response").write_bytes(response.encode())
        return "key", "response"

    return files


@pytest.mark.parametrize("name", UNTIDY)
def test_an_untidy_file_has_the_score_that_each_program_prints(name, files):
    change, (kind, line), *printed = UNTIDY[name]
    found = explain(*files(TIDY, change(TIDY)), "mentions")
    assert (kind, "response", line) in [fault[:3] for fault in found.faults]
    for program, expected in zip(("reference", "perl_v8", "coval"), printed, strict=True):
        if isinstance(expected, str):
            assert found.unable[program] == expected
            continue
        score = found.scores[program]["mentions"]
        assert (score.exact.recall, score.exact.precision) == expected
        assert (score == found.ours["mentions"]) == (program in same(found))
    # A program whose score is not ours is told with the fault, and its reason names its rule.
    for program, bundle in bundles().items():
        reason = found.reasons.get(program, {}).get("mentions", "")
        if bundle.reading and reason:
            assert program in hit_by(kind) and BY_KIND[kind][bundle.reading] in reason
    assert "e2e" not in hit_by(kind)


def test_a_tidy_file_has_no_such_fault(files):
    found = explain(*files(TIDY, TIDY))
    assert found.faults == [] and not any(found.reasons.values())


def test_line_ends_of_windows_are_tidy(files):
    """The reference scorer takes the carriage return from the line that begins a document."""
    found = explain(*files(TIDY, TIDY.replace("\n", "\r\n")), "mentions")
    assert found.faults == [] and {"reference", "coval"} <= same(found)


def test_the_line_of_a_lone_carriage_return_among_line_ends_of_windows(files):
    text = TIDY.replace("\n", "\r\n").replace("\r\nd\t0\t2", "\rd\t0\t2")
    found = explain(*files(TIDY, text), "mentions")
    assert [fault[:3] for fault in found.faults] == [("line end", "response", 3)]


def test_like_warns_where_the_program_reads_otherwise(files):
    paths = files(TIDY, UNTIDY["comment"][0](TIDY))
    with pytest.warns(UserWarning, match=r"like='reference': the program takes comments for tok"):
        report = evaluate(*paths, "mentions", like="reference")
    assert report.total["mentions"].exact.recall == F(2, 3)  # as the program prints
    with pytest.warns(UserWarning, match="like='coval': the program takes comments"):
        evaluate(*paths, "muc", like="coval")
    evaluate(*paths, "muc", like="e2e")  # warnings are errors
    evaluate(*files(TIDY, TIDY), "muc", like="reference")


# coval's own cases A7 to A9: the response gives a mention twice or more, without a bar

KEY = "(0 0) - (1 - - 1) - - (1) - (2 2) - (2) - (2 - 2) -"
RESPONSE = "(0 0) - (1{} - - {}1) - - (1) (1) (2 2) (3) - (2) - - - -"
REPEATS = {"A7": ("(1", "1)"), "A8": ("(3", "3)"), "A9": (10 * "(3", 10 * "3)")}
A8 = {
    "muc": (0, 0), "b3": (F(7, 18), F(5, 14)), "ceafe": (F(19, 30), F(19, 40)),
    "lea": (F(1, 6), F(1, 7)),
}  # fmt: skip
A8_WITHOUT = {
    "muc": (0, 0), "b3": (F(4, 15), F(1, 4)), "ceafe": (F(9, 20), F(3, 10)), "lea": (0, 0)
}  # fmt: skip
# What coval prints to five decimals, with singletons and without. Its suite has the first row.
PRINTED = {
    "A7": (
        {"muc": (F(1, 3), F(1, 3)), "b3": (F(5, 9), F(17, 42)), "ceafe": (F(11, 15), F(11, 20)),
         "lea": (F(1, 2), F(2, 7))},
        {"muc": (F(1, 3), F(1, 3)), "b3": (F(7, 15), F(11, 30)), "ceafe": (F(3, 5), F(3, 5)),
         "lea": (F(2, 5), F(1, 5))},
    ),
    "A8": (A8, A8_WITHOUT),
    "A9": (A8, A8_WITHOUT),
}  # fmt: skip


@pytest.mark.parametrize("case", REPEATS)
def test_a_mention_that_a_program_lists_another_number_of_times(case, files):
    """Of (1(1 coval sees one bracket, as of (1(3, and of the two in 1)1) one closes nothing."""
    paths = files(conll(KEY), conll(RESPONSE.format(*REPEATS[case])))
    with_singletons, without = PRINTED[case]
    expected = {
        "coval": with_singletons, "coval_fork": with_singletons, "coval_no_singletons": without
    }  # fmt: skip
    found = explain(*paths, [*with_singletons], program=expected)
    for program, scores in expected.items():
        with pytest.warns(UserWarning, match="does not see a mark before another without a bar"):
            total = evaluate(*paths, [*scores], like=program).total
        for name, (recall, precision) in scores.items():
            assert (total[name].exact.recall, total[name].exact.precision) == (recall, precision), (
                program, name
            )  # fmt: skip
            assert found.scores[program][name].exact.f1 == total[name].exact.f1, (program, name)


def test_a_listing_more_is_told(files):
    paths = files(conll(KEY), conll(RESPONSE.format(*REPEATS["A7"])))
    with pytest.warns(UserWarning, match="lists the response's 1 mention another number of times"):
        evaluate(*paths, "muc", like="coval")


# What neither of the files' readers takes: names and bare numbers

NAMED = "#begin document (d)\na\t(abstract-1\nb\tabstract-1)\nc\t(person-1)\n#end document\n"
BARE = "#begin document (d)\na\t(8\nb\t8|(3)\nc\t8)\n#end document\n"


def entities(name, text, tmp_path):
    path = tmp_path / "file"
    path.write_text(text)
    (read,) = READERS[name](str(path)).values()
    return [(each.entity, each.place) for each in read]


def test_entities_with_names(tmp_path):
    """The reference scorer dies: "Detected the end of a mention [1](0) without begin"."""
    with pytest.raises(CorefError, match=r"line 3: it stops at '1\)', not opened before"):
        entities("reference", NAMED, tmp_path)
    assert entities("coval", NAMED, tmp_path) == [("1", (0, 0, 1)), ("1", (0, 2, 2))]


def test_an_open_mention_stops_the_reference_scorer_where_the_document_ends(tmp_path):
    """It prints 0 / 0 where it sees no end, and dies ("do not close") where it does."""
    text = "#begin document (d)\na\t(0\n#{} document\n"
    assert entities("reference", text.format("End"), tmp_path) == []
    with pytest.raises(CorefError, match=r"line 2: it stops, as '\(0' is not closed"):
        entities("reference", text.format("end"), tmp_path)


def test_bare_numbers(tmp_path):
    """coval calls sys.exit with two arguments, a TypeError; its fork warns."""
    expected = [("3", (1, 1)), ("8", (0, 2))]
    assert entities("reference", BARE, tmp_path) == expected
    with pytest.raises(CorefError, match=r"line 3: it stops at '8\|\(3\)'"):
        entities("coval", BARE, tmp_path)
    assert entities("coval_fork", BARE, tmp_path) == [("3", (0, 1, 1)), ("8", (0, 0, 2))]


def test_every_rule_is_of_a_reader_that_some_program_follows():
    assert {reader for rules in BY_KIND.values() for reader in rules} == {*READERS}
    assert {*OTHERWISE} == {*READERS}
    assert {bundle.reading for bundle in bundles().values()} == {"", *READERS}


def test_each_line_is_read_so_many_times_at_most(tmp_path):
    """No document ends for the reference scorer, so it reads on from each to the last line."""
    path = tmp_path / "file"
    one = "#begin document ({})\na\t(0)\n#End document\n"
    path.write_text("".join(map(one.format, range(30))))
    assert len(READERS["reference"](str(path))) == 30
    path.write_text("".join(map(one.format, range(300))))
    with pytest.raises(CorefError, match="it reads each line more than 20 times"):
        READERS["reference"](str(path))


# Documents that only the response has


def test_coval_goes_over_the_documents_of_the_key(files):
    """It prints 100.00 for these, as andreasvc/coval does."""
    response = TIDY + conll("(0) (0)", names="f")
    paths = files(TIDY, response)
    found = explain(*paths, "muc")
    for program in ("coval", "coval_no_singletons", "coval_fork"):
        assert found.scores[program]["muc"].exact.f1 == 1
        assert evaluate(*paths, "muc", like=program).total["muc"].exact.f1 == 1
        assert found.reasons[program]["muc"] == "leaves out 1 document that the key lacks"
    # The other way round it stops: KeyError.
    found = explain(*paths[::-1], "muc")
    assert found.unable["coval"] == "document 'f; part 000' is missing from the response"


CONLLU = "{}# newdoc id = {}\n1\ta\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-1)\n2\tb\t_\t_\t_\t_\t1\t_\t_\t"
ENTITY = "Entity=(e1-1)\n\n"
HEADER = "# global.Entity = eid-head\n"


def test_corefud_leaves_out_documents_that_the_key_lacks(files):
    """corefud-scorer prints 100.00; the other way round it stops: AssertionError."""
    one, other = (CONLLU.format("", name) + ENTITY for name in "de")
    paths = files(HEADER + one, HEADER + one + other)
    assert explain(*paths, "muc").scores["corefud_exact"]["muc"].exact.f1 == 1
    assert evaluate(*paths, "muc", like="corefud_exact").total["muc"].exact.f1 == 1
    unable = explain(*paths[::-1], "muc").unable
    assert unable["corefud_exact"] == "document 'e' is missing from the response"
    with pytest.raises(CorefError, match="document 'e' is missing from the response"):
        evaluate(*paths[::-1], "muc", like="corefud_exact")


# More than ten repeated mentions


@pytest.mark.parametrize(("repeats", "scored"), [(10, True), (11, False)])
def test_the_reference_scorer_refuses_more_than_ten_repeated_mentions(repeats, scored, files):
    """It prints "Found too many repeated mentions (> 10) in the response", v7 and v8 do not."""
    columns = ["(0)|(1)"] * repeats + ["(0)"] * (13 - repeats)
    paths = files(conll(" ".join(["(0)"] * 13)), conll(" ".join(columns)))
    found = explain(*paths, "muc")
    for program in ("reference", "perl_9_alpha", "perl_v8_01_tag"):
        assert (program in found.scores) == scored
        assert (program in found.unable) == (not scored)
    assert found.scores["perl_v8"]["muc"].exact.f1 == 1
    if scored:
        assert evaluate(*paths, "muc", like="reference").total["muc"].exact.f1 == 1
        return
    with pytest.raises(CorefError, match="repeats more than 10 mentions of the key: here 11; mend"):
        evaluate(*paths, "muc", like="reference")


def test_repeats_of_what_the_key_lacks_are_not_counted(files):
    """The reference scorer prints recall 100 %, and mentions 1 of 13 found."""
    key = conll("(0) (0)" + " -" * 12)
    paths = files(key, conll("(0) (0)" + " (1)|(2)" * 12))
    assert explain(*paths, "muc").scores["reference"]["muc"].exact.recall == 1
    assert isinstance(
        evaluate(*paths, "muc", like="reference").total["muc"].exact.f1, (int, Fraction)
    )
