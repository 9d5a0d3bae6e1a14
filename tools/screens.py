"""How long the built chapters are, and what fills them, as a browser first shows them.

python tools/screens.py [CHAPTER …] prints a line a chapter and the sums of the parts: the screens
of 1440 × 900, the number of pictures and the screens for each, and the shares of pictures, of
code and of evidence in the chapter's height. Pictures are drawings, charts, tables with colours,
and figures that move. Evidence is what proves and does not teach: rows of the ledger, listings,
checks, and whatever else is folded, but for answers and the code of a picture.
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
  const sum = (elements) => elements.map(height).reduce((a, b) => a + b, 0);
  const all = (selector) => [...article.querySelectorAll(selector)];
  const proves = /\bledger\.(beside|otherwise)\(|\bas_in_the_book\(|\bgetsource\(|\blisting\(/;
  const cells = all("div.cell").filter((cell) =>
    cell.matches(".tag_hide-cell:not(.tag_answer)") ||
    proves.test(cell.querySelector(".cell_input")?.textContent ?? ""));
  const evidence = [...cells, ...all(".tag_hide-output > details")];
  const proved = (element) => evidence.some((each) => each.contains(element));
  const drawn = "figure, .cell_output img, .living, iframe, table:has(td[style*=background])";
  const pictures = all(drawn).filter((each) => !proved(each) &&
    !each.parentElement.closest("figure, .living, details:not([open])"));
  return {
    height: height(article),
    pictures: sum(pictures),
    code: sum(all("div.cell .cell_input").filter((each) =>
      !proved(each) && !each.closest("details:not([open])"))),
    evidence: sum(evidence),
    count: pictures.length,
  };
}
"""
SHARES = ("pictures", "code", "evidence")


class Extent(NamedTuple):
    """Pixels from top to bottom, of the chapter and of some of its parts; how many pictures."""

    height: float = 0
    pictures: float = 0
    code: float = 0
    evidence: float = 0
    count: int = 0

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
    apart = f"{found.screens / found.count:.1f}" if found.count else "—"
    shares = [f"{found.share(part):10.0%}" for part in SHARES]
    return f"{name:34}{found.screens:8.1f}{found.count:7}{apart:>11}{''.join(shares)}"


def main(chosen: list[str]) -> None:
    heads = "".join(f"{part:>10}" for part in SHARES)
    print(f"{'':34}{'screens':>8}{'drawn':>7}{'a picture':>11}{heads}")
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
