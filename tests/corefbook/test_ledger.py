"""The papers' figures, and the verdicts that the ledger gives them."""

import ast
import json
import re
import shutil
import string
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from corefbook import ledger, tables
from corefbook.ledger import Bounds, Search, judge, matches
from docutils.nodes import make_id
from rows import every_row

from corefeval import CorefError
from corefeval.overlap.partition import Partition
from corefeval.score import Tally

ROOT = Path(__file__).parents[2]
VERDICTS = [verdict for verdicts in ledger.GROUPS.values() for verdict in verdicts]


PLAIN = ("reproduced", "consistent", "holds")
"""The verdicts that need no reason."""


@pytest.mark.parametrize("name", ledger.papers())
def test_every_figure_has_a_verdict(name):
    rows = ledger.rows(name)
    failed = [row for row in rows if row.verdict not in VERDICTS]
    unexplained = [row for row in rows if row.verdict not in PLAIN and not row.note]
    assert rows, "no figure"
    assert not failed, "\n".join(map(str, ["failed:", *failed]))
    assert not unexplained, "\n".join(map(str, ["no reason is given:", *unexplained]))


def test_rows_are_computed_once_for_a_file(tmp_path, monkeypatch):
    file = tmp_path / "lee2018.toml"
    shutil.copy(ledger.DATA / file.name, file)
    monkeypatch.setattr(ledger.figures, "DATA", tmp_path)
    before = ledger.rows("lee2018")
    assert all(one is again for one, again in zip(before, ledger.rows("lee2018"), strict=True))
    text = file.read_text("utf-8")
    file.write_text(text.replace('"68.1"', '"18.6"'), "utf-8")
    printed = [row.printed for row in ledger.rows("lee2018")]
    assert "18.6" in printed and "68.1" not in printed


WORDS = {
    "reproduced": "equal",
    "rounded": "equal",
    "holds": "equal",
    "consistent": "possible",
    "reconstructed": "possible",
    "refuted": "differs",
    "misprint": "differs",
    "missed": "differs",
    "not testable": "cannot be checked",
    "remark": "listed",
    "copy": "listed",
    "given": "listed",
}


def test_nine_verdicts_have_four_words_three_none():
    (row, *_) = ledger.rows("vilain1995_summary")
    assert {v: replace(row, verdict=v).group for v in VERDICTS} == WORDS
    assert replace(row, verdict=ledger.FAILED).group == ""
    assert sum(len(verdicts) for verdicts in ledger.GROUPS.values()) == 12
    assert {*ledger.GROUPED} == {*WORDS.values()} - {"listed"}
    assert {row.group for row in ledger.rows()} == {*ledger.GROUPS}


def test_misprints_are_counted_with_our_copys_slips():
    (row, *_) = ledger.rows("vilain1995_summary")
    sure, doubtful = (replace(row, verdict="misprint", copy=why) for why in ("", "one letter"))
    said = [ledger.verdicts_in_words(rows, "differs") for rows in ([sure], [sure, doubtful])]
    assert said == [
        "1 misprint (none may be our copy's)",
        "2 misprints (1 may be our copy's)",
    ]
    assert ledger.groups_in_words([sure, doubtful]) == "2 differ (1 may be our copy's)"


def test_verdicts_and_groups_are_counted_in_order():
    (row, *_) = ledger.rows("vilain1995_summary")
    assert [*ledger.GROUPED, "listed"] == [*ledger.GROUPS]
    of_each = [replace(row, verdict=verdict) for verdict in reversed(VERDICTS)]
    assert ledger.groups_in_words(of_each) == (
        "3 equal (1 by rounded steps),"
        " 2 possible (1 within an interval, 1 by a choice that fits),"
        " 3 differ (1 is a miss of a formula of ours), 1 cannot be checked"
    )
    assert ledger.verdicts_in_words(of_each, "listed") == (
        "1 remark, 1 slip of our copy, 1 restated input"
    )


def test_every_row_has_an_id_of_its_own():
    assert len({row.id for row in ledger.rows()}) == len(ledger.rows())


def test_a_renamed_place_keeps_its_rows_address():
    renamed = [row for row in ledger.rows("baldwin1998") if "every mention alike" in row.place]
    assert len(renamed) == 6 and all("-every-entity-alike-" in row.id for row in renamed)


def test_every_paper_names_its_kind_of_source():
    assert {ledger.load(name).source for name in ledger.papers()} <= set(ledger.SOURCES)
    assert ledger.load("lee2018").source == "table"


@pytest.mark.parametrize("name", ledger.papers())
def test_rows_of_some_places_are_among_all(name):
    every = ledger.rows(name)
    for place in {row.place for row in every}:
        of_place = [*ledger.load(name).rows(places=(place, "no such place"))]
        assert of_place == [row for row in every if row.place.startswith(place)]


def test_figures_of_other_places_are_not_computed():
    figures = [
        {"place": "there", "measure": "no_such_function", "printed": "1"},
        {"place": "here", "printed": "1", "not_testable": "no input"},
    ]
    paper = ledger.Paper("x", {"paper": {}, "figures": [{"chapter": "muc", "rows": figures}]})
    assert [row.place for row in paper.rows(places=("here",))] == ["here"]
    with pytest.raises(ModuleNotFoundError):
        [*paper.rows()]


def test_every_example_is_used():
    for name in ledger.papers():
        examples = {row.example for row in ledger.rows(name)}
        assert set(ledger.load(name).examples) == examples - {""}


@every_row("chapter", lambda: sorted({row.chapter for row in ledger.rows()}))
def test_a_rows_chapter_has_its_section_and_cell(chapter):
    cells = json.loads((ROOT / "book" / f"{chapter}.ipynb").read_text("utf-8"))["cells"]
    prose = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    sections = {make_id(name) for name in re.findall(r"^#+ +(.+)$", prose, re.MULTILINE)}
    code = [c for c in cells if c["cell_type"] == "code"]
    sources = "\n".join("".join(c["source"]) for c in code)
    assert re.search(rf'evidence\(\s*"{chapter}"', sources), chapter
    tags = [tag for c in code for tag in c["metadata"].get("tags", [])]
    for row in ledger.rows(chapter=chapter):
        assert not row.section or row.section in sections, row
        assert not row.cell or tags.count(row.cell) == 1, row


def test_what_accuses_says_what_is_right():
    for row in ledger.rows():
        if row.verdict in ("misprint", "refuted", "copy"):
            assert row.right and row.right != row.printed
            assert row.explained == f"Right: {row.right}. {row.note}"
        else:
            assert not row.right and row.explained == row.note


def test_an_erratum_has_an_address_and_sentences():
    listed = {"refuted", "misprint", "remark", "copy"}
    addresses = [row.erratum for row in ledger.rows() if row.verdict in listed]
    assert len({*addresses}) == len(addresses)
    for row in ledger.rows():
        assert bool(row.erratum) == (row.verdict in listed), row
        if row.erratum:
            assert re.fullmatch(r"[a-z-]{6,14}-\d+", row.erratum)
            assert ";" not in row.note and row.note[0] not in string.ascii_lowercase, row


@every_row(
    "printed, computed, agrees",
    [
        ("3/6, or 50%", Tally(3, 6), True),
        ("3/6", Tally(1, 2), False),  # the paper shows the unreduced counts
        ("3/6", Fraction(1, 2), True),
        ("2/2 = 1", Tally(2, 2), True),
        ("2/2 = 1", Tally(2, 3), False),
        ("0.42", Fraction(5, 12), True),
        ("0.41", Fraction(5, 12), False),
        ("0.5", Fraction(45, 100), True),  # a tie may go either way
        ("0.4", Fraction(45, 100), True),
        ("85%", Fraction(11, 13), True),
        ("84%", Fraction(11, 13), False),
        ("4.25", Fraction(17, 4), True),
        ("7", 7, True),
        ("7", Fraction(13, 2), False),  # an integer is not a rounded number
        ("seven", 7, True),
        ("seven", 6, False),
        ("half", Fraction(1, 2), True),
        ("no number at all", 7, False),
        ("{a b} and {c}", Partition.parse("{c} {b a}"), True),
        ("{a b c}", Partition.parse("{c} {b a}"), False),
        ("not a set", Partition.parse("{a}"), False),
        ("A-B  B-C", "A-B B-C", True),
        ("A-B B-D", "A-B B-C", False),
        ("81%", Bounds(Fraction(79, 100), Fraction(806, 1000)), True),
        ("81%", Bounds(Fraction(79, 100), Fraction(804, 1000)), False),
        ("81%", Bounds(Fraction(816, 1000), Fraction(1)), False),
        ("-0.18", Fraction(-18, 100), True),
        ("0.18", Fraction(-18, 100), False),
        ("κ = -1/2", Fraction(-1, 2), True),
        ("7-5", 5, False),  # the numbers 7 and 5, not -5
        ("5-5", 5, True),
        ("34-p", 34, True),
        ("(5)-5", 5, True),
    ],
)
def test_what_agrees_with_print(printed, computed, agrees):
    assert matches(printed, computed) is agrees


MISPRINT = {"right": "2/3", "reason": "…", "fault": "paper"}
WRONG = {"printed": "1/3", "misprint": MISPRINT, "quote": "It is 1/3 and not 2/3."}
SLIP = {"printed": "1/3", "copy_slip": MISPRINT, "quote": "It is 1/3 and not 2/3."}


QUOTED = {"printed": "drops to 0.333", "quote": "Precision drops to 0.333, as one would expect."}
IN_PERCENT = {"printed": "30", "unit": "%", "quote": "It is 30%."}


@every_row(
    "figure, computed, verdict",
    [
        ({"printed": "2/3"}, Tally(2, 3), "reproduced"),
        ({"printed": "2/3"}, Tally(1, 3), "failed"),
        (WRONG, Tally(2, 3), "misprint"),
        (WRONG, Tally(1, 2), "failed"),  # not the right value
        (WRONG | {"printed": "2/3"}, Tally(2, 3), "failed"),  # no misprint
        (SLIP, Tally(2, 3), "copy"),
        (SLIP, Tally(1, 2), "failed"),
        (SLIP | {"printed": "2/3"}, Tally(2, 3), "failed"),
        ({"printed": "1/3", "copy_slip": MISPRINT}, Tally(2, 3), "failed"),  # not quoted
        ({"printed": "1/3", "misprint": MISPRINT}, Tally(2, 3), "failed"),  # not quoted
        ({"printed": "7", "not_testable": "…"}, None, "not testable"),
        ({"printed": "7", "reconstructed": "…"}, 7, "reconstructed"),
        ({"printed": "7", "reconstructed": "…"}, 8, "failed"),
        ({"printed": "50%"}, Bounds(Fraction(1, 3), Fraction(2, 3)), "consistent"),
        ({"printed": "70%"}, Bounds(Fraction(1, 3), Fraction(2, 3)), "failed"),
        (QUOTED | {"misprint": {"right": "7/12", "reason": "r"}}, Fraction(7, 12), "misprint"),
        (QUOTED | {"misprint": {"right": "7/12", "reason": "r"}}, Fraction(1, 3), "failed"),
        (
            QUOTED | {"printed": "0.334", "misprint": {"right": "7/12", "reason": "r"}},
            Fraction(7, 12),
            "failed",  # nobody printed that
        ),
        (QUOTED | {"remark": "r"}, None, "remark"),
        (QUOTED | {"printed": "0.334", "remark": "r"}, None, "failed"),
        ({"printed": "never"}, Search(7, "keys"), "holds"),
        ({"printed": "never"}, Search(7, "keys", "{a}"), "failed"),
        (QUOTED | {"refuted": "r"}, Search(7, "keys", "{a}"), "refuted"),
        (QUOTED | {"refuted": "r"}, Search(7, "keys"), "failed"),
        ({"printed": "always"}, True, "holds"),
        ({"printed": "always"}, False, "failed"),
        (QUOTED | {"refuted": "r"}, False, "refuted"),
        ({"printed": "2/3", "given": "g"}, Tally(2, 3), "given"),
        ({"printed": "2/3", "given": "g"}, Tally(1, 3), "failed"),
        ({"printed": "41", "reconstructed": "r", "missed": "m"}, 42, "missed"),
        ({"printed": "41", "reconstructed": "r", "missed": "m"}, 41, "failed"),
        ({"printed": "41", "reconstructed": "r"}, 42, "failed"),
        # Cells whose unit is in the head of the table; without it each would be a whole number.
        ({"printed": "85", "unit": "%"}, Tally(11, 13), "reproduced"),
        ({"printed": "85"}, Tally(11, 13), "failed"),
        ({"printed": "84", "unit": "%"}, Tally(11, 13), "failed"),
        ({"printed": "-18", "unit": "%"}, Fraction(-3, 17), "reproduced"),
        ({"printed": "18", "unit": "%"}, Fraction(-3, 17), "failed"),
        ({"printed": "-18", "unit": "%"}, Fraction(3, 17), "failed"),
        ({"printed": "0", "unit": "%"}, Fraction(0), "reproduced"),
        ({"printed": "57", "unit": "%"}, Bounds(Fraction("0.56"), Fraction("0.571")), "consistent"),
        ({"printed": "58", "unit": "%"}, Bounds(Fraction("0.56"), Fraction("0.571")), "failed"),
        (IN_PERCENT | {"misprint": {"right": "34", "reason": "r"}}, Tally(50, 147), "misprint"),
        (IN_PERCENT | {"misprint": {"right": "35", "reason": "r"}}, Tally(50, 147), "failed"),
    ],
)
def test_verdicts(figure, computed, verdict):
    assert judge(figure, computed)[0] == verdict


@pytest.mark.parametrize(
    ("computed", "rounded", "verdict"),
    [
        (Fraction(5, 11), Fraction(42, 92), "rounded"),  # 0.4545… against 0.4565…
        (Fraction(5, 11), Fraction(5, 11), "failed"),  # does not follow from it either
        (Fraction(46, 100), Fraction(46, 100), "failed"),  # nothing was rounded
    ],
)
def test_rounded_intermediates(computed, rounded, verdict):
    figure = {"printed": "0.46", "rounded": {}, "note": "F of rounded recall and precision"}
    assert judge(figure, computed, rounded)[0] == verdict


def test_a_table_has_the_passed_values_alone():
    half = Tally(1, 2)
    of_rows = {"row-1": (Tally(2, 3), None), "row-2": (half, half)}
    shown = ledger.as_printed("vilain1995", "Table 1", by=of_rows)
    computed = [row for row in shown.rows if row[1] == "computed"]
    assert [*map(tables.shown, computed[0])] == ["", "computed", "2/3 ✓", "—"]
    assert [*map(tables.shown, computed[1])] == ["", "computed", "≠ 1/2", "≠ 1/2"]
    figures = 2 * sum(row[1] == "printed" for row in shown.rows)
    said = f"Of {figures} figures 1 is equal ✓, 2 different ≠, {figures - 3} not computed."
    assert shown.caption.endswith(said)


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ({"row-9": (1, 1)}, "no row 'row-9' is printed: expected one of row-1, "),
        ({"row-1": (1, 1, 1)}, "row-1: 3 values for 2 columns: MUC recall, MUC precision"),
    ],
)
def test_values_for_which_nothing_is_printed_are_refused(by, said):
    with pytest.raises(CorefError, match=said):
        ledger.as_printed("vilain1995", "Table 1", example=["row-1", "row-2"], by=by)


def test_a_ticked_table_adds_rows_for_differences():
    shown = ledger.ticked("popescubelis", "Table 3")
    agreeing = {row.example for row in ledger.rows("popescubelis") if row.place == "Table 3"}
    assert "computed" not in repr(ledger.ticked("luo2005"))
    assert 'aria-label="equal">✓' in ledger.ticked("luo2005")._repr_html_()
    first = [row[0] for row in shown.rows]
    assert {*first} - {"computed"} >= agreeing
    for row, below in zip(shown.rows, [*shown.rows[1:], [""]], strict=True):
        if row[0] != "computed":
            differ = [
                r
                for r in ledger.rows("popescubelis")
                if r.place.startswith("Table 3")
                and r.example == row[0]
                and r.verdict in ("misprint", "copy", "missed")
            ]
            assert (below[0] == "computed") == bool(differ)


def test_errors_say_what_exists():
    with pytest.raises(CorefError, match=r"no paper 'muc': expected .*vilain1995"):
        ledger.rows("muc")
    with pytest.raises(CorefError, match="vilain1995 has no figures of"):
        ledger.ticked("vilain1995", "nowhere")


def test_prose_of_the_data_names_no_machine():
    for path in ledger.DATA.glob("*.toml"):
        assert not re.search(r"/(home|work|root|tmp)/", path.read_text(encoding="utf-8"))


@pytest.fixture
def altered(tmp_path):
    """A copy of the library, its data and one chapter, in which one printed figure is changed."""
    for folder in ("corefeval", "data", "book"):
        shutil.copytree(
            ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("_build", "__pycache__")
        )
    shutil.copy(__file__, tmp_path / "test_ledger.py")
    shutil.copy(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    data = tmp_path / "data" / "vilain1995.toml"
    text = data.read_text(encoding="utf-8")
    true = 'example = "row-1", measure = "muc.recall", printed = "2/3"'
    assert text.count(true) == 1
    data.write_text(text.replace(true, true.replace("2/3", "1/3")), encoding="utf-8")
    return tmp_path


@pytest.mark.proof
@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["test_ledger.py", "-k", "has_a_verdict and vilain1995"], "printed='1/3'"),
        (["--nbval", "book/muc.ipynb"], "2 listings; 1 moved"),
    ],
    ids=["pytest", "nbval"],
)
def test_a_changed_figure_is_noticed(altered, command, message):
    paths = [altered, altered / "book", ROOT / "tests"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *command],
        cwd=altered,
        env={"PATH": "", "PYTHONPATH": ":".join(map(str, paths)), "HOME": str(altered)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1, run.stdout + run.stderr
    assert message in run.stdout


def test_one_expression_figures_stand_in_a_table():
    folders = (ROOT / "book", ROOT / "tests")
    paths = [path for kind in ("py", "ipynb") for f in folders for path in f.rglob(f"*.{kind}")]
    code = "\n".join(path.read_text("utf-8") for path in paths if "_build" not in path.parts)
    uses = Counter(re.findall(r"\w+", code))
    data = "\n".join(path.read_text("utf-8") for path in ledger.DATA.glob("*.toml"))
    of_data_alone = [
        each.name
        for path in (ROOT / "book/corefbook/papers").rglob("*.py")
        for each in ast.parse(path.read_text("utf-8")).body
        if isinstance(each, ast.FunctionDef) and uses[each.name] == 1
        if [*map(type, each.body)] == [ast.Expr, ast.Return] and f'"{each.name}"' in data
    ]
    assert of_data_alone == []
