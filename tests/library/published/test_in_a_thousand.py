"""A thousand tables by seed, in the forms that people print: none accused, and slips found.

The page *Do printed numbers add up?* has the shares, which are computed here again.
"""

import random
from decimal import ROUND_DOWN, ROUND_HALF_UP
from fractions import Fraction
from functools import cache
from pathlib import Path
from statistics import median
from typing import NamedTuple

import pytest
from prints import as_printed

from corefeval.published.check import check_table
from corefeval.published.read import PrintedTable, tables_in
from corefeval.published.report import reports

MEASURES = ("MUC", "B3", "CEAFe")
PARTS = ("precision", "recall", "F1")
CELLS = [(measure, part) for measure in MEASURES for part in PARTS] + [("average", "F1")]
TABLES = 1000


class Drawn(NamedTuple):
    """A table: the texts of its systems' cells, rows below them that are means, and its print."""

    rows: list[dict]
    means: list[dict]
    decimals: int
    way: str
    form: str
    mean_column: bool


def harmonic(recall, precision):
    return 2 / (1 / recall + 1 / precision)


def drawn(seed):
    """Scores that somebody could have, printed by one rule."""
    draw = random.Random(seed)
    scale = draw.choice([1, 1, 100])
    decimals = draw.choice([3, 4]) if scale == 100 else draw.choice([1, 2])
    way = draw.choice([ROUND_HALF_UP, ROUND_HALF_UP, ROUND_DOWN])
    values = []
    for _ in range(draw.randint(3, 10)):
        row = {}
        for measure in MEASURES:
            recall, precision = (Fraction(draw.randrange(20_000, 95_000), 1000) for _ in "rp")
            row |= {(measure, "recall"): recall, (measure, "precision"): precision}
            row[measure, "F1"] = harmonic(recall, precision)
        row["average", "F1"] = sum(row[measure, "F1"] for measure in MEASURES) / 3
        for part in PARTS:
            row["mean", part] = sum(row[measure, part] for measure in MEASURES) / 3
        values.append(row)
    mean = {cell: sum(row[cell] for row in values) / len(values) for cell in values[0]}
    printed = [
        {cell: as_printed(value / scale, decimals, way) for cell, value in row.items()}
        for row in [*values, mean]
    ]
    form = draw.choice([*FORMS])
    below = draw.choice([[], printed[-1:]])
    return Drawn(printed[:-1], below, decimals, way, form, draw.random() < 0.3)


def with_slip(table, seed):
    """The table with another digit in one cell of one row: the row, and the cell."""
    draw = random.Random(seed)
    place, cell = draw.randrange(len(table.rows)), draw.choice(CELLS)
    text = table.rows[place][cell]
    at = draw.choice([i for i, digit in enumerate(text) if digit.isdigit() and i >= len(text) - 4])
    if text.startswith("0."):
        at = max(at, 2)
    digit = draw.choice([each for each in "0123456789" if each != text[at]])
    rows = [*table.rows]
    rows[place] = rows[place] | {cell: text[:at] + digit + text[at + 1 :]}
    return table._replace(rows=rows), place, cell


# ------------------------------------------------------------------------------------- forms

MEAN_ROWS = ("Average", "avg.", "Overall", "Macro average", "Mean", "the test sets together")


def labelled(table):
    rows = [(f"system {number}", row) for number, row in enumerate(table.rows, 1)]
    name = MEAN_ROWS[len(table.rows) % len(MEAN_ROWS)]
    return rows + [(name, row) for row in table.means]


def columns(table):
    return CELLS + [("mean", part) for part in PARTS] * table.mean_column


def dressed(text, draw):
    """A number as LaTeX has it in one of many ways."""
    ways = [
        "{}", r"\textbf{{{}}}", r"\underline{{{}}}", r"\num{{{}}}", r"{}$^{{1}}$", r"\bf {}",
        r"\hphantom{{1}}{}", r"\fontsize{{8}}{{9}}\selectfont {}", r"\cellcolor{{gray!20}}{}",
        r"{}\footnote{{as in 2.5}}", r"{} $\pm$ 0.3", r"\makebox[2em][r]{{{}}}",
        r"\raisebox{{1pt}}{{{}}}", r"\textcolor{{red}}{{{}}}",
        r"\multicolumn{{1}}{{c@{{\hspace{{1pt}}}}}}{{{}}}",
        r"{{\small {}}}", r"{}\textsuperscript{{$\dagger$}}", r"\SI{{{}}}{{\percent}}",
    ]  # fmt: skip
    return draw.choice(ways).format(text)


def latex(table):
    draw = random.Random(len(table.rows))
    spans = "".join(rf" & \multicolumn{{3}}{{c}}{{{m}}}" for m in ("MUC", "B$^3$", "CEAF$_e$"))
    of_mean = r" & \multicolumn{3}{c}{Semeval}" * table.mean_column
    parts = r" & P & R & F$_1$-score"
    lines = [
        r"\begin{tabular}[t]{l*{9}{S[table-format=2.1]}c}\toprule",
        rf"{spans} & {of_mean} \\ \cmidrule(lr){{2-4}}\cmidrule(lr){{5-7}}",
        rf"System{parts * 3} & Avg.{parts * table.mean_column} \\[1ex] \midrule",
    ]
    for name, row in labelled(table):
        cells = [dressed(row[cell], draw) for cell in columns(table)]
        lines.append(" & ".join([name, *cells]) + r" \\ \rowcolor{gray!10}")
    return "\n".join([*lines, r"\bottomrule\end{tabular}"])


def heads(table, f1="F1"):
    names = {"precision": "P", "recall": "R", "F1": f1}
    found = [f"{measure} {names[part]}" for measure in MEASURES for part in PARTS] + ["MELA"]
    return found + [f"Semeval {names[part]}" for part in PARTS] * table.mean_column


def comma(table):
    lines = [["System", *heads(table, "f1-score")]]
    lines += [[name, *(row[cell] for cell in columns(table))] for name, row in labelled(table)]
    return "\n".join(",".join(line) for line in lines)


def markdown(table):
    lines = [["System", *heads(table, "F-measure")], ["---"] * (1 + len(heads(table)))]
    lines += [[f"**{name}**", *(row[c] for c in columns(table))] for name, row in labelled(table)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def slashes(table):
    names = [*MEASURES, *["Semeval"] * table.mean_column]
    lines = [["System", *(f"{name} (P/R/F1)" for name in MEASURES), "CoNLL-2012"]]
    lines[0] += [f"{name} (P/R/F1)" for name in names[3:]]
    lines.append(["---"] * len(lines[0]))
    for name, row in labelled(table):
        groups = ["/".join(row[measure, part] for part in PARTS) for measure in MEASURES]
        groups.append(row["average", "F1"])
        groups += ["/".join(row["mean", part] for part in PARTS)] * table.mean_column
        lines.append([name, *groups])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def pasted(table):
    parts = " P R F1-score"
    lines = ["MUC B3 CEAFe", f"{(parts * 3).strip()} Avg."]
    lines += [" ".join([name, *(row[cell] for cell in CELLS)]) for name, row in labelled(table)]
    return "\n".join(lines)


FORMS = {"LaTeX": latex, "CSV": comma, "Markdown": markdown, "slashes": slashes, "pasted": pasted}


# ------------------------------------------------------------------------- incomplete tables

ALL_MEASURES = ("MUC", "B3", "CEAFm", "CEAFe", "LEA")


def incomplete(seed):
    """A clean table in CSV: some cells missing, some numbers whole, and an average of some kind."""
    draw = random.Random(f"incomplete {seed}")
    measures = draw.choice([MEASURES, ALL_MEASURES[:4], ALL_MEASURES])
    averaged = draw.choice([MEASURES, MEASURES, measures, measures[1:]])
    parts = draw.choice([PARTS, PARTS, PARTS[2:]])
    way = draw.choice([ROUND_HALF_UP, ROUND_DOWN])
    scale, decimals = draw.choice([(1, 0), (1, 1), (1, 2), (100, 2), (100, 3)])
    of_means = parts == PARTS and draw.random() < 0.2
    lines = [["System", *(f"{m} {part}" for m in measures for part in parts), "Avg."]]
    values = [incomplete_row(draw, measures, averaged, of_means) for _ in range(draw.randint(1, 8))]
    for number, row in enumerate(values, 1):
        cells = [row[m, part] for m in measures for part in parts] + [row["average", "F1"]]
        texts = [as_printed(cell / scale, decimals, way) for cell in cells]
        if scale == 1 and way == ROUND_HALF_UP and draw.random() < 0.3:  # 60.0 is printed as 60
            texts = [text.removesuffix(".0").removesuffix(".00") for text in texts]
        for _ in range(draw.choice([0, 0, 1, 2])):
            texts[draw.randrange(len(texts))] = draw.choice(["--", "-", "", "n/a"])
        lines.append([f"system {number}", *texts])
    return "\n".join(",".join(line) for line in lines)


def incomplete_row(draw, measures, averaged, of_means):
    row = {}
    whole = draw.random() < 0.2
    for measure in measures:
        recall, precision = (Fraction(draw.randrange(20_000, 95_000), 1000) for _ in "rp")
        if whole:
            recall = precision = Fraction(round(recall))
        row |= {(measure, "recall"): recall, (measure, "precision"): precision}
        row[measure, "F1"] = harmonic(recall, precision)
    means = {part: sum(row[m, part] for m in averaged) / len(averaged) for part in PARTS}
    of_parts = harmonic(means["recall"], means["precision"])
    row["average", "F1"] = of_parts if of_means else means["F1"]
    return row


def accused_in(text):
    """The rows that a report marks; every row of the text is read, or named as left out."""
    (found,) = reports(text)
    said = " ".join(found.sentences) + found.headline
    shown = found.table.lines[1:] if found.table else []
    for line in text.splitlines()[1:]:
        label = line.partition(",")[0]
        assert label in [row[0] for row in shown] or repr(label) in said, (label, said)
    return [row for row in shown if any("≠" in cell for cell in row)]


# ------------------------------------------------------------------------------------- shares


def verdict_on(table):
    (printed,) = tables_in(FORMS[table.form](table))
    assert isinstance(printed, PrintedTable)
    return check_table(printed)


def can_be(row, unit):
    """Whether each F1 and the average can be so by some rule, from ends of intervals alone."""
    of_f1 = []
    averages = []
    for below in (unit / 2, Fraction(0)):
        lowest = {cell: Fraction(row[cell]) - below for cell in CELLS}
        ends = {cell: (low, low + unit) for cell, low in lowest.items()}
        fits, lows, highs = [], [], []
        for measure in MEASURES:
            recall, precision, own = (ends[measure, part] for part in ("recall", "precision", "F1"))
            low, high = map(harmonic, recall, precision)
            low, high = max(low, own[0]), min(high, own[1])
            fits.append(low <= high)
            # Where the three do not fit, the printed F1 may still have been averaged.
            low, high = (low, high) if low <= high else own
            number = Fraction(row[measure, "F1"])
            lows.append(min(low, number))
            highs.append(max(high, number))
        of_f1.append(fits)
        least, most = ends["average", "F1"]
        averages.append(max(sum(lows) / 3, least) <= min(sum(highs) / 3, most))
    return all(map(any, zip(*of_f1, strict=True))) and any(averages)


class Slip(NamedTuple):
    """A slip: whether the intervals show it, which rows are accused, and which cells are blamed."""

    shows: bool
    row: str
    cell: tuple[str, str]
    accused: set[str]
    blamed: list[tuple[str, str]]


@cache
def slips():
    found = []
    for seed in range(TABLES):
        table, place, cell = with_slip(drawn(seed), seed)
        verdict = verdict_on(table)
        row = f"system {place + 1}"
        accused = {verdict.rows[at].printed.label: fault for at, fault in verdict.findings.items()}
        columns = accused[row].explained_by if row in accused else []
        blamed = [_name(column, verdict.measures) for column in columns]
        shows = not can_be(table.rows[place], Fraction(1, 10**table.decimals))
        found.append(Slip(shows, row, cell, {*accused}, blamed))
    return found


def _name(column, measures):
    if column.measure.startswith("average"):
        return "average", "F1"
    return MEASURES[measures.index(column.measure)], column.part


@pytest.mark.proof
def test_of_a_thousand_clean_tables_none_is_accused():
    for seed in range(TABLES):
        verdict = verdict_on(drawn(seed))
        assert not verdict.findings, (seed, verdict.findings, verdict.notes)


@pytest.mark.proof
def test_of_a_thousand_incomplete_tables_none_is_accused():
    for seed in range(TABLES):
        assert not accused_in(incomplete(seed)), seed


@pytest.mark.parametrize("seed", range(40))
def test_of_a_few_incomplete_ones_by_day(seed):
    assert not accused_in(incomplete(seed))


@pytest.mark.parametrize("seed", range(20))
def test_of_a_few_by_day(seed):
    assert not verdict_on(drawn(seed)).findings
    table, place, _ = with_slip(drawn(seed), seed)
    verdict = verdict_on(table)
    accused = {verdict.rows[at].printed.label for at in verdict.findings}
    shows = not can_be(table.rows[place], Fraction(1, 10**table.decimals))
    assert accused == ({f"system {place + 1}"} if shows else set())


@pytest.mark.proof
def test_a_slip_accuses_its_own_row_alone():
    for seed, slip in enumerate(slips()):
        assert slip.accused <= ({slip.row} if slip.shows else set()), seed
        assert not slip.accused or slip.cell in slip.blamed, seed


PAGE = (Path(__file__).parents[3] / "book" / "row-checker.md").read_text("utf-8")


@pytest.mark.proof
def test_the_page_has_the_shares():
    shown = [slip for slip in slips() if slip.shows]
    found = [slip for slip in shown if slip.accused]
    sizes = [len(slip.blamed) for slip in found]
    missed = len(shown) - len(found)
    middle, single = median(sizes), sizes.count(1)
    assert f"it found {len(found)}, all that the intervals allow but {missed}." in PAGE
    assert f"it named {middle:g} cells or fewer in half of them, and one alone in {single}." in PAGE
    assert f"nor in {TABLES:,} more in which cells were missing" in PAGE
    assert f"of {TABLES:,} with one slip" in PAGE and f"We made {TABLES:,} tables" in PAGE
