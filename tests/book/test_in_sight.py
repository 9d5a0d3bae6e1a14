"""A paper's table in a chapter is made of the cells above it, and a chapter runs to its end.

If a table took its values from elsewhere, a reader could change a key or a formula, run the chapter
again and still see every tick. The chapter would have shown that our scorer is right, and nothing
of the code that it teaches. So each row here changes one thing above a table, runs the whole
chapter, and says how many ticks are left. An empty key or response is the first thing that many
readers try: it ends no chapter in a traceback.
"""

import ast
import contextlib
import io
from collections.abc import Iterable
from typing import Any, NamedTuple

import nbformat
import pytest
from corefbook.checks import STRICT
from corefbook.evidence import Evidence
from rows import every_row
from stored import BOOK, CHAPTERS, code_cells, some_by_day


class Change(NamedTuple):
    """A text above a table, what is written in its place, how the caption begins, ticks left."""

    chapter: str
    old: str
    new: str
    caption: str
    left: int


TABLE_1 = "Table 1,"
LARGER = "Examples with more complexity,"
FIGURE_6 = "Figure 6 of the paper,"
BY_ENTITY = "Our B-CUBED Algorithm, every entity alike,"
LUO = "Luo's F1, as neleval quotes it,"
EIGHT = "F1 of eight systems,"
WALK = "The walk-through's scores,"
SERIES = "The four responses by B³ₛᵧₛ and CEAFₛᵧₛ,"
TABLE_3 = "Table 3 († a lost text),"
TABLE_4 = "Table 4 († a lost text),"

TICKS = {
    TABLE_1: 10,
    LARGER: 4,
    FIGURE_6: 8,
    BY_ENTITY: 3,
    LUO: 16,
    EIGHT: 32,
    WALK: 11,
    SERIES: 23,
    TABLE_3: 33,
    TABLE_4: 18,
}
"""How many figures of each table are equal or possible as long as nothing is changed."""

KEY_12 = 'key = "{1 2 3 4 5} {6 7} {8 9 A B C}"'
TYPED = '= "{1 2 3 4 5} {6 7 8 9 10}"'
ALONE = '"{1} {2} {3} {4} {5} {6} {7} {8} {9} {10} {11} {12}"'

BY_DAY = [
    Change("muc", '"row 5": ("A-B B-C", "A-C")', '"row 5": ("A-B B-C", "A-B B-C")', TABLE_1, 8),
    Change("muc", '("A-B B-C C-D", "A-B C-D")', '("A-B B-C C-D", "")', TABLE_1, 8),
    Change("muc", '("A-B B-C C-D", "A-B C-D")', '("", "A-B C-D")', TABLE_1, 8),
    Change("ceaf", ALONE, '""', LUO, 13),
    Change("walk-through", 'response = "{a b} {c d} {f g h i}"', 'response = ""', WALK, 0),
    Change("walk-through", 'key = "{a b c} {d e f g}"', 'key = ""', WALK, 0),
]
CHANGES = [
    *BY_DAY,
    Change("muc", '("A-B B-C B-D", "A-B B-C C-D")', '("", "")', TABLE_1, 8),
    Change("muc", "shared + [{mention} for", "shared or [{mention} for", TABLE_1, 9),
    Change("muc", '"A-B B-C D-E E-F G-H H-I"', '"B-C C-D D-E"', LARGER, 3),
    Change("muc", '"A-B C-D F-G G-H"', '"A-B B-C F-G G-H"', LARGER, 2),
    Change("muc", '"A-B C-D F-G G-H"', '""', LARGER, 2),
    Change("muc", '"A-B B-C D-E E-F F-G"', '""', LARGER, 2),
    Change("muc", "sum(len(entity) - 1 for", "sum(len(entity) for", LARGER, 0),
    # 5 and 6 change places in the key.
    Change("b-cubed", KEY_12, 'key = "{1 2 3 4 6} {5 7} {8 9 A B C}"', FIGURE_6, 0),
    Change("b-cubed", KEY_12, 'key = ""', FIGURE_6, 0),
    Change("b-cubed", '"{1 2 3 4 5} {6 7 8 9 A B C}"\nsecond', '""\nsecond', FIGURE_6, 4),
    Change("b-cubed", '9 A B C} {6 7}"\nresponses', '9 A B C} {6 7} {z}"\nresponses', FIGURE_6, 7),
    Change("b-cubed", "ratio(sum(each), len(each))", "ratio(min(each), 2)", FIGURE_6, 4),
    Change("b-cubed", KEY_12, 'key = "{1 2 3 4 6} {5 7} {8 9 A B C}"', BY_ENTITY, 0),
    Change("b-cubed", KEY_12, 'key = ""', BY_ENTITY, 0),
    Change("b-cubed", '"{1 2 3 4 5} {6 7 8 9 A B C}"\nsecond', '""\nsecond', BY_ENTITY, 2),
    Change("b-cubed", '9 A B C} {6 7}"\nresponses', '9 A B C} {6 7} {z}"\nresponses', BY_ENTITY, 2),
    Change("b-cubed", "len(side) * len(s)", "sum(map(len, side))", BY_ENTITY, 1),
    # MUC counts nothing for d, and 0/0 is 0: this one figure stays what it is.
    Change("ceaf", 'key = "{1 2 3 4 5} {6 7} {8 9 10 11 12}"', 'key = ""', LUO, 1),
    Change("ceaf", 'key = "{1 2 3 4 5} {6 7} {8', 'key = "{1 2 3 4} {5 6 7} {8', LUO, 7),
    # 12 moves to 6 and 7, and seven of twelve mentions stay in place: CEAFₘ does not move.
    Change("ceaf", "8 9 10 11 12} {6 7}", "8 9 10 11} {6 7 12}", LUO, 13),
    Change("ceaf", "return len(k & r)\n", "return len(k & r) ** 2\n", LUO, 12),
    Change("blanc", '"A": "{1 2}"', '"A": "{1 2 3}"', EIGHT, 28),
    Change("blanc", '65} {66 67 68} {69 70}"', '65} {66 67} {68 69 70}"', EIGHT, 28),
    # Of the two with an empty side, MUC's "no score" for system G stays what it is.
    Change("blanc", 'several = "{62 63 64 65} {66 67 68} {69 70}"', 'several = ""', EIGHT, 1),
    Change("blanc", "return new + [entity for entity in rest if entity]", "return []", EIGHT, 1),
    # Systems that make as many links as the key has keep their BLANC: E alone.
    Change("blanc", "ratio(right, len(in_response))", "ratio(right, len(in_key))", EIGHT, 25),
    # CEAFₘ recall stays 4/7: e earns nothing in an entity that has no partner.
    Change("walk-through", "{a b} {c d} {f g h i}", "{a b} {c d e} {f g h i}", WALK, 1),
    Change("walk-through", "{a b} {c d} {f g h i}", "{a b} {c d} {f g h i} {z}", WALK, 6),
    Change("walk-through", "Fraction(len(s & o), len(s))", "Fraction(1, len(s))", WALK, 9),
    Change("twinless", '"{a b} {c} {i} {j}"', '"{a b} {c i} {j}"', SERIES, 20),
    Change("twinless", '"{a b} {i j k l}"', '""', SERIES, 17),
    Change("twinless", 'key, first = "{a b c}"', 'key, first = ""', SERIES, 0),
    Change("twinless", "found = kept + only(key, response)", "found = kept", SERIES, 18),
    Change("twinless", "best = max(", "best = min(", SERIES, 11),
    Change("tables", TYPED, '= "{1 2 3 4} {5 6 7 8 9 10}"', TABLE_3, 27),
    Change("tables", TYPED, '= ""', TABLE_3, 21),
    # DEF.19 adds what the response lacks as singletons, and these it was before: nothing falls.
    Change("tables", '"{1} {2} {3} {4} {5} {6} {7} {8} {9} {10}"', '""', TABLE_3, 33),
    Change("tables", "13 14 15 16} {17}", "13 14 15 16} {17} {18}", TABLE_3, 26),
    Change("tables", '"RS"] = score.recall', '"RS"] = score.precision', TABLE_3, 19),
    Change("tables", TYPED, '= "{1 2 3 4} {5 6 7 8 9 10}"', TABLE_4, 14),
    Change("tables", TYPED, '= ""', TABLE_4, 9),
    Change("tables", '"{1} {2} {3} {4} {5} {6} {7} {8} {9} {10}"', '""', TABLE_4, 18),
    Change("tables", "13 14 15 16} {17}", "13 14 15 16} {17} {18}", TABLE_4, 14),
    Change("tables", "ratio(2 * r * p, r + p)", "(r + p) / 2", TABLE_4, 6),
]


class Emptied(NamedTuple):
    """A key or a response of a chapter, and the same with nothing in it."""

    chapter: str
    old: str
    new: str


EMPTIED = [
    Emptied("coreference", 'key = "{Conradin the_boy} {the_doctor his}"', 'key = ""'),
    Emptied("coreference", 'response = "{Conradin his the_boy} {the_doctor}"', 'response = ""'),
    Emptied("muc", 'halves = "{1 2 3 4 5} {6 7 8 9 10}"', 'halves = ""'),
    Emptied("muc", 'everything = "{1 2 3 4 5 6 7 8 9 10}"', 'everything = ""'),
    Emptied("muc", 'key_links = "A-B B-C B-D"', 'key_links = ""'),
    Emptied("muc", 'response_links = "A-B C-D"', 'response_links = ""'),
    Emptied("b-cubed", 'whole, halves = "{1 2 3 4 5 6 7 8 9 10}"', 'whole, halves = ""'),
    Emptied("ceaf", '"c": "{1 2 3 4 5 6 7 8 9 10 11 12}"', '"c": ""'),
    Emptied("ceaf", 'key5 = "{a b c d e}"', 'key5 = ""'),
    Emptied("blanc", 'key = sets("{Conradin the_boy} {the_doctor his}")', 'key = sets("")'),
    Emptied("blanc", 'sets("{Conradin his the_boy} {the_doctor}")', 'sets("")'),
    Emptied("lea", 'key = "{a b c} {d e f g}"', 'key = ""'),
    Emptied("lea", 'response = "{a b} {c d} {f g h i}"', 'response = ""'),
    Emptied("lea", 'right, wrong = "{a b} {c d}"', 'right, wrong = ""'),
    Emptied("twinless", '    "{Conradin the_boy} {the_doctor his}",\n', '    "",\n'),
    Emptied("twinless", '    "{Conradin the_boy five_years} {the_doctor}",\n', '    "",\n'),
    Emptied("twinless", 'second = "{a b d} {c}"', 'second = ""'),
    Emptied("framework", 'key = "{1 2} {3 4 5} {6 7 8 9 10 11 12} {13 14 15 16 17}"', 'key = ""'),
    Emptied("framework", '"{1 2 6 7 8 9 10} {3 4 5 11 12 13 14 15 16} {17}"', '""'),
    Emptied("tables", '"{1 2 6 7 8 9 10} {3 4 5 11 12 13 14 15 16} {17}"', '""'),
    Emptied("tables", '"{1 2} {3 4 5} {6 7 8 9 10 11 12} {13 14 15 16 17}"', '""'),
]


def played(cells: Iterable[str], old: str = "", new: str = "") -> list[Any]:
    """What the cells show last, run one after the other in this process, with one text changed."""
    sources = [*cells]
    if old:
        (at,) = (n for n, source in enumerate(sources) if old in source)
        sources[at] = sources[at].replace(old, new)
    space: dict[str, Any] = {"__name__": "__main__", "display": print}
    shown = []
    for source in sources:
        *body, last = ast.parse(source).body
        expression = isinstance(last, ast.Expr)
        body = body if expression else [*body, last]
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(ast.Module(body, []), "cell", "exec"), space)
            if expression:
                shown.append(eval(compile(ast.Expression(last.value), "cell", "eval"), space))
    return shown


@pytest.fixture
def play(monkeypatch):
    """Play a chapter with a change, as a reader does, to whom what has moved is no error."""
    monkeypatch.delenv(STRICT, raising=False)
    monkeypatch.chdir(BOOK)

    def with_change(chapter: str, old: str = "", new: str = "") -> list[Any]:
        code = [cell.source for cell in code_cells(BOOK / f"{chapter}.ipynb")]
        shown = played(code, old, new)
        assert isinstance(shown[-1], Evidence)
        return shown

    return with_change


def text(cell: nbformat.NotebookNode) -> str:
    """What a cell shows, as plain text."""
    return "".join(
        output.get("text") or output.get("data", {}).get("text/plain", "")
        for output in cell.outputs
    )


def ticks(table: str) -> int:
    """How many cells of a table are equal or possible; its caption says it once more."""
    _, _, rows = table.partition("\n")
    return rows.count(" ✓") + rows.count(" (✓)")


@some_by_day("change", CHANGES, BY_DAY)
def test_ticks_fall_with_key_and_formula(play, change):
    shown = [*map(repr, play(change.chapter, change.old, change.new))]
    (table,) = (each for each in shown if each.startswith(change.caption))
    assert ticks(table) == change.left


@every_row("path", CHAPTERS)
def test_each_table_of_own_values_is_tried_enough(path):
    for cell in code_cells(path):
        if "as_printed(" in cell.source or "beside_printed(" in cell.source:
            shown = text(cell)
            tried = [each for each in CHANGES if shown.startswith(each.caption)]
            assert {each.chapter for each in tried} == {path.stem}, shown.partition("\n")[0]
            assert len(tried) >= 5
            assert ticks(shown) == TICKS[tried[0].caption]


@pytest.mark.proof
@every_row("emptied", EMPTIED)
def test_an_empty_side_does_not_stop_a_chapter(play, emptied):
    play(*emptied)


def test_zero_of_zero_is_shown(play):
    shown = [*map(repr, play("lea", 'key = "{a b c} {d e f g}"', 'key = ""'))]
    assert any("nothing to draw" in each.lower() for each in shown)
    shown = [*map(repr, play("walk-through", '{a b} {c d} {f g h i}"', '"'))]
    (table,) = (each for each in shown if each.startswith(WALK))
    assert table.count("≠ 0/0") == 8


def test_a_broken_credit_is_told_among_the_sentences(play):
    *_, fold = play("walk-through", "Fraction(len(s & o), len(s))", "Fraction(1, len(s))")
    moved = "\n".join(fold.moved)
    assert "“Recall is 5/12”" in moved
    assert "“with what our functions have given under it”" in moved


def test_a_table_from_elsewhere_keeps_its_ticks():
    table = "'Table 9, printed\\n1/2 ✓'"
    assert ticks(played(["key = 1", table], "key = 1", "key = 2")[-1]) == 1
