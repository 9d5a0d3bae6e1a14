"""How long the built chapters are, and what fills them, as a browser first shows them.

python book/tools/screens.py [--html FOLDER] [CHAPTER …] prints a line a chapter and the sums of the
parts: the screens of 1440 × 900, the number of pictures, of tables in sight and of folds with
evidence, and the shares of pictures, of code and of evidence in the chapter's height. Pictures are
drawings, charts, tables with colours, and figures that move. Evidence is what proves and does not
teach: rows of the ledger, listings, checks, and whatever else is folded, but for answers and the
code of a picture.

Of the notebook it counts the lines of code in sight, the words of explanation, and how they speak.
Explanation is the Markdown that is in sight: no code, tables or answers, and a formula is a word.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import nbformat
import yaml
from playwright.sync_api import Page, sync_playwright
from weights import launched

BOOK = Path(__file__).parents[1]
HTML = BOOK / "_build" / "html"
WIDTH, HEIGHT = 1440, 900

MEASURE = r"""
() => {
  const article = document.querySelector("article");
  const height = (element) => element.getBoundingClientRect().height;
  const sum = (elements) => elements.map(height).reduce((a, b) => a + b, 0);
  const all = (selector) => [...article.querySelectorAll(selector)];
  const proves = /\b(getsource|evidence)\(/;
  const cells = all("div.cell").filter((cell) =>
    cell.matches(".tag_hide-cell:not(.tag_answer)") ||
    proves.test(cell.querySelector(".cell_input")?.textContent ?? ""));
  const evidence = [...cells, ...all(".tag_hide-output > details")];
  const proved = (element) => evidence.some((each) => each.contains(element));
  const toned = "table:has(td[style*=background], td [style*=background])";
  const drawn = `figure, .cell_output img, .living, iframe, ${toned}`;
  const pictures = all(drawn).filter((each) => !proved(each) &&
    !each.parentElement.closest("figure, .living, details:not([open])"));
  return {
    height: height(article),
    pictures: sum(pictures),
    code: sum(all("div.cell .cell_input").filter((each) =>
      !proved(each) && !each.closest("details:not([open])"))),
    evidence: sum(evidence),
    count: pictures.length,
    tables: all("table").filter((each) => !each.closest("details:not([open])") &&
      !pictures.some((picture) => picture.contains(each))).length,
    folds: evidence.length,
  };
}
"""
SHARES = ("pictures", "code", "evidence")


class Extent(NamedTuple):
    """Pixels from top to bottom, of a chapter and of some of its parts; how many of others."""

    height: float = 0
    pictures: float = 0
    code: float = 0
    evidence: float = 0
    count: int = 0
    tables: int = 0
    folds: int = 0

    @property
    def screens(self) -> float:
        return self.height / HEIGHT

    def share(self, part: str) -> float:
        """The share of ``part`` in the whole height."""
        return float(getattr(self, part)) / self.height if self.height else 0.0


def total(extents: Iterable[Extent]) -> Extent:
    """Chapters one below the other."""
    return Extent(*map(sum, zip(*extents, strict=True)))


def parts() -> Iterator[tuple[str, list[str]]]:
    """The numbered parts of the contents, in order: the others have pages, and no chapters."""
    contents = yaml.safe_load((BOOK / "_toc.yml").read_text(encoding="utf-8"))
    for part in contents["parts"]:
        if not part.get("numbered"):
            continue
        names = [each["file"] for each in part["chapters"]]
        yield part["caption"], [name for name in names if (BOOK / f"{name}.ipynb").is_file()]


def extent(page: Page, chapter: str, folder: Path = HTML) -> Extent:
    """What a chapter takes in the page that the browser shows first."""
    page.goto((folder / f"{chapter}.html").as_uri())
    page.wait_for_load_state("networkidle")
    return measured(page)


def measured(page: Page) -> Extent:
    """The same of a page that is open."""
    page.evaluate("() => document.fonts.ready")
    if page.locator("mjx-container, .math").count():
        page.evaluate("() => window.MathJax?.startup?.promise")
    return Extent(**page.evaluate(MEASURE))


class Prose(NamedTuple):
    """What a notebook says, and how; what speaks is counted in 100 sentences, or 1,000 words."""

    code: int = 0
    words: int = 0
    sentences: int = 0
    persons: int = 0
    pronouns: int = 0
    examples: int = 0


PERSON = re.compile(r"\b(?:you|your|we|our|us|I|let[’']s)\b", re.IGNORECASE)
PRONOUN = re.compile(r"\b(?:that|those) of\b", re.IGNORECASE)
EXAMPLE = re.compile(r"\bfor (?:example|instance)\b", re.IGNORECASE)
WORD = re.compile(r"[^\W\d_][\w’'-]*")
NO_PROSE = [
    (r"(?s):::+\{[^\n]*\n(?::\w+:[^\n]*\n)*?:class: dropdown.*?\n:::+", ""),
    (r"(?s)```.*?```", ""),
    (r"(?s)\$\$.*?\$\$", " formula. "),
    (r"\$[^$]*\$", "formula"),
    (r"`[^`]*`", "code"),
    (r"(?m)^\s*(?:#|\||:::|:\w+:).*$", "\n\n"),
    (r"!?\[([^\]\[]*(?:\[[^\]]*\])?[^\]\[]*)\]\([^)]*\)", r"\1"),
    (r"[*_]", ""),
]
"""What is no explanation, and what counts in its place."""


def explained(markdown: str) -> list[str]:
    r"""The sentences of a text: those of more than two words.

    >>> explained("# Title\n\nWe want $a + b$, say. One [link](x.html) is *enough* for us.")
    ['We want formula, say.', 'One link is enough for us.']
    """
    for pattern, by in NO_PROSE:
        markdown = re.sub(pattern, by, markdown)
    paragraphs = re.split(r"\n\s*\n|\n\s*(?:[-*]|\d+\.)\s", markdown)
    found = [
        sentence
        for paragraph in paragraphs
        for sentence in re.split(r"(?<=[.?!:])[”\"’)]*\s+", " ".join(paragraph.split()))
    ]
    return [sentence for sentence in found if len(WORD.findall(sentence)) > 2]


def prose(chapter: str, folder: Path = BOOK) -> Prose:
    """What a chapter's notebook says, and how."""
    cells = nbformat.read(folder / f"{chapter}.ipynb", as_version=4).cells
    markdown = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    visible = [
        cell.source
        for cell in cells
        if cell.cell_type == "code"
        and not any(tag.startswith("hide-") for tag in cell.metadata.get("tags", []))
    ]
    sentences = explained(markdown)
    said = " ".join(sentences)
    return Prose(
        sum(len(source.splitlines()) for source in visible),
        len(WORD.findall(said)),
        len(sentences),
        *(len(pattern.findall(said)) for pattern in (PERSON, PRONOUN, EXAMPLE)),
    )


COUNTS = ("screens", "drawn", "tables", "folds")
SAID = ("lines", "words", "we/100", "that of", "e.g.")


def line(name: str, found: Extent, said: Prose) -> str:
    cells = [f"{found.screens:.1f}", found.count, found.tables, found.folds]
    cells += [f"{found.share(part):.0%}" for part in SHARES]
    persons = 100 * said.persons / max(said.sentences, 1)
    cells += [said.code, said.words, f"{persons:.0f}", said.pronouns, said.examples]
    return f"{name:30}" + "".join(f"{cell:>9}" for cell in cells)


def main(folder: Path, chosen: list[str]) -> None:
    print(" " * 30 + "".join(f"{head:>9}" for head in (*COUNTS, *SHARES, *SAID)))
    with sync_playwright() as playwright:
        browser = launched(playwright)
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        whole: list[tuple[Extent, Prose]] = []
        for caption, chapters in parts():
            wanted = [name for name in chapters if not chosen or name in chosen]
            found = {name: (extent(page, name, folder), prose(name)) for name in wanted}
            for name, each in found.items():
                print(line(name, *each))
            if len(found) > 1:
                print(line(f"= {caption[:27]}", *sums(found.values())), end="\n\n")
            whole += found.values()
        if len(whole) > 1:
            print(line("= all of these", *sums(whole)))
        browser.close()


def sums(found: Iterable[tuple[Extent, Prose]]) -> tuple[Extent, Prose]:
    extents, texts = zip(*found, strict=True)
    return total(extents), Prose(*map(sum, zip(*texts, strict=True)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--html", type=Path, default=HTML, help="the folder of the built pages")
    parser.add_argument("chapters", nargs="*", metavar="CHAPTER")
    given = parser.parse_args()
    main(given.html, given.chapters)
