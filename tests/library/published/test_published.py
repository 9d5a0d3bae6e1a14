"""The checker of whole tables: what it reads, what cannot be so, and whom it never accuses."""

import csv
import io
import random
import subprocess
import sys
from decimal import ROUND_DOWN, ROUND_HALF_UP
from fractions import Fraction
from pathlib import Path

import pytest
from corefbook.ledger import Example
from corefbook.pages.row import answer, verdict
from corefbook.papers import published_tables
from corefbook.papers.published_tables import AVERAGED, rows_of
from prints import as_printed

from corefeval import CorefError, cli
from corefeval.published.intervals import CUT, ROUNDED
from corefeval.published.read import read, tables_in
from corefeval.published.report import BEFORE, NEVER, Report, in_markdown, in_text, report, reports
from corefeval.published.row_check import check
from corefeval.score import f1

PAPERS = ("lee2018", "shared_task_2012")
ORDER = ("precision", "recall", "f1")
COLUMNS = [f"{measure}.{part}" for measure in AVERAGED for part in ORDER] + ["average"]
HEADS = [f"{m} {p}" for m in ("MUC", "B3", "CEAFe") for p in ("P", "R", "F1")] + ["Avg."]
Rows = dict[str, dict[str, str]]


def printed_rows() -> Rows:
    """The rows of the chapter's two tables: the text of each cell."""
    return {row.name: dict(row.given) for paper in PAPERS for row in rows_of(paper)}


def as_csv(rows: Rows, separator: str = ",") -> str:
    file = io.StringIO()
    writer = csv.writer(file, delimiter=separator)
    writer.writerow(["System", *HEADS])
    writer.writerows([name, *(row[column] for column in COLUMNS)] for name, row in rows.items())
    return file.getvalue()


def as_latex(rows: Rows) -> str:
    spans = " & ".join(f"\\multicolumn{{3}}{{c}}{{{m}}}" for m in ("MUC", "B$^3$", "CEAF$_e$"))
    lines = [
        r"\begin{tabular}{lccccccccc|c}\toprule",
        rf" & {spans} & \\ \cmidrule(lr){{2-4}}",
        " & " + " & ".join(["Prec. & Rec. & F$_1$"] * 3) + r" & Avg.\ F$_1$ \\ \midrule",
    ]
    for name, row in rows.items():
        cells = [rf"\textbf{{{row[c]}}}$^1$" if c == "b3.f1" else row[c] for c in COLUMNS]
        lines.append(" & ".join([name.replace("&", r"\&"), *cells]) + r" \\ % a note 1.2 3.4")
    return "\n".join([*lines, r"\bottomrule\end{tabular}"])


def as_markdown(rows: Rows) -> str:
    lines = ["| | MUC | | | B³ | | | CEAFₑ | | | |", "|:-" + "|-:" * 10 + "|"]
    lines.append("| System |" + " P | R | F1 |" * 3 + " Avg. F1 |")
    for name, row in rows.items():
        cells = [f"**{row[c]}**" if c == "average" else row[c] for c in COLUMNS]
        lines.append("| " + " | ".join([name, *cells]) + " |")
    return "\n".join(lines)


def as_pdf(rows: Rows) -> str:
    lines = ["MUC B3 CEAFφ4", "Prec. Rec. F1 Prec. Rec. F1 Prec. Rec. F1 Avg. F1"]
    lines += (" ".join([name, *(row[c] for c in COLUMNS)]) for name, row in rows.items())
    return "\n".join(lines)


FORMS = {
    "CSV": as_csv,
    "TSV": lambda rows: as_csv(rows, "\t"),
    "LaTeX": as_latex,
    "Markdown": as_markdown,
    "PDF": as_pdf,
}


@pytest.mark.parametrize("form", FORMS)
def test_a_table_is_read_as_people_have_it(form):
    rows = printed_rows()
    found = read(FORMS[form](rows))
    parts = [{"precision": "precision", "recall": "recall", "f1": "F1"}[p] for p in ORDER] * 3
    assert [column.part for column in found.columns] == [*parts, "F1"]
    assert [line.label for line in found.rows] == [*rows] and not found.left_out
    for line, row in zip(found.rows, rows.values(), strict=True):
        assert [*line.cells.values()] == [row[column] for column in COLUMNS]


@pytest.mark.parametrize("form", FORMS)
def test_in_the_chapters_tables_every_number_can_be(form):
    found = report(FORMS[form](printed_rows()))
    assert found.headline.startswith("None of 18 rows")
    assert str(found.table.lines).count("(✓)") == 18 * 4
    assert found.headline.endswith(f"{18 * 4} numbers could be checked.")
    (said,) = [each for each in found.sentences if each.startswith("The average")]
    assert "can be the mean of the F1 of MUC" in said and "in 18 of 18 rows" in said


def adds_up(row: dict[str, str]) -> bool:
    """The chapter's own check, which takes all for rounded."""
    example = Example("", row)
    left = [published_tables.f_left(example, measure) for measure in AVERAGED]
    if any(low > high for low, high in left):
        return False
    low, high = published_tables.average_between(example)
    print_low, print_high = ROUNDED.behind(row["average"])
    return max(low, print_low) <= min(high, print_high)


def drawn(seed: int) -> Rows:
    """Twenty rows of scores that somebody could have: rounded once, at the end."""
    draw = random.Random(seed)
    rows: Rows = {}
    for number in range(20):
        row, f1s = {}, []
        for measure in AVERAGED:
            recall, precision = (Fraction(draw.randrange(20_000, 95_000), 1000) for _ in "rp")
            f1s.append(f1(recall, precision))
            parts = zip(("recall", "precision", "f1"), (recall, precision, f1s[-1]), strict=True)
            row |= {f"{measure}.{part}": value for part, value in parts}
        rows[f"system {number}"] = row | {"average": sum(f1s, Fraction(0)) / 3}
    return rows


def printed(rows: Rows, way: str = ROUND_HALF_UP, decimals: int = 1) -> Rows:
    return {
        name: {cell: as_printed(value, decimals, way) for cell, value in row.items()}
        for name, row in rows.items()
    }


def with_slips(rows: Rows, seed: int) -> Rows:
    """A digit of one cell of each row is another one."""
    draw = random.Random(seed)
    found = {}
    for name, row in rows.items():
        cell = draw.choice(COLUMNS)
        text = row[cell]
        place = draw.choice([i for i, digit in enumerate(text) if digit.isdigit()])
        digit = draw.choice([each for each in "0123456789" if each != text[place]])
        found[name] = row | {cell: text[:place] + digit + text[place + 1 :]}
    return found


def doubted(found: Report, words: tuple[str, ...]) -> set[str]:
    """The rows of a report that have a cell with one of these words."""
    return {
        row[0] for row in found.table.lines[1:] if any(w in cell for cell in row for w in words)
    }


@pytest.mark.parametrize("seed", range(5))
def test_slips_are_those_of_the_chapters_check(seed):
    rows = with_slips(printed(drawn(seed)), seed)
    found = report(as_latex(rows))
    by_chapter = {name for name, row in rows.items() if not adds_up(row)}
    assert len(by_chapter) > 10
    # Possible if cut off says: not if rounded, as the chapter takes all.
    assert doubted(found, ("≠", "if cut off")) == by_chapter
    accused = doubted(found, ("≠",))
    assert accused <= by_chapter and found.headline.startswith(f"{len(accused)} of 20 rows have")
    assert {
        each.partition(":")[0] for each in found.sentences if " does not fit. " in each
    } == accused


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("way", [ROUND_HALF_UP, ROUND_DOWN])
@pytest.mark.parametrize("decimals", [1, 2])
def test_of_twenty_clean_rows_none_is_accused(seed, way, decimals):
    found = report(as_csv(printed(drawn(seed), way, decimals)))
    assert found.headline.startswith("None of 20 rows has")
    assert not doubted(found, ("≠", "if cut off" if way == ROUND_HALF_UP else "if r"))


@pytest.mark.parametrize(
    ("cells", "shown", "mixed"),
    [
        (("50.0", "70.0", "58.3"), "58.3 (✓)", False),
        (("50.1", "70.0", "58.3"), "58.3 if rounded", False),
        (("50.4", "76.6", "60.9"), "60.9 if cut off", False),
        (("50.0", "70.0", "58.2"), "≠ 58.2", True),
        (("50.0", "70.0", "57.2"), "≠ 57.2", False),
    ],
)
def test_a_number_fits_rules_or_none(cells, shown, mixed):
    found = report(f"System, MUC R, MUC P, MUC F1\nours, {', '.join(cells)}")
    cell = found.table.lines[1][1]
    assert cell == shown
    accused = shown.startswith("≠")
    assert found.headline.startswith("The one row has a n" if accused else "The one row has no n")
    assert any(" does not fit. " in each for each in found.sentences) == accused
    assert ("some were rounded and others cut off" in str(found)) == mixed
    # By the check of single rows, too.
    for rule, printed_so in (("rounded", ROUNDED), ("cut off", CUT)):
        possible = check({"MUC": cells}, rule=printed_so).possible
        assert possible == (shown in (f"{cells[2]} (✓)", f"{cells[2]} if {rule}"))


def test_exchanged_parts_are_not_found_as_said():
    rows = printed_rows()
    for row in rows.values():
        row["muc.recall"], row["muc.precision"] = row["muc.precision"], row["muc.recall"]
    found = report(as_csv(rows))
    assert found.headline.startswith("None of")
    for each in (found, report(as_csv(with_slips(printed(drawn(1)), 1)))):
        assert NEVER in in_text([each]) and "never found" in answer([each]).html


def test_nobody_is_called_wrong():
    said = str(report(as_csv(with_slips(printed(drawn(2)), 2)))).lower()
    assert "cannot be so" in said
    assert "wrong" not in said and "misprint" not in said and "error" not in said


# Averages


@pytest.mark.parametrize("chosen", [(0, 1), (0, 2), (1, 2, 3), (0, 1, 2, 3), (0, 1, 2, 3, 4)])
def test_the_columns_of_a_mean_are_found(chosen):
    draw = random.Random(sum(chosen))
    names = ["MUC", "B3", "CEAFm", "CEAFe", "LEA"]
    lines = [", ".join(["", *names, "Avg"])]
    for number in range(8):
        scores = [Fraction(draw.randrange(2000, 9500), 100) for _ in names]
        mean = sum((scores[i] for i in chosen), Fraction(0)) / len(chosen)
        lines.append(
            ", ".join([f"s{number}", *(as_printed(x, 1, ROUND_HALF_UP) for x in [*scores, mean])])
        )
    said = [each for each in report("\n".join(lines)).sentences if each.startswith("The average")]
    expected = ", ".join(names[i] for i in chosen[:-1]) + f" and {names[chosen[-1]]}"
    assert f"the mean of the F1 of {expected} in 8 of 8 rows" in said[0]


def test_f1_of_means_is_no_mean_of_f1():
    rows = drawn(3)
    for row in rows.values():
        parts = [[row[f"{m}.{part}"] for m in AVERAGED] for part in ("recall", "precision")]
        row["average"] = f1(*(sum(each, Fraction(0)) / 3 for each in parts))
    found = report(as_csv(printed(rows)))
    assert found.headline.startswith("None of")
    assert any(
        "be the F1 of the mean recall and precision of MUC, B3" in x for x in found.sentences
    )


def test_an_average_of_something_else_accuses_no_row():
    rows = printed_rows()
    for number, row in enumerate(rows.values()):
        row["average"] = f"{20 + number}.0"
    found = report(as_csv(rows))
    assert found.headline.startswith("None of")
    assert any("what is it an average of?" in each for each in found.sentences)


# What is asked, and what is left out


def test_without_heads_columns_are_asked_for():
    text = "\n".join(as_csv(printed_rows()).splitlines()[1:])
    with pytest.raises(CorefError, match=r"name the columns with numbers, .* by --columns"):
        report(text)
    assert report(text, ", ".join(HEADS)).headline.startswith("None of 18")
    swapped = ["MUC R", "MUC F1", "MUC P", *HEADS[3:]]
    # No slip explains 18 rows: it is said, and nobody is blamed.
    found = report(text, ", ".join(swapped))
    assert not found.faults and "MUC: in 18 of 18 rows F1 is not that of" in str(found)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("no numbers", "no row of numbers"),
        ("MUC B3\nP R F1 P R F1\nours 76.2 69.3 72.6", "'ours': 3 cells, and 6 columns"),
        ("MUC B3 CEAFe\nP R F1 P R F1\nours 76.2 69.3 72.6 70.1 70.2 70.3", "name the columns"),
        ("a, MUC R, MUC P, MUC F1\nours, 769.3, 72.1, 72.6", "MUC recall: '769.3' is no number"),
    ],
)
def test_what_cannot_be_read_is_refused(text, told):
    with pytest.raises(CorefError, match=told):
        report(text)


def test_what_is_no_score_is_left_out():
    found = report(
        "System, Year, Size, MUC R, MUC P, MUC F1, BLANC R, BLANC P, BLANC F1\n"
        "ours, 2018, 340M, 0.693, 0.762, 0.726, 0.5, 0.5, 0.4\n"
        "theirs, 2017, , 0.693, –, 0.726, 0.5, 0.5, 0.4\n"
    )
    assert found.headline.startswith("None of 2") and found.table.lines[2][1] == "0.726"
    said = " ".join(found.sentences)
    assert "column 'Year'" in said and "column 'Size'" in said and "BLANC" in said


PARTED = "System,MUC P,MUC R,MUC F1,B3 P,B3 R,B3 F1,CEAFe P,CEAFe R,CEAFe F1,Avg\n"
SOUND = "A,78.4,73.4,75.8,68.6,61.8,65.0,62.7,59.0,60.8,67.2\n"
OF_ONE = "System & MUC P & MUC R & MUC F1 \\\\\n"


@pytest.mark.parametrize(
    ("cell", "score"),
    [
        (r"75.8\footnote{x 5}", "75.8"),
        (r"75.8\footnotemark[2]", "75.8"),
        (r"75.8\textsuperscript{3}", "75.8"),
        (r"75.8\tnote{1}", "75.8"),
        (r"75.8$^3$", "75.8"),
        (r"\cellcolor{gray!20}75.8", "75.8"),
        (r"\cellcolor[HTML]{D9EAD3} 75.8", "75.8"),
        (r"\color{red}75.8", "75.8"),
        (r"\textcolor{red}{75.8}", "75.8"),
        (r"\phantom{0}75.8\%", "75.8"),
        (r"\textbf{75.8}\,$\uparrow$0.4", "75.8"),
        (r"75.8 (+1.2)", "75.8"),
        (r"75.8$\pm$0.2", "75.8"),
        (r"75.8\textsubscript{0.3}", None),
        (r"75.8$_{1.2}$", None),
        (r"75.8³", None),
        (r"75.8--76.2", None),
        (r"1,234.5", None),
    ],
)
def test_a_mark_is_no_digit(cell, score):
    found = report(f"{OF_ONE}A & 78.4 & 73.4 & {cell} \\\\")
    assert not found.faults and bool(found.checks) == (score is not None)
    assert found.table.lines[1][1].removesuffix(" (✓)") == (score or "–")
    said = [each for each in found.sentences if each.startswith("Not read: row 'A', MUC F1")]
    assert bool(said) == (score is None)


@pytest.mark.parametrize("cell", ["", "–", "-", "--", "n/a"])
def test_a_cell_without_number_is_read(cell):
    found = report(f"{OF_ONE}A & 78.4 & 73.4 & {cell} \\\\")
    assert "Not read" not in str(found)


@pytest.mark.parametrize(
    "row",
    [
        "Ours - A,+7.4,+11.4,+9.5,+9.7,+16.1,+13.1,+13.7,+15.2,+14.5,+12.4",
        "Ours - A,-7.4,−1.4,–4.2,-9.7,-6.1,-8.1,-3.7,-5.2,-4.5,-5.6",
        "Ours - A,7.4,1.4,-4.2,9.7,6.1,8.1,3.7,5.2,4.5,5.6",
        "Δ,7.4,1.4,4.2,9.7,6.1,8.1,3.7,5.2,4.5,5.6",
        "std. dev.,0.4,0.4,0.2,0.7,0.1,0.1,0.7,0.2,0.5,0.6",
        "Average,63.9,71.4,63.6,63.9,71.4,63.6,63.9,71.4,63.6,63.6",
        "CoNLL,63.9,71.4,63.6,63.9,71.4,63.6,63.9,71.4,63.6,63.6",
        "C,78.4%,73.4%,75.8%,0.686,0.618,0.650,62.7,59.0,60.8,67.2",
        "C,78.4,73.4,0.758,68.6,61.8,65.0,62.7,59.0,60.8,67.2",
    ],
)
def test_a_row_without_scores_is_left_out(row):
    found = report(PARTED + SOUND + row)
    assert found.headline.startswith("The one row has no")
    (said,) = [each for each in found.sentences if each.startswith("Left out")]
    assert repr(row.partition(",")[0]) in said
    with pytest.raises(CorefError, match="no row can be checked"):
        report(PARTED + row)


def test_differences_in_pasted_lines_are_left_out_too():
    lines = "MUC\nP R F1\nc2f + ELMo 78.4 73.4 75.8\nOurs +7.4 +11.4 +9.5"
    found = report(lines)
    assert found.headline.startswith("The one row has no") and "Left out: row" in str(found)


@pytest.mark.parametrize("count", [9, 11])
@pytest.mark.parametrize("before", ["", "Group,"])
def test_more_names_than_columns_are_refused(count, before):
    with pytest.raises(CorefError) as told:
        report(before + SOUND, ",".join([*HEADS, "x"][:count]))
    for part in (f"{count} columns are named", "10 columns have numbers", "A, 78.4, 73.4"):
        assert part in str(told.value)
    assert report(before + SOUND, ",".join(HEADS)).headline.startswith("The one row has no")


def test_names_fit_most_pasted_lines_not_one():
    lines = [SOUND.replace(",", " "), SOUND.replace(",", " "), "B 78.4 73.4 75.8"]
    with pytest.raises(CorefError, match="3 columns are named, but 10"):
        report("".join(lines), "MUC R, MUC F1, MUC P")


SLIP = "B,78.4,73.4,78.5,68.6,61.8,65.0,62.7,59.0,60.8,67.2\n"
SLIP_TOO = "C,79.2,70.4,76.4,69.9,58.0,63.4,63.5,55.5,59.2,65.7\n"
RIGHT = "D,90.4,53.4,67.1,58.6,81.8,68.3,42.7,79.0,55.4,63.6\n"


@pytest.mark.parametrize("slips", [SLIP, SLIP + SLIP_TOO])
def test_slips_elsewhere_accuse_no_right_average(slips):
    found = report(PARTED + SOUND + slips + RIGHT)
    assert doubted(found, ("≠",)) == {line[0] for line in slips.splitlines()}
    assert not any(": average" in each for each in found.sentences)
    assert "can be the mean of the F1 of MUC, B3 and CEAFe in 2 of" in str(found)


def test_an_averages_slip_is_found_among_others():
    found = report(PARTED + SOUND + SLIP + RIGHT.replace("63.6", "69.6"))
    accused = doubted(found, ("≠",))
    assert accused == {"B", "D"}
    assert any(each.startswith("D: average 69.6 does not fit") for each in found.sentences)


def test_two_likely_means_accuse_no_row():
    heads = "System,MUC,B3,CEAFe,LEA,Avg\n"
    rows = "A,75.8,65.0,60.8,61.7,65.8\nB,75.8,65.0,60.8,61.7,67.2\n"
    assert report(heads + rows).headline.startswith("None of 2")


# Heads of rows, and of files


def test_a_line_that_names_rows_names_no_column():
    lines = ["System & R & P & F", r"\multicolumn{4}{c}{MUC}", "A & 73.4 & 78.4 & 75.8"]
    lines += [r"\multicolumn{4}{c}{B$^3$}", "A & 61.8 & 68.6 & 65.0"]
    found = report(r" \\ ".join(lines))
    assert found.table.lines[0] == ["row", "measure 1 F1"] and found.headline.startswith(
        "None of 2"
    )


@pytest.mark.parametrize(
    "text",
    [
        "System,MUC F1,B3 F1\nA,75.8,65.0\nSystem,LEA F1,CEAFe F1\nB,61.7,60.8",
        "MUC F1 B3 F1\nA 75.8 65.0\nLEA F1 CEAFe F1\nB 61.7 60.8",
    ],
)
def test_where_new_heads_begin_there_is_another_table(text):
    first, second = tables_in(text)
    assert [str(column) for column in first.columns] == ["MUC F1", "B3 F1"]
    assert [str(column) for column in second.columns] == ["LEA F1", "CEAFe F1"]
    assert [line.label for line in (*first.rows, *second.rows)] == ["A", "B"]


def test_a_row_has_its_groups_name_too():
    found = report("Group,Model,MUC R,MUC P,MUC F1\nOurs,base,73.4,78.4,75.8\n,large,1.1,1.1,1.1")
    assert [row[0] for row in found.table.lines[1:]] == ["Ours base", "large"]


@pytest.mark.parametrize(
    "heads",
    [
        "Table 1: Results on the English CoNLL-2012 shared task.\nMUC B3 CEAFφ4\n"
        "P R F1 P R F1 P R F1 Avg. F1",
        "Model MUC B³ CEAFϕ4 CoNLL\nP R F1 P R F1 P R F1 F1",
    ],
)
def test_a_caption_does_not_stop_a_pasted_table(heads):
    found = report(f"{heads}\nLee et al. (2017) {SOUND[2:].replace(',', ' ')}")
    assert (
        found.headline == "The one row has no number that cannot be so; 4 numbers could be checked."
    )


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_another_encoding_gets_a_plain_message(encoding, tmp_path, capsys):
    file = tmp_path / "table.csv"
    file.write_text(PARTED + SOUND, encoding)
    assert cli.main(["table", str(file)]) == (2 if encoding == "utf-16" else 0)
    assert ("table.csv is no text in UTF-8" in capsys.readouterr().err) == (encoding == "utf-16")


def test_numbers_held_against_nothing_are_not_checked():
    found = report("System, MUC, B3, P, R\nours, 72.6, 60.1, 50.2, 50.3")
    assert found.headline.startswith("Nothing could be checked.") and "--columns" in str(found)
    found = report("System, MUC P, R, F1, P, R, F1, Avg\nours, 76.2, 69.3, 72.6, 1.0, 1, 1, 36.8")
    assert found.headline.endswith("; 3 numbers could be checked.")


# The page and the terminal


def test_the_page_tells_a_table_from_a_row():
    rows = with_slips(printed(drawn(4)), 4)
    found = verdict(row=as_latex(rows))
    assert found == answer([report(as_latex(rows))]) and "<pre>" in found.html
    assert "<script" not in verdict(row=as_csv({"<script>": rows["system 1"]})).html
    asked = verdict(
        row="a b\nours 76.2 69.3 72.6\ntheirs 76.2 69.3 72.6", columns="MUC P, MUC R, MUC F1"
    )
    assert asked.told.startswith("None of 2")
    assert verdict(row="MUC 79.5 81.4 80.4\nB³ 69.5 72.2 70.8\naverage 75.6").told.startswith(
        "Poss"
    )


def test_the_command_prints_reports_and_exit_codes(tmp_path, capsys):
    file = tmp_path / "table.tex"
    file.write_text(as_latex(printed_rows()), "utf-8")
    assert cli.main(["table", str(file)]) == 0
    assert "None of 18 rows" in capsys.readouterr().out
    file.write_text(as_latex(with_slips(printed(drawn(0)), 0)), "utf-8")
    assert cli.main(["table", str(file)]) == 1
    file.write_text("nothing", "utf-8")
    assert cli.main(["table", str(file)]) == 2
    assert "no row of numbers" in capsys.readouterr().err


# Heads and cells as people have them

ROWS = {"muc": ("80.0", "60.0", "68.6"), "b3": ("70.0", "50.0", "68.3")}


@pytest.mark.parametrize(
    "head",
    ["F1-score", "F1 score", "F₁-score", "F1-measure", "F-scores", "f1-score", "F", "F-1", "F_1",
     r"F$_1$-score", r"\textbf{F$_{1}$ score}", "F-Measure", r"F$_{\beta=1}$"],
)  # fmt: skip
def test_f1_is_read_however_it_is_spelt(head):
    rows = " ".join(rf"{name} & {' & '.join(cells)} \\" for name, cells in ROWS.items())
    found = report(rf"System & Precision & Recall & {head} \\ {rows}")
    assert (found.checks, found.faults) == (2, 1)
    below = rf"& \multicolumn{{3}}{{c}}{{MUC}} \\ System & P & R & {head} \\ {rows}"
    assert report(below).table.lines[0][1] == "MUC F1"
    if "$" not in head:
        assert report(f"s,P,R,{head},support\nours,80.0,60.0,68.6,12").checks == 1


@pytest.mark.parametrize(
    ("cell", "score"),
    [
        (r"\hphantom{1}8.1", "8.1"),
        (r"\vphantom{1}\phantom{0}8.1", "8.1"),
        (r"\fontsize{8}{9}\selectfont 24.0", "24.0"),
        (r"\makebox[1.5em][r]{8.1}", "8.1"),
        (r"\raisebox{1.5pt}[2pt]{8.1}", "8.1"),
        (r"\parbox{3.5cm}{8.1}", "8.1"),
        (r"\rotatebox{90}{8.1}", "8.1"),
        (r"\scalebox{0.9}{8.1}", "8.1"),
        (r"\resizebox{2.1cm}{1.2cm}{8.1}", "8.1"),
        (r"\colorbox[rgb]{0.5,0.5,0.5}{8.1}", "8.1"),
        (r"\fcolorbox{red}{gray!20}{8.1}", "8.1"),
        (r"\textcolor[HTML]{D9EAD3}{8.1}", "8.1"),
        (r"\rowcolor{gray!10} 8.1", "8.1"),
        (r"\num{8.1}", "8.1"),
        (r"\num[round-precision=2]{8.1 \pm 0.3}", "8.1"),
        (r"\SI{8.1}{\percent}", "8.1"),
        (r"\multirow{2}{*}{8.1}", "8.1"),
        (r"\multirow[t]{2}{3.5em}{\textbf{8.1}}", "8.1"),
        (r"\multicolumn{1}{c@{\hspace{1.5pt}}}{8.1}", "8.1"),
        (r"{8.1}\,\cite{x2017}", "8.1"),
        (r"8.1\rlap{$^{2}$}", "8.1"),
        (r"8.1\hspace{1.5pt}", "8.1"),
        (r"8.1\rule{0pt}{2.5ex}", "8.1"),
        (r"\textbf8.1", "8.1"),
        (r"\bfseries 8.1", "8.1"),
        (r"8.1$_{\pm 0.3}$", "8.1"),
        (r"\best{8.1}", None),
        (r"\unknown[1.5]{2.5} 8.1", None),
        (r"\SOTA", None),
        (r"8.1 \cdot 10", None),
        (r"$>$8.1\kern1.5pt", None),
    ],
)
def test_what_a_latex_command_takes_is_no_number(cell, score):
    found = read(rf"System & MUC R & MUC P & MUC F1 \\ A & {cell} & 74.0 & 14.6 \\")
    assert found.rows[0].cells[found.columns[0]] == (score or "")
    said = [each for each in found.left_out if each.startswith("Not read: row 'A', MUC recall")]
    assert bool(said) == (score is None)


PRINTED = (
    "mentions   Recall: 91.40  Precision: 91.74  F1: 91.57\n"
    "muc        Recall: 85.19  Precision: 85.84  F1: 85.52\n"
    "bcub       Recall: 74.26  Precision: 75.77  F1: 75.01\n"
    "ceafe      Recall: 69.37  Precision: 68.36  F1: 68.86\nCoNLL score: 76.46\n"
)
COLUMNED = (
    "             recall  precision         F1\nmentions      91.40      91.74      91.57\n"
    "muc           85.19      85.84      85.52\nbcub          74.26      75.77      75.01\n"
    "ceafe         69.37      68.36      68.86\nCoNLL score:  76.46\n"
)


@pytest.mark.parametrize("text", [PRINTED, PRINTED.replace("\n", "\n\n"), COLUMNED])
def test_what_coval_prints_is_read_with_its_mean(text):
    found = report(text)
    assert (found.checks, found.faults) == (5, 0)
    assert "can be the mean of the F1 of muc, bcub and ceafe." in str(found)
    assert report(text.replace("76.46", "77.46")).faults == 1
    assert len(reports(f"{text}\n{text}")) == 2


PERL = (
    "METRIC muc:Coreference: Recall: (1 / 2) 50%\tPrecision: (1 / 3) 33.33%\tF1: {}%\n"
    "METRIC bcub:Coreference: Recall: (2.5 / 5) 50%\tPrecision: (1 / 2) 50%\tF1: 50%\n"
)


def test_what_the_reference_scorer_prints_is_read():
    assert (report(PERL.format("40")).faults, report(PERL.format("41.5")).faults) == (0, 1)


SLASHES = (
    "| s | MUC (P/R/F1) | B3 (P/R/F1) | CoNLL |\n|---|---|---|---|\n"
    "| a | {} | 70.0/50.0/58.3 | 63.4 |"
)


def test_recall_precision_and_f1_in_one_cell():
    assert report(SLASHES.format("80.0/60.0/68.6")).checks == 3
    assert report(SLASHES.format("80.0/60.0/78.6")).faults == 1
    found = report("a 80.0/60.0/68.6 70.0/50.0/58.3", "MUC P, MUC R, MUC F1, B3 P, B3 R, B3 F1")
    assert (found.checks, found.faults) == (2, 0)


# Means before blame

UNNAMED = (
    "system,MUC R,MUC P,MUC F1,B3 R,B3 P,B3 F1,CEAFm R,CEAFm P,CEAFm F1,"
    "Semeval R,Semeval P,Semeval F1\n"
    "a,52.69,58.25,55.33,75.78,79.04,77.38,69.81,69.81,69.81,66.09,69.03,67.51\n"
    "b,16.63,56.51,25.70,65.15,93.36,76.75,66.86,64.72,65.77,49.55,71.53,56.07\n"
    "c,14.83,73.76,24.70,65.34,97.47,78.24,66.56,66.56,66.56,48.91,79.26,56.50\n"
)


@pytest.mark.parametrize("name", ["Semeval", "Overall", "MELA", "macro", "Total", "final"])
def test_columns_of_means_need_not_fit_themselves(name):
    found = report(UNNAMED.replace("Semeval", name))
    assert not found.faults and found.checks == 12
    slip = report(UNNAMED.replace("Semeval", name).replace("79.04", "79.94"))
    assert slip.faults == 1 and "B3 precision" in slip.table.lines[1][-1]


MEAN_ROW = (
    "system | P | R | F1\n---|---|---|---\nde | 92.95 | 95.70 | 94.30\nnl | 43.08 | 77.19 | 55.30\n"
    "fr | 37.10 | 30.46 | 33.45\n{} | 57.71 | 67.78 | 61.02"
).replace("\n", " |\n| ")


@pytest.mark.parametrize(
    "name",
    [
        "all three",
        "conll2012",
        "CoNLL-2012",
        "conll_2012",
        "total",
        "Overall",
        "Avg.",
        "weighted avg",
    ],
)
def test_a_row_of_means_need_not_fit(name):
    found = report(f"| {MEAN_ROW.format(name)} |")
    assert (found.checks, found.faults) == (
        3,
        0,
    ) and f"Left out: row {name.replace('_', ' ')!r}" in str(found)


def test_a_row_of_means_has_the_same_rows():
    found = report(f"| {MEAN_ROW.format('ours').replace('67.78', '67.88')} |")
    assert found.faults == 1


def test_an_average_above_100_stops_nothing():
    found = report(PARTED + SOUND + SLIP.replace("67.2", "436") + RIGHT)
    assert found.faults == 1 and "436" in str(found)


def test_where_most_fails_nobody_is_blamed():
    of_means = "s,MUC R,MUC P,MUC F1,B3 R,B3 P,B3 F1\na,37.41,47.68,41.89,29.57,41.04,34.31\n"
    sound = "b,65.20,73.95,69.30,55.16,73.89,63.17\n"
    found = report(of_means + sound)
    assert (found.checks, found.faults) == (2, 0) and "Row 'a': each F1 is not that of" in str(
        found
    )


# One cell that explains it

SEVEN = Path(__file__).with_name("slip_in_precision.txt").read_text("utf-8")


def test_the_average_says_where_a_slip_is():
    found = report(SEVEN)
    assert found.table.lines[5][-1] == "B3 precision or B3 recall" and found.faults == 1
    assert "B3 precision (73.2 to 73.5) or B3 recall (78.9 to 79.3)" in str(found)
    right = SEVEN.replace("70.4 75.7 74.5", "73.4 75.7 74.5")
    assert not report(right).faults
    assert report(right.replace("73.4 75.7 74.5", "73.4 75.7 75.4")).table.lines[5][-1] == "B3 F1"
    assert report(right.replace("76.0", "67.0")).table.lines[5][-1] == "average"


# Several tables, and the command


def test_tables_of_a_file_are_checked_apart(tmp_path, capsys):
    tabular = (
        r"\begin{tabular}{lrrr} & MUC R & MUC P & MUC F1 \\ a & 60.0 & 80.0 & %s \\ \end{tabular}"
    )
    file = tmp_path / "paper.tex"
    file.write_text(rf"text 1.5 2.5 {tabular % '68.6'} more {tabular % '78.6'}", "utf-8")
    assert cli.main(["table", str(file)]) == 1
    printed = capsys.readouterr().out
    assert (
        printed.startswith("Table 1 of 2\n\nThe one row has no")
        and "Table 2 of 2\n\nThe one row has a" in printed
    )
    assert cli.main(["table", str(file), "--format", "markdown"]) == 1
    assert "## Table 2 of 2\n\n**The one row has a" in capsys.readouterr().out


@pytest.mark.parametrize("cut", [r"\begin{tabular}{lccccccccc|c}", r"\end{tabular}"])
def test_a_table_without_begin_or_end_is_read(cut):
    text = as_latex(printed_rows())
    assert cut in text and report(text.replace(cut, "")).checks == 18 * 4


def test_where_nothing_is_checked_advice_is_given(tmp_path, capsys):
    file = tmp_path / "table.csv"
    file.write_text("System,MUC,B3\nours,72.6,60.1", "utf-8")
    assert cli.main(["table", str(file)]) == 2
    printed = capsys.readouterr().out
    assert (
        printed.startswith("Nothing could be checked")
        and "--columns" in printed
        and "None" not in printed
    )
    assert cli.main(["table", str(tmp_path / "none.csv")]) == 2
    assert "none.csv: cannot read it: no such file" in capsys.readouterr().err.lower()


def test_the_command_takes_a_pipe_and_stops_quietly(tmp_path):
    file = tmp_path / "table.csv"
    file.write_text(PARTED + SOUND * 5000, "utf-8")
    typed = f"{sys.executable} -m corefeval table - < {file} | head -1"
    done = subprocess.run(["sh", "-c", typed], capture_output=True, text=True)
    assert done.stdout.startswith("None of 5000") and not done.stderr


def test_the_earlier_module_says_where_it_went():
    root = Path(__file__).parents[3]
    typed = [sys.executable, "-m", "corefbook.pages.table"]
    done = subprocess.run(typed, cwd=root / "book", capture_output=True, text=True)
    assert done.returncode and "corefeval table FILE" in done.stderr


# Missing cells, and what else is no reason to accuse or to be silent

OF_FIVE = "System,MUC F1,B3 F1,CEAFm F1,CEAFe F1,Avg.\n"


@pytest.mark.parametrize(
    "rows",
    [
        "b,0.318,0.432,0.286,--,0.356\nc,0.407,0.474,0.478,0.380,0.420",
        "ours,69.5,59.2,67.1,-,65.4",
        "ours,69.5,59.2,67.1,75.8³,65.4",
    ],
)
def test_a_missing_cell_lets_no_average_accuse(rows):
    found = report(OF_FIVE + rows)
    assert not found.faults and "≠" not in str(found.table.lines)
    slip = report(OF_FIVE + "a,0.5,0.6,0.7,0.4,0.5\n" * 3 + "b,0.5,0.6,--,0.4,0.8\n" + rows)
    assert not slip.faults or "b" in {row[0] for row in slip.table.lines if "≠" in str(row)}


def test_a_well_known_mean_needs_no_cell():
    sound = "".join(f"{name},0.512,0.613,0.734,0.421,0.515\n" for name in "abcd")
    assert report(f"{OF_FIVE}{sound}e,0.512,0.613,--,0.421,0.815").faults == 1
    assert not report(f"{OF_FIVE}{sound}e,0.512,0.613,0.734,--,0.815").faults


OF_MUC = "S,MUC R,MUC P,MUC F1\n"


@pytest.mark.parametrize("above", ["a,69.3,76.2,72.6\n", "", "a,60,60,60\n"])
def test_a_row_of_whole_numbers_is_read(above):
    found = report(f"{OF_MUC}{above}old,60,60,90")
    assert found.faults == 1 and found.table.lines[-1][:2] == ["old", "≠ 90"]
    assert report(f"{OF_MUC}old,60,60,90\n{above}").faults == 1
    pasted = report(f"MUC\nP R F1\n{above.replace(',', ' ')}system 1 60 60 90")
    assert pasted.faults == 1 and pasted.table.lines[-1][0] == "system 1"


def test_heads_with_a_digit_are_no_row():
    found = report("S,MUC,MUC,MUC,CEAF\n,P,R,F1,4\na,69.3,76.2,72.6,50\nb,60,60,90,50")
    assert [row[0] for row in found.table.lines[1:]] == ["a", "b"] and found.faults == 1


def test_whole_numbers_are_read_by_names():
    with pytest.raises(CorefError, match="by --columns"):
        report("old,60,60,90\nb,70,70,70")
    assert report("old,60,60,90\nb,70,70,70", "MUC R, MUC P, MUC F1").faults == 1


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("documents,12,30,42", "by its name it has counts"),
        ("rank,3,1,7", "by its name it has counts"),
        ("(1),(2),(3),(4)", "its numbers count the columns"),
        ("old,60,60,90", "its whole numbers are on another scale"),
        ("old,690,762,726", "its whole numbers are on another scale"),
        ("old,105.0,0.6,0.7", "MUC recall: '105.0' is no number from 0 to 100"),
        ("old,+1,+2,+3", "numbers with a sign"),
    ],
)
def test_whole_numbers_without_scores_are_left_out(row, why):
    found = report(f"{OF_MUC}a,0.693,0.762,0.726\n{row}")
    assert not found.faults and found.checks == 1
    assert [why in each for each in found.sentences if repr(row.partition(",")[0]) in each] == [
        True
    ]


@pytest.mark.parametrize(
    ("cell", "score"),
    [
        ("0.607 -> 0.578", None), ("0.607 → 0.578", None), ("0.607 / 0.578", None),
        ("0.607 vs 0.578", None), ("0.607; 0.578", None), ("60.7 → 58", None), ("60 to 58", None),
        ("60.7 (+1.2)", "60.7"), ("60.7 (0.3)", "60.7"), ("60.7 ± 0.3", "60.7"),
        ("60.7 ↑0.4", "60.7"), ("60.7 2", "60.7"), ("60.7 [58.1, 62.3]", "60.7"),
    ],
)  # fmt: skip
def test_a_cell_with_two_scores_is_named(cell, score):
    printed = read(f"S|MUC R|MUC P|MUC F1\na|60.7|60.7|{cell}\nb|60.7|60.7|60.7")
    assert printed.rows[0].cells[printed.columns[2]] == (score or "")
    assert bool([x for x in printed.left_out if x.startswith("Not read")]) == (score is None)
    pasted = report(f"MUC\nP R F1\na 0.6 0.6 0.6\nb 0.6 -> 0.5 0.9 {cell}")
    assert not pasted.faults and "Left out: row 'b" in str(pasted)


SUPPORTS = (
    "              precision    recall  f1-score   support\n\n"
    "           a       0.80      0.60      0.69   {}\n           b       0.70      0.50"
    "      0.58   {}\n           c       0.70      0.50      0.58   {}\n\n"
    "    accuracy                           0.65       162\n"
)


@pytest.mark.parametrize(
    "supports", [(1500, 12, 1212), (150, 12, 9), (15, 1200, 7), ("1,500", 2, 3)]
)
def test_a_count_beside_scores_is_no_score(supports):
    text = SUPPORTS.format(*supports)
    assert report(text).checks == 3 and "column 'support'" in str(report(text))
    assert report(text, "P, R, F1, x").checks == 3


def test_percent_settles_the_scale_of_fractions_beside_it():
    found = report(f"{OF_MUC}a,69.3%,76.2%,0.726\nb,69.3%,76.2%,0.756")
    assert (found.checks, found.faults) == (2, 1)
    assert "Read: row 'a', MUC F1: 0.726 as 72.6%." in found.sentences


def test_rows_without_f1_or_name_are_named():
    found = report(f"{OF_MUC}a,69.3,76.2,–\n,69.3,76.2,75.6\n")
    assert any(each.startswith("Left out: row 'a': MUC F1") for each in found.sentences)
    assert any(each.startswith("row 2: MUC F1 75.6 does not fit") for each in found.sentences)


def test_the_caution_is_short_and_said_once():
    found = [report(PARTED + SOUND + SLIP), report(PARTED + SOUND)]
    assert len(f"{NEVER} {BEFORE}".split()) <= 45
    for shown in (in_text(found), in_markdown(found), answer(found).html.partition("<pre>")[0]):
        assert shown.count("never found") == 1
    table, sentences = in_text(found[:1]).split("\n- ", 1)
    assert table and max(map(len, sentences.splitlines())) <= 80


def test_page_and_command_name_where_to_type():
    text = "a,60.1,60.2,90.3\nb,70.1,70.2,70.3"
    with pytest.raises(CorefError, match="by --columns"):
        report(text)
    with pytest.raises(CorefError, match="in the field Columns"):
        answer(reports(text))
