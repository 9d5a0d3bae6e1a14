"""How long the built chapters are, and what fills them, as a browser first shows them.

python tools/screens.py [CHAPTER …] prints a line a chapter and the sums of the parts: the screens
of 1440 × 900, and the shares of pictures, of code and of evidence in the chapter's height.
Evidence is what proves and does not teach: rows of the ledger, listings, checks.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import yaml
from playwright.sync_api import Page, sync_playwright

BOOK = Path(__file__).parents[1] / "book"
HTML = BOOK / "_build" / "html"
WIDTH, HEIGHT = 1440, 900
BROWSERS = ("chromium", "chromium-browser", "google-chrome")

MEASURE = r"""
() => {
  const article = document.querySelector("article");
  const height = (element) => element.getBoundingClientRect().height;
  const sum = (elements) => [...elements].map(height).reduce((a, b) => a + b, 0);
  const proves = /\bledger\.(beside|otherwise)\(|\bas_in_the_book\(|\bgetsource\(|\blisting\(/;
  const evidence = [...article.querySelectorAll("div.cell")].filter((cell) =>
    proves.test(cell.querySelector(".cell_input")?.textContent ?? ""));
  const pictures = [...article.querySelectorAll("figure, .cell_output img, .living")].filter(
    (each) => !each.parentElement.closest("figure, .living, details:not([open])"));
  const inputs = [...article.querySelectorAll("div.cell .cell_input")].filter(
    (each) => !evidence.includes(each.closest("div.cell")) &&
      !each.closest("details:not([open])"));
  return {
    height: height(article),
    pictures: sum(pictures),
    code: sum(inputs),
    evidence: sum(evidence),
  };
}
"""


class Extent(NamedTuple):
    """Pixels from top to bottom: of the whole chapter, and of some of its parts."""

    height: float = 0
    pictures: float = 0
    code: float = 0
    evidence: float = 0

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
    """The parts of the contents that have chapters, in their order."""
    contents = yaml.safe_load((BOOK / "_toc.yml").read_text(encoding="utf-8"))
    for part in contents["parts"]:
        names = [each["file"] for each in part["chapters"]]
        chapters = [name for name in names if (BOOK / f"{name}.ipynb").is_file()]
        if chapters:
            yield part["caption"], chapters


def extent(page: Page, chapter: str, folder: Path = HTML) -> Extent:
    """What a chapter takes in the page that the browser shows first."""
    page.goto((folder / f"{chapter}.html").as_uri())
    page.wait_for_load_state("networkidle")
    page.evaluate("() => document.fonts.ready")
    if page.locator("mjx-container, .math").count():
        page.evaluate("() => window.MathJax?.startup?.promise")
    return Extent(**page.evaluate(MEASURE))


def line(name: str, found: Extent) -> str:
    shares = [f"{found.share(part):10.0%}" for part in Extent._fields[1:]]
    return f"{name:34}{found.screens:8.1f}{''.join(shares)}"


def main(chosen: list[str]) -> None:
    print(f"{'':34}{'screens':>8}{'pictures':>10}{'code':>10}{'evidence':>10}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=next(filter(None, map(shutil.which, BROWSERS)), None),
            args=["--no-sandbox"],
        )
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        for caption, chapters in parts():
            wanted = [name for name in chapters if not chosen or name in chosen]
            found = {name: extent(page, name) for name in wanted}
            for name, each in found.items():
                print(line(name, each))
            if len(found) > 1:
                print(line(f"= {caption[:31]}", total(found.values())), end="\n\n")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
