"""The ledger as pages: which printed figures hold, which are wrong, and where ours come from."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import cache
from html import escape
from io import StringIO
from pathlib import Path
from urllib.parse import urlencode

from cell_addresses import address
from companion import ledger
from companion.studies import real
from docutils.nodes import make_id
from formulas import BEGIN
from sphinx.errors import ExtensionError

from corefeval.registry import MEASURES
from playground import can_be_shown

UNSEEN = {
    "Bagga & Baldwin 1998": "B³, which its authors define in Baldwin et al. 1998 as well",
    "Barnes 2015": "pairwise precision and recall; its first sections",
    "Cai & Strube 2010": "figures of it as the tests of another scorer quote them",
    "Denis & Baldridge 2009": "the CoNLL score, for which scorers name it",
    "Luo 2005": "CEAF; its abstract and conclusions, and figures of it as the tests of another "
    "scorer quote them",
    "Luo et al. 2014": "BLANC of missing and spurious mentions; its abstract and the beginning of "
    "its introduction, and what Pradhan et al. 2014 and two programs tell of it",
    "Menestrina et al. 2010": "pairwise F1; its abstract",
    "Moosavi & Strube 2016": "LEA, as the reference scorer and its tests have it",
    "Passonneau 1997": "κ, as Popescu-Belis quotes it",
    "Recasens 2010": "one table of this thesis, as the test of another scorer quotes it",
    "Recasens & Hovy 2011": "BLANC; its abstract, and what Pradhan et al. 2014 and the reference "
    "scorer have of it",
    "Stoyanov et al. 2009": "three figures, as Pradhan et al. 2014 quote them",
}
"""Papers that this book speaks of and that were not seen whole, and what it has of them."""


@cache
def rows() -> list[ledger.Row]:
    """Every figure; one that fits no verdict stops the build."""
    found = ledger.rows()
    if failed := [row for row in found if row.verdict == ledger.FAILED]:
        raise ExtensionError("\n".join(map(str, failed)))
    return found


@cache
def papers() -> dict[str, list[ledger.Paper]]:
    """The papers by kind of source, in the ledger's order of kinds."""
    every = [ledger.load(name) for name in ledger.papers()]
    return {kind: [p for p in every if p.source == kind] for kind in ledger.SOURCES}


def of_kind(kind: str) -> list[ledger.Row]:
    names = [paper.name for paper in papers()[kind]]
    return [row for row in rows() if row.paper in names]


def of_paper(paper: ledger.Paper) -> list[ledger.Row]:
    return [row for row in rows() if row.paper == paper.name]


def said(paper: ledger.Paper, name: str) -> str:
    """What the data say of a paper: its ``title``, its ``short`` name, how to ``cite`` it."""
    return str(paper.content["paper"][name])


def tally(found: Iterable[ledger.Row]) -> dict[str, int]:
    """How many rows each of the four words has, in their order, without words that have none."""
    counted = Counter(row.group for row in found)
    return {group: counted[group] for group in ledger.GROUPED if counted[group]}


def plain(text: str) -> str:
    """The text as Markdown that shows it as it is."""
    return re.sub(r"([\\`*_{}\[\]<>|~$^#])", r"\\\1", text)


def definitions(facts: Mapping[str, str]) -> str:
    """Terms with what is said of them, in Markdown."""
    return "{.facts}\n" + "\n\n".join(f"{term}\n: {fact}" for term, fact in facts.items())


def css_class(verdict_or_group: str) -> str:
    return "verdict is-" + verdict_or_group.replace(" ", "-")


# ------------------------------------------------------------------------------ addresses


@cache
def cells(book: Path, chapter: str) -> list[tuple[str, str]]:
    """(kind, source) of a chapter's cells; none if it is not written, which the tests notice."""
    path = book / f"{chapter}.ipynb"
    found = json.loads(path.read_text(encoding="utf-8"))["cells"] if path.is_file() else []
    return [(cell["cell_type"], "".join(cell["source"])) for cell in found]


def title(book: Path, chapter: str) -> str:
    sources = [source for _, source in cells(book, chapter)] or [chapter]
    return sources[0].splitlines()[0].removeprefix("# ")


def proof(book: Path, row: ledger.Row) -> str:
    """The address of the cell or the section in which a row is derived.

    A row that names neither leads to its line in the fold at the chapter's end, or to the section
    that shows printed beside computed.
    """
    page = f"{row.chapter}.html"
    if row.cell:
        return f"{page}#{address(row.cell)}"
    if row.section:
        return f"{page}#{row.section}"
    if any(re.search(r"\bevidence\(", source) for _, source in cells(book, row.chapter)):
        return f"{page}#{row.id}"
    section = _shown_in(book, row)
    return f"{page}#{section}" if section else page


def _shown_in(book: Path, row: ledger.Row) -> str:
    """The section with the call that shows the row: of its place, or of all rows of the chapter."""
    section, whole = "", ""
    for kind, source in cells(book, row.chapter):
        if kind == "markdown" and (found := re.findall(r"^#+ +(.+)$", source, re.MULTILINE)):
            section = make_id(found[-1])
        for name, given in re.findall(rf'ledger\.(beside|check)\(\s*"{row.paper}"([^)]*)', source):
            if name == "check":
                whole = section
            elif any(row.place.startswith(place) for place in re.findall(r'"([^"]+)"', given)):
                return section
    return whole


# --------------------------------------------------------------------------------- counts


def counts(book: Path) -> str:
    """What was checked, for each kind of source: unlike things are never added up."""
    facts = {}
    for kind, described in ledger.SOURCES.items():
        if found := of_kind(kind):
            names = "; ".join(plain(said(paper, "short")) for paper in papers()[kind])
            facts[described[0].upper() + described[1:]] = f"{names}. {_counted(found)}"
    return definitions(facts)


def _counted(found: list[ledger.Row]) -> str:
    """How many figures have which of the four words, with their verdicts, and what is listed."""
    parts = []
    for group, number in tally(found).items():
        words = ledger.GROUPED[group][number > 1]
        each = f": {ledger.in_verdicts(found, group)}" if len(ledger.GROUPS[group]) > 1 else ""
        parts.append(f"**{number} {words}**{each}")
    if listed := ledger.in_verdicts(found, "listed"):
        parts.append(f"listed: {listed}")
    return "; ".join(parts) + "."


def unseen(book: Path) -> str:
    """What was not seen, as a sentence."""
    return "; ".join(f"{name} ({what})" for name, what in UNSEEN.items()) + "."


def filtered(content: object, **chosen: str) -> str:
    """A link to the rows that the ledger shows when this is chosen."""
    return f'<a href="ledger.html?{escape(urlencode(chosen))}">{content}</a>'


def bars(book: Path) -> str:
    """A bar per source, by kind, divided into groups; drawn by the style sheet for any width."""
    lines = []
    for kind, described in ledger.SOURCES.items():
        lines += [f'<p class="bars-kind">{described[0].upper()}{described[1:]}</p>']
        lines += ['<div class="bars">', *map(_bar, papers()[kind]), "</div>"]
    legend = "".join(
        f'<span><i class="{css_class(group)}"></i> {group}</span>' for group in tally(rows())
    )
    return "\n".join([*lines, f'<div class="bars-legend" aria-hidden="true">{legend}</div>'])


def _bar(paper: ledger.Paper) -> str:
    found = of_paper(paper)
    counted = tally(found)
    segments = "".join(
        f'<i class="{css_class(group)}" style="flex-grow:{n}"></i>' for group, n in counted.items()
    )
    return (
        f"<span>{filtered(escape(said(paper, 'short')), paper=paper.name)}</span>"
        f'<span class="bar" role="img" aria-label="{ledger.in_groups(found)}">{segments}</span>'
        f"<span>{sum(counted.values())}</span>"
    )


def summary(book: Path) -> str:
    """The counts by paper and group; each number leads to its figures. No line adds up kinds."""
    whole = [*ledger.GROUPS]
    head = "<td></td>" + "".join(f'<th scope="col">{each}</th>' for each in (*whole, "all"))
    lines = [f'<table class="dataframe counts"><thead><tr>{head}</tr></thead>']
    for kind, described in ledger.SOURCES.items():
        lines.append(
            f'<tbody><tr><th colspan="{len(whole) + 2}" scope="rowgroup">'
            f"{described[0].upper()}{described[1:]}</th></tr>"
        )
        for paper in papers()[kind]:
            counted = Counter(row.group for row in of_paper(paper))
            numbers = [
                filtered(counted[g], paper=paper.name, verdict=g) if g in counted else "–"
                for g in whole
            ]
            every = filtered(sum(counted.values()), paper=paper.name)
            lines.append(_line(escape(said(paper, "short")), [*numbers, every]))
        lines.append("</tbody>")
    return scrolling("Figures by source and group", [*lines, "</table>"])


def _line(head: str, cells: Iterable[object]) -> str:
    return f'<tr><th scope="row">{head}</th>' + "".join(f"<td>{c}</td>" for c in cells) + "</tr>"


def scrolling(label: str, lines: Iterable[str], width: str = "") -> str:
    opened = f'<div class="scrolling {width}" role="region" aria-label="{label}" tabindex="0">'
    return "\n".join([opened, *lines, "</div>"])


def left_out(book: Path) -> str:
    """What papers print and the ledger has not, and why."""
    parts = []
    for paper in (paper for found in papers().values() for paper in found):
        entries = [
            f"{plain(each['place'])}: {plain(each['what'])}. *{plain(each['why'])}.*"
            for each in paper.left_out
        ]
        if entries:
            parts.append(f"**{plain(said(paper, 'short'))}**\n\n- " + "\n- ".join(entries))
    return "\n\n".join(parts)


# ---------------------------------------------------------------------------------- table

COLUMNS = {
    "place": "place",
    "example": "example",
    "label": "quantity",
    "printed": "printed",
    "computed": "computed",
    "verdict": "verdict",
}


FIRST = ("refuted", "misprint")
"""The verdicts that stand before all others."""


def in_order() -> Iterator[tuple[ledger.Paper, str, list[ledger.Row]]]:
    """The rows as the table has them: of each paper those that stand first, then its others."""
    every = [paper for found in papers().values() for paper in found]
    for said_of, wanted in ((": refuted or misprinted", True), ("", False)):
        for paper in every:
            if found := [row for row in of_paper(paper) if (row.verdict in FIRST) == wanted]:
                yield paper, said_of, found


def figures(book: Path) -> str:
    """Every row of the ledger in one table, below the form with which ledger.js filters it."""
    head = "".join(f'<th scope="col">{column}</th>' for column in COLUMNS.values())
    lines = [
        '<table class="dataframe figures" id="figures">',
        f"<thead><tr>{head}</tr></thead>",
    ]
    for paper, said_of, found in in_order():
        known = ", ".join(filter(None, (said(paper, "title"), _second_hand(paper.name))))
        named = said(paper, "short") + (said_of or f": {known}")
        lines.append(
            f'<tbody data-paper="{paper.name}"><tr><th colspan="6" scope="rowgroup">'
            f"{escape(named)}</th></tr>"
        )
        # A row's and a cell's end tags may be left out, and are: there are a thousand of them.
        lines += [f'<tr id="{row.id}"><td>{"<td>".join(_cells(book, row))}' for row in found]
        lines.append("</tbody>")
    table = scrolling("All figures", [*lines, "</table>"], "full-width")
    return f'{_tools()}{table}\n<p><button type="button" id="ledger-more" hidden></button></p>'


def _tools() -> str:
    names = "".join(
        f'<optgroup label="{described}">'
        + "".join(f'<option value="{p.name}">{escape(said(p, "short"))}' for p in papers()[kind])
        + "</optgroup>"
        for kind, described in ledger.SOURCES.items()
    )
    given = {row.verdict for row in rows()}
    verdicts = "".join(
        f'<optgroup label="{group}"><option value="{group}">all that {_verb(group)}'
        + "".join(f"<option>{verdict}" for verdict in each if verdict in given)
        + "</optgroup>"
        for group, each in ledger.GROUPS.items()
    )
    unseen = escape(json.dumps(UNSEEN, ensure_ascii=False))
    return f"""<form id="ledger-tools" class="pst-js-only" role="search" aria-label="Figures" hidden
data-unseen="{unseen}">
<label>Search <input type="search" name="text" autocomplete="off"></label>
<label>Source <select name="paper"><option value="">all{names}</select></label>
<label>Verdict <select name="verdict"><option value="">all{verdicts}</select></label>
<button type="reset">Clear</button>
<output aria-live="polite"></output>
</form>
"""


def _verb(group: str) -> str:
    """The group's name as the end of "all that"."""
    return f"are {group}" if group in ("equal", "possible", "listed") else ledger.GROUPED[group][1]


def flags(row: ledger.Row) -> list[str]:
    """What stands beside the verdict."""
    said = {
        "perhaps our copy": row.copy,
        "paraphrased": row.paraphrase,
        "second-hand": row.secondary and row.secondary != _second_hand(row.paper),
    }
    return [flag for flag, holds in said.items() if holds]


def in_playground(row: ledger.Row, shown: str) -> str:
    """The name of a row's example, a link if the playground has it; its measure's terms open."""
    if row.example not in _examples(row.paper):
        return shown
    name = row.measure.partition(".")[0]
    state = {"example": f"{row.paper}/{row.example}"} | ({"why": name} if name in MEASURES else {})
    return f'<a href="playground.html#{escape(urlencode(state, safe="/"))}">{shown}</a>'


@cache
def _examples(paper: str) -> list[str]:
    return [name for name, each in ledger.load(paper).examples.items() if can_be_shown(each)]


@cache
def _second_hand(paper: str) -> str:
    """How we know a paper that was not seen."""
    return str(ledger.load(paper).content["paper"].get("secondary", ""))


def _cells(book: Path, row: ledger.Row) -> list[str]:
    beside = "".join(f" <small>{escape(flag, quote=False)}</small>" for flag in flags(row))
    second_hand = row.secondary if row.secondary != _second_hand(row.paper) else ""
    notes = [note for note in (row.note, row.copy, second_hand) if note]
    shown = {name: escape(getattr(row, name), quote=False) for name in COLUMNS}
    shown["example"] = in_playground(row, shown["example"])
    return [
        f'<a href="{proof(book, row)}">{shown["place"]}</a>',
        *(shown[name] for name in list(COLUMNS)[1:-1]),
        f'<b class="{css_class(row.verdict)}">{row.verdict}</b> <a href="#{row.id}">#</a>{beside}'
        + "".join(f" {escape(note, quote=False).rstrip('.')}." for note in notes),
    ]


def verdicts(book: Path) -> str:
    """What each verdict means, as a definition list for each group."""
    parts = []
    for group, each in ledger.GROUPS.items():
        counted = "" if group in ledger.GROUPED else ", and counted under none of these words"
        parts.append(f"**{group[0].upper()}{group[1:]}**{counted}")
        parts += [
            f"{verdict}\n: {meaning[0].upper()}{meaning[1:]}." for verdict, meaning in each.items()
        ]
    return "\n\n".join(parts)


# --------------------------------------------------------------------------------- errata


def errata(book: Path) -> str:
    """What is printed wrongly: sentences with a counterexample, formulas, slips, and remarks."""
    refuted, misprints, copies, remarks = (
        [row for row in rows() if row.verdict == verdict]
        for verdict in ("refuted", "misprint", "copy", "remark")
    )
    formulas = [row for row in rows() if row.formula]
    return "\n\n".join(
        [
            _errata_counts(),
            "## Refuted sentences\n\nStatements with a counterexample.",
            *_by_source(book, refuted, "refuted"),
            "## For whoever implements a measure\n\nWhoever programs what is printed here gets "
            "other scores than the paper means, or has to guess. A remark among these accuses "
            "nobody: the words can be read in two ways.",
            *_by_source(book, formulas, "formulas"),
            "## Other slips\n\nFigures and letters that differ from what the paper itself "
            "defines. No measure depends on them.",
            *_by_source(book, [row for row in misprints if not row.formula], "slips"),
            "## Remarks\n\nNo faults: loose words, hedged asides, definitions that are silent, "
            "and what else a reader may like to know.",
            *_by_source(book, [row for row in remarks if not row.formula], "remarks"),
            "## Where the copies are uncertain\n\nSlips that are our copy's and not the "
            "paper's, as another witness of the text shows, or what stands beside it. They accuse "
            "nobody, and count nowhere as misprints; they stand here for whoever reads the same "
            "copy. Symbols that are uncertain too are [listed by paper]"
            "(symbols.md#where-the-copies-are-uncertain).",
            *_by_source(book, copies, "copies"),
        ]
    )


def _errata_counts() -> str:
    facts = {}
    for kind, described in ledger.SOURCES.items():
        wrong = [row for row in of_kind(kind) if row.verdict in ("misprint", "refuted")]
        if wrong:
            said = ledger.in_verdicts(wrong, "differs")
            facts[described[0].upper() + described[1:]] = f"{said}."
    return definitions(facts)


def _by_source(book: Path, chosen: list[ledger.Row], part: str) -> list[str]:
    parts = []
    for kind, found in papers().items():
        for paper in found:
            if mine := [row for row in chosen if row.paper == paper.name]:
                parts.append(f"({part}-{paper.name})=\n### {_named(paper, kind)}")
                if cite := paper.content["paper"].get("cite"):
                    parts.append(f"In {{cite:t}}`{cite}`.")
                parts += [_erratum(book, row) for row in mine]
    return parts


def _named(paper: ledger.Paper, kind: str) -> str:
    """A heading that says what the paper is where it is not a published one."""
    kinds = {"manuscript": " (manuscript)", "summary": " (an anonymous summary)"}
    return plain(said(paper, "short")) + kinds.get(kind, "")


def _erratum(book: Path, row: ledger.Row) -> str:
    chapter = f'<a href="{proof(book, row)}">{title(book, row.chapter)}</a>'
    in_ledger = f'<a href="ledger.html#{row.id}">ledger</a>'
    reason = row.note.removeprefix(f"right: {row.right}; ")
    lines = {"In our copy" if row.verdict == "copy" else "Printed": _quoted(row)}
    if "\\" in row.printed and row.quote:
        lines["Of this"] = f"${row.printed}$"
    if row.right:
        lines["Right"] = plain(row.right)
    lines["Remark" if row.verdict == "remark" else "Why"] = plain(reason)
    if row.copy:
        lines["Perhaps our copy"] = plain(row.copy)
    computed = row.computed not in ("—", row.right)
    lines["Proof"] = f"{chapter}" + (f" computes {plain(row.computed)}" if computed else "")
    lines["Proof"] += f", {in_ledger}"
    where = f"{row.place}: {row.example}" if row.example else row.place
    lines["Address"] = f'<a href="#{row.id}">errata.html#{row.id}</a>'
    return f"({row.id})=\n#### {plain(where)}\n\n{definitions(lines)}"


def _quoted(row: ledger.Row) -> str:
    """The whole sentence with what is wrong in it marked, or what is printed."""
    whole = row.quote or row.printed
    if latex := BEGIN.search(whole):
        return f"{plain(whole[: latex.start()])}${whole[latex.start() :]}$"
    if not row.quote:
        return plain(row.printed)
    pattern = r"\s+".join(map(re.escape, row.printed.split()))
    if not (found := re.search(pattern, row.quote)):
        return plain(row.quote)
    before, after = row.quote[: found.start()], row.quote[found.end() :]
    if not before.strip() and not after.strip():
        return plain(row.quote)
    return f"{plain(before)}<mark>{plain(found[0])}</mark>{plain(after)}"


def downloads() -> dict[str, str]:
    """The ledger as files, by name: every field of every row."""
    content = [asdict(row) for row in rows()]
    table = StringIO()
    writer = csv.DictWriter(table, list(content[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(content)
    return {
        "ledger.csv": table.getvalue(),
        "ledger.json": json.dumps(content, indent=1, ensure_ascii=False) + "\n",
        "archives.csv": real.csv_of_printed(),
    }
