"""The ledger as pages: which printed figures hold, and which are misprints."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import cache
from html import escape
from io import StringIO
from pathlib import Path
from urllib.parse import urlencode

from companion import ledger
from docutils.nodes import make_id
from sphinx.errors import ExtensionError


@cache
def rows() -> list[ledger.Row]:
    """Every figure; one that fits no verdict stops the build."""
    found = ledger.rows()
    if failed := [row for row in found if row.verdict == "failed"]:
        raise ExtensionError("\n".join(map(str, failed)))
    return found


def paper(name: str) -> dict[str, str]:
    """What the data say of a paper: ``title``, ``short``, ``cite``."""
    return ledger.load(name).content["paper"]


def by_paper() -> dict[str, list[ledger.Row]]:
    return {name: [row for row in rows() if row.paper == name] for name in ledger.papers()}


def tally(found: Iterable[ledger.Row]) -> dict[str, int]:
    """How many rows have each verdict, in the ledger's order, without those that none has."""
    counted = Counter(row.verdict for row in found)
    return {verdict: counted[verdict] for verdict in ledger.VERDICTS if counted[verdict]}


def in_words(counted: dict[str, int]) -> str:
    return ", ".join(
        f"{n} {verdict}" + "s" * (verdict == "misprint" and n > 1) for verdict, n in counted.items()
    )


def plain(text: str) -> str:
    """The text as Markdown that shows it as it is."""
    return re.sub(r"([\\`*_{}\[\]<>|~$^#])", r"\\\1", text)


def definitions(facts: Mapping[str, str]) -> str:
    """Terms with what is said of them, in Markdown."""
    return "{.facts}\n" + "\n\n".join(f"{term}\n: {fact}" for term, fact in facts.items())


def css_class(verdict: str) -> str:
    return "verdict is-" + verdict.replace(" ", "-")


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
    """The address of the section in which the row's chapter sets printed beside computed."""
    call, section = f'ledger.check("{row.paper}", "{row.chapter}")', ""
    for kind, source in cells(book, row.chapter):
        if kind == "code" and call in source:
            return f"{row.chapter}.html#{section}"
        if kind == "markdown" and (headings := re.findall(r"^#+ +(.+)$", source, re.MULTILINE)):
            section = make_id(headings[-1])
    return f"{row.chapter}.html"


def counts(book: Path) -> str:
    whole = tally(rows())
    sources = len(ledger.papers())
    return f"**{len(rows())} printed figures from {sources} sources:** {in_words(whole)}."


def filtered(content: object, **chosen: str) -> str:
    """A link to the rows that the ledger shows when this is chosen."""
    return f'<a href="ledger.html?{escape(urlencode(chosen))}#figures">{content}</a>'


def bars(book: Path) -> str:
    """A bar per source, divided by verdict; drawn by the style sheet, so that it fits any width."""
    lines = ['<div class="bars">']
    for name, found in by_paper().items():
        counted = tally(found)
        segments = "".join(
            f'<i class="{css_class(verdict)}" style="flex-grow:{n}"></i>'
            for verdict, n in counted.items()
        )
        lines.append(
            f"<span>{filtered(escape(paper(name)['short']), paper=name)}</span>"
            f'<span class="bar" role="img" aria-label="{in_words(counted)}">{segments}</span>'
            f"<span>{len(found)}</span>"
        )
    lines.append("</div>")
    legend = "".join(
        f'<span><i class="{css_class(verdict)}"></i> {verdict}</span>' for verdict in tally(rows())
    )
    return "\n".join([*lines, f'<div class="bars-legend" aria-hidden="true">{legend}</div>'])


def summary(book: Path) -> str:
    """The counts by paper and verdict; each number leads to its figures."""
    whole = tally(rows())
    head = "".join(f'<th scope="col">{each}</th>' for each in ("", *whole, "all"))
    lines = [f'<table class="dataframe counts"><thead><tr>{head}</tr></thead><tbody>']
    for name, found in by_paper().items():
        counted = tally(found)
        numbers = [
            filtered(counted[verdict], paper=name, verdict=verdict) if verdict in counted else "–"
            for verdict in whole
        ]
        every = filtered(len(found), paper=name)
        lines.append(_line(escape(paper(name)["short"]), [*numbers, every]))
    numbers = [filtered(n, verdict=verdict) for verdict, n in whole.items()]
    lines.append("</tbody><tfoot>" + _line("all", [*numbers, len(rows())]) + "</tfoot></table>")
    return _scrolling("Figures by source and verdict", lines)


def _line(head: str, cells: Iterable[object]) -> str:
    return f'<tr><th scope="row">{head}</th>' + "".join(f"<td>{c}</td>" for c in cells) + "</tr>"


def _scrolling(label: str, lines: Iterable[str], width: str = "") -> str:
    opened = f'<div class="scrolling {width}" role="region" aria-label="{label}" tabindex="0">'
    return "\n".join([opened, *lines, "</div>"])


COLUMNS = ("place", "example", "measure", "printed", "computed", "verdict")


def figures(book: Path) -> str:
    """Every row of the ledger in one table, below the form with which ledger.js filters it."""
    head = "".join(f'<th scope="col">{column}</th>' for column in COLUMNS)
    lines = [
        '<table class="dataframe figures" id="figures">',
        f"<thead><tr>{head}</tr></thead>",
    ]
    for name, found in by_paper().items():
        about = paper(name)
        lines.append(
            f'<tbody id="{name}"><tr><th colspan="6" scope="rowgroup">'
            f"{escape(about['short'])}: {escape(about['title'])}</th></tr>"
        )
        # A row's and a cell's end tags may be left out, and are: there are a thousand of them.
        lines += [f"<tr><td>{'<td>'.join(_cells(book, row))}" for row in found]
        lines.append("</tbody>")
    return _tools() + _scrolling("All figures", [*lines, "</table>"], "full-width")


def _tools() -> str:
    names = "".join(
        f'<option value="{name}">{escape(paper(name)["short"])}' for name in ledger.papers()
    )
    verdicts = "".join(f"<option>{verdict}" for verdict in tally(rows()))
    return f"""<form id="ledger-tools" role="search" aria-label="Figures" hidden>
<label>Text <input type="search" name="text" autocomplete="off"></label>
<label>Source <select name="paper"><option value="">all{names}</select></label>
<label>Verdict <select name="verdict"><option value="">all{verdicts}</select></label>
<button type="reset">Show all</button>
<output aria-live="polite"></output>
</form>
"""


def _cells(book: Path, row: ledger.Row) -> list[str]:
    note = f" {escape(row.note, quote=False)}" if row.note else ""
    return [
        f'<a href="{proof(book, row)}">{escape(row.place, quote=False)}</a>',
        *(escape(getattr(row, column), quote=False) for column in COLUMNS[1:-1]),
        f'<b class="{css_class(row.verdict)}">{row.verdict}</b>{note}',
    ]


def verdicts(book: Path) -> str:
    """What each verdict means, as a definition list."""
    return "\n\n".join(
        f"{verdict}\n: {meaning[0].upper()}{meaning[1:]}."
        for verdict, meaning in ledger.VERDICTS.items()
        if verdict != "failed"
    )


def errata(book: Path) -> str:
    """Every misprint, by paper: what is printed where, what is right, why, and how sure that is."""
    every = [row for row in rows() if row.verdict == "misprint"]
    sure = sum(not row.copy for row in every)
    parts = [
        f"**{len(every)} misprints** among {len(rows())} printed figures. Of {sure} we are sure "
        f"that the paper has them; of {len(every) - sure} our copy may be at fault."
    ]
    for name, found in by_paper().items():
        wrong = [row for row in found if row.verdict == "misprint"]
        if wrong:
            about = paper(name)
            parts.append(
                f"(errata-{name})=\n## {about['short']}\n\n*{about['title']}* "
                f"{{cite:p}}`{about['cite']}`: {len(wrong)} of {len(found)} figures."
            )
            parts += [_erratum(book, row) for row in wrong]
    return "\n\n".join(parts)


def _erratum(book: Path, row: ledger.Row) -> str:
    chapter = f'<a href="{proof(book, row)}">{title(book, row.chapter)}</a>'
    lines = {
        "Printed": plain(row.printed),
        "Right": plain(row.right),
        "Why": plain(row.note.removeprefix(f"right: {row.right}; ")),
        "Whose slip": plain(row.copy or "the paper's"),
        "Proof": chapter
        + ("" if row.computed == row.right else f" computes {plain(row.computed)}"),
    }
    where = f"{row.place}: {row.example}" if row.example else row.place
    return f"### {plain(where)}\n\n{definitions(lines)}"


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
    }
