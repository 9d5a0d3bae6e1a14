"""A paper's tables in its own orientation, with what was computed beside what is printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from corefbook.ledger.agreement import as_precise, matches
from corefbook.ledger.figures import Row, load
from corefbook.tables import Differs, Equal, Possible, Table
from corefeval.errors import CorefError

Where = Mapping[str, str | Collection[str]]
"""Which figures are chosen: for fields of a `Row` the value that they have, or one of several."""


class Layout(NamedTuple):
    """Which field of a figure names its row, which its column, and other names for some of them."""

    rows: str
    columns: str
    names: Mapping[str, str]


class Grid(NamedTuple):
    """The figures of a table by their rows and, in these, by their columns; the columns in order.

    A column in which a row has no figure is missing in that row alone.
    """

    lines: dict[str, dict[str, Row]]
    heads: list[str]

    @property
    def figures(self) -> list[Row]:
        """All figures of the table."""
        return [figure for line in self.lines.values() for figure in line.values()]


def _grid(papers: str | Sequence[str], places: Sequence[str], where: Where, layout: Layout) -> Grid:
    """The figures of a table that papers print at these places, as they are laid out."""
    names = layout.names
    lines: dict[str, dict[str, Row]] = {}
    for paper in _several(papers):
        for figure in _chosen(paper, tuple(places), where):
            row, column = getattr(figure, layout.rows), getattr(figure, layout.columns)
            if row:
                line = lines.setdefault(names.get(row, row), {})
                line.setdefault(names.get(column, column), figure)
    heads = [column for line in lines.values() for column in line]
    as_chosen = [names.get(name, name) for name in _several(where.get(layout.columns, ()))]
    return Grid(lines, _ordered(heads, [*names.values(), *as_chosen]))


def _chosen(paper: str, places: tuple[str, ...], where: Where) -> list[Row]:
    """A paper's figures at places that begin so, whose fields have one of the values asked for."""
    at_places = load(paper).rows(places=places or ("",))
    wanted = {field: _several(values) for field, values in where.items()}
    figures = [row for row in at_places if all(getattr(row, f) in wanted[f] for f in wanted)]
    if not figures:
        raise CorefError(f"{paper} has no figures of {places or 'any place'} with {dict(where)}")
    return figures


def _several(value: str | Collection[str]) -> Collection[str]:
    return [value] if isinstance(value, str) else value


def _place(figures: Sequence[Row]) -> str:
    """What the places of figures have in common, as the beginning of a sentence."""
    common = figures[0].place.split(", ")
    for figure in figures:
        pieces = zip(common, figure.place.split(", "), strict=False)
        common = [one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pieces)]
    place = ", ".join(common) or "figures of the paper"
    return place[0].upper() + place[1:]


def as_printed(
    paper: str | Sequence[str],
    *places: str,
    by: Mapping[str, Sequence[Any]],
    caption: str = "",
    rows: str = "example",
    columns: str = "label",
    names: Mapping[str, str] = {},
    **where: str | Collection[str],
) -> Table:
    """A table of a paper in its own orientation, under each printed row what a chapter computed.

    ``by`` has for each row the values that the chapter computed, in the order of the columns, and
    None where it has none. A value that is what is printed (`matches`) has a tick, another is
    marked; a figure without a value has a dash, and a row without values has no row under it. A
    value is shown as precise as what is printed.

    ``rows`` and ``columns`` are what names the paper's rows and columns: "example", "label",
    "place", or "title" and "part" of scores; figures that have no such name are left out.
    ``names`` has other names for some of them. Columns stand in the order of ``names``, or else in
    that in which they are chosen. Several papers are given where the ledger has the rows of one
    table in several files. The figures are those whose place begins with one of ``places``, or all
    without any; keywords choose further: ``example="row-1"``, ``cell="credits"`` …, or one of
    several: ``example=["row-1", "row-2"]``.

    Raises `CorefError` where there is no such figure, for values of a row that is not printed, and
    for too few or too many.

    >>> from corefeval.score import Tally
    >>> computed = {"row-1": [Tally(2, 3), Tally(1, 2)]}
    >>> as_printed("vilain1995", "Table 1", example="row-1", caption="Row 1", by=computed)
    Row 1, printed and computed. Of 2 figures 1 is equal ✓, 1 different ≠.
                     MUC recall  MUC precision
    row-1  printed   2/3         2/2
           computed  2/3 ✓       ≠ 1/2
    """
    grid = _grid(paper, places, where, Layout(rows, columns, names))
    heads = grid.heads
    _refuse_other_values(by, grid)
    body: list[list[str]] = []
    for name, line in grid.lines.items():
        printed = [line[head].printed if head in line else "" for head in heads]
        body.append([name, "printed", *printed])
        if name in by:
            values = dict(zip(heads, by[name], strict=True))
            below = [_held(line[head], values[head]) if head in line else "" for head in heads]
            body.append(["", "computed", *below])
    title = caption or _place(grid.figures)
    about = f"{title}, printed and computed. {_of_marks(body, len(grid.figures))}"
    return Table(["", "", *heads], body, about)


def _held(row: Row, value: Any) -> str:
    """A value under a printed figure: with a tick if it is that, marked if it is not.

    The tick is in brackets where the ledger calls the figure no more than possible, because the
    formula was chosen to fit.
    """
    if value is None:
        return "—"
    text = as_precise(row.printed, value, row.unit)
    if not matches(row.printed + row.unit, value):
        return Differs(text)
    return Possible(text) if row.group == "possible" else Equal(text)


def _refuse_other_values(by: Mapping[str, Sequence[Any]], grid: Grid) -> None:
    for name, values in by.items():
        if name not in grid.lines:
            expected = ", ".join(grid.lines)
            raise CorefError(f"no row {name!r} is printed: expected one of {expected}")
        if len(values) != len(grid.heads):
            columns = f"{len(grid.heads)} columns: {', '.join(grid.heads)}"
            raise CorefError(f"{name}: {len(values)} values for {columns}")


def ticked(
    paper: str | Sequence[str],
    *places: str,
    caption: str = "",
    rows: str = "example",
    columns: str = "label",
    names: Mapping[str, str] = {},
    **where: str | Collection[str],
) -> Table:
    """A table of a paper in its own orientation, with a mark at each figure that we computed.

    A tick says that the computed figure is equal, a tick in brackets that the printed one is
    possible, as far as can be checked. Only a row in which a figure differs has a computed row
    under it. A figure without a mark was not computed. What is computed is the ledger's; the other
    arguments are those of `as_printed`.

    >>> ticked("vilain1995", "Table 1", example="row-1", caption="Row 1 of the table")
    Row 1 of the table. All 2 figures are equal ✓.
           MUC recall  MUC precision
    row-1  2/3 ✓       2/2 ✓
    """
    grid = _grid(paper, places, where, Layout(rows, columns, names))
    heads = grid.heads
    body: list[list[str]] = []
    for name, line in grid.lines.items():
        body.append([name, *(_marked(line[head]) if head in line else "" for head in heads)])
        differing = {head: figure for head, figure in line.items() if _differs(figure)}
        if differing:
            again = [Differs(differing[h].again) if h in differing else "" for h in heads]
            body.append(["computed", *again])
    about = f"{caption or _place(grid.figures)}. {_of_marks(body, len(grid.figures))}"
    return Table(["", *heads], body, about)


def _marked(row: Row) -> str:
    """What is printed, with a mark of what came of computing it."""
    if row.group == "equal":
        return Equal(row.printed)
    return Possible(row.printed) if row.group == "possible" else row.printed


def _differs(row: Row) -> bool:
    return not row.agrees and row.group not in ("equal", "possible")


def _of_marks(body: Sequence[Sequence[str]], figures: int) -> str:
    """How many of a table's figures have which mark.

    >>> _of_marks([["MUC", Equal("1/2"), Differs("0.3")]], 2)
    'Of 2 figures 1 is equal ✓, 1 different ≠.'
    """
    marks = Counter(type(cell) for row in body for cell in row)
    counted = {
        "equal ✓": marks[Equal],
        "possible (✓)": marks[Possible],
        "different ≠": marks[Differs],
    }
    counted["not computed"] = figures - sum(counted.values())
    (number, what), *others = [(number, what) for what, number in counted.items() if number]
    if not others:
        return f"All {number} figures are {what}."
    be = "is" if number == 1 else "are"
    behind = "".join(f", {more} {what}" for more, what in others)
    return f"Of {figures} figures {number} {be} {what}{behind}."


def _ordered(heads: Iterable[str], order: Sequence[str]) -> list[str]:
    """Each head once, those of ``order`` first and in it.

    >>> _ordered(["F1", "R", "P", "R"], ["R", "P", "F2"])
    ['R', 'P', 'F1']
    """
    each_once = dict.fromkeys(heads)
    return [head for head in dict.fromkeys([*order, *each_once]) if head in each_once]


def not_computed(rows: Collection[Row]) -> bool:
    """Whether intervals hold what is printed, and none of the figures was computed."""
    verdicts = {row.verdict for row in rows}
    return "consistent" in verdicts <= {"consistent", "not testable", "given"}
