"""No text is lost: none is cut on a screen, whatever its width, and none on paper."""

import re
import shutil
import subprocess
from pathlib import Path
from unicodedata import normalize

import pytest
from browsing import need, visit
from stored import some_by_day
from test_book import PAGES

LOOK = r"""
// What a reader of a page does not get to see; called in the page.
(() => {
  const article = document.querySelector("article, main");
  const all = { visibilityProperty: true, opacityProperty: true };
  const seen = (element) => element.checkVisibility(all);
  const apart = "mjx-container, svg, script, style, noscript, .visually-hidden";

  function* texts(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { data, parentElement } = walker.currentNode;
      const isText = data.trim() && !parentElement.closest(apart);
      if (isText && seen(parentElement)) yield walker.currentNode;
    }
  }

  // The box that cuts or scrolls what is in it, and whether it scrolls.
  function holder(element) {
    for (let box = element; box !== document.documentElement; box = box.parentElement) {
      const { overflowX } = getComputedStyle(box);
      if (overflowX === "visible") continue;
      return [box, /auto|scroll/.test(overflowX), box.getBoundingClientRect()];
    }
    return [document.documentElement, false, { left: 0, right: innerWidth }];
  }

  // On paper nothing scrolls, and nothing fades.
  const isPaper = matchMedia("print").matches;
  const fades = (element) => getComputedStyle(element).maskImage !== "none";

  function fadesAround(element) {
    for (let box = element; box; box = box.parentElement) if (fades(box)) return true;
    return false;
  }

  function fault(rects, element) {
    const [box, scrolls, edge] = holder(element);
    if (isPaper && fadesAround(element)) return "faded";
    const inside = ({ left, right, width }) =>
      width <= 1 || (left >= edge.left - 1 && right <= edge.right + 1);
    if ([...rects].every(inside)) return "";
    if (!scrolls || isPaper) return "cut";
    return box.querySelector("table") && !fades(box) ? "goes on without a sign" : "";
  }

  // A short word of a table that is in two lines, without a hyphen.
  function broken(node) {
    const { parentElement } = node;
    if (!parentElement.closest("td, th")) return "";
    if (getComputedStyle(parentElement).hyphens === "auto") return "";
    const words = node.data.matchAll(/(?<![\p{L}\p{N}_])[\p{L}\p{N}]{2,14}(?![\p{L}\p{N}_])/gu);
    const range = document.createRange();
    for (const { 0: word, index } of words) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const parts = [...range.getClientRects()].filter(({ width }) => width > 1);
      if (new Set(parts.map(({ top }) => Math.round(top))).size > 1) return word;
    }
    return "";
  }

  function lost() {
    const found = [];
    const range = document.createRange();
    for (const node of texts(article)) {
      range.selectNodeContents(node);
      const what = fault(range.getClientRects(), node.parentElement);
      if (what) found.push(`${what}: ${node.data.trim()}`);
      const word = broken(node);
      if (word) found.push(`broken: ${word}`);
    }
    for (const formula of article.querySelectorAll("mjx-container")) {
      const what = seen(formula) && fault(formula.getClientRects(), formula);
      if (what) found.push(`${what}: ${formula.textContent}`);
    }
    return found;
  }

  // What the last cell of each table says, and the last line of each block of code.
  function ends() {
    const cells = [...article.querySelectorAll("table")].map((table) =>
      [...table.querySelectorAll("td")].filter(seen).at(-1),
    );
    const said = cells.filter(Boolean).flatMap((cell) => [...texts(cell)].map(({ data }) => data));
    const blocks = [...article.querySelectorAll("pre")].filter(seen);
    return [...said, ...blocks.map((block) => block.textContent.trimEnd().split("\n").at(-1))];
  }

  return { lost, ends };
})()
"""
WIDTHS = (390, 1280, 1440)


@pytest.mark.by_day
@some_by_day("page", PAGES, ["ledger.html", "command-line.html", "muc.html"])
def test_no_text_is_cut_at_any_width(page, site, tab):
    view = tab(reduced_motion="reduce")
    visit(view, site + page)
    found = {}
    for width in WIDTHS:
        view.set_viewport_size({"width": width, "height": 900})
        for _ in range(30):
            view.wait_for_timeout(100)  # for what the theme moves, longer on a loaded machine
            found[width] = view.evaluate(f"({LOOK}).lost()")
            if not found[width]:
                break
    assert found == {width: [] for width in WIDTHS}


PLANTED = {
    "cut": '<div style="width: 90px; overflow: hidden"><p style="width: 900px">{}</p></div>',
    "cut beyond the screen": '<p style="margin-left: 2000px">{}</p>',
    "goes on without a sign": (
        '<div style="overflow: auto"><table style="width: 3000px"><tr><td>{}</table></div>'
    ),
    "broken": (
        '<table><tr><td><div style="width: 3em; overflow-wrap: anywhere">counterexample</table>'
    ),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_planted_text_that_is_lost_is_seen(fault, site, tab):
    view = tab(reduced_motion="reduce", viewport={"width": 1280, "height": 900})
    visit(view, site + "cite.html")
    assert view.evaluate(f"({LOOK}).lost()") == []
    planted = PLANTED[fault].format("many words " * 9)
    view.evaluate(
        "html => document.querySelector('article').insertAdjacentHTML('beforeend', html)", planted
    )
    (found,) = {each.partition(":")[0] for each in view.evaluate(f"({LOOK}).lost()")}
    assert fault.startswith(found)


# Paper

PRINTED = ["errors", "measures/b3", "one-page", "command-line", "symbols", "ledger"]
"""A page of each kind."""


def on_paper(tab, address: str):
    """A page as it is laid out on a sheet of A4 with these margins, 186 mm wide."""
    view = tab(viewport={"width": 703, "height": 1000})
    visit(view, address)
    view.emulate_media(media="print")
    return view


def printed(view, page: Path) -> str:
    """The text of the page's PDF, without blanks."""
    need(shutil.which("pdftotext"), "pdftotext is not there: it is a part of poppler-utils")
    margin = dict.fromkeys(("top", "bottom", "left", "right"), "12mm")
    page.write_bytes(view.pdf(format="A4", margin=margin, prefer_css_page_size=True))
    done = subprocess.run(["pdftotext", "-raw", page, "-"], capture_output=True, check=True)
    return solid(done.stdout.decode("utf-8"))


def solid(text: str) -> str:
    """Without blanks and hyphens, which paper has elsewhere, and with ligatures as letters."""
    return re.sub(r"[\s\u00ad\u2010-]", "", normalize("NFKC", text))


@pytest.mark.parametrize("page", PRINTED)
def test_tables_and_code_are_printed_to_their_end(page, site, tab, tmp_path):
    view = on_paper(tab, f"{site}{page}.html")
    assert view.evaluate(f"({LOOK}).lost()") == []
    ends = view.evaluate(f"({LOOK}).ends()")
    assert len(ends) > 1 or page == "one-page"
    text = printed(view, tmp_path / "page.pdf")
    assert [end for end in ends if solid(end) not in text] == []


def test_the_sheet_is_one_page(site, tab, tmp_path):
    view = tab()
    visit(view, site + "one-page.html")
    pdf = view.pdf(format="A4", prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1


CUTS = {
    "td:last-child { position: relative; left: 300mm }": "beyond the sheet",
    "pre { max-width: 20mm; white-space: pre !important; overflow: hidden !important }": "cut",
    ".text_html { mask-image: linear-gradient(red, transparent) !important }": "faded",
}


@pytest.mark.parametrize("rule", CUTS, ids=CUTS.values())
def test_what_paper_lacks_is_seen(rule, site, tab, tmp_path):
    view = on_paper(tab, f"{site}errors.html")
    view.add_style_tag(content=f"@media print {{ {rule} }}")
    lost = {each.partition(":")[0] for each in view.evaluate(f"({LOOK}).lost()")}
    if CUTS[rule] != "beyond the sheet":
        assert CUTS[rule] in lost
        return
    ends = view.evaluate(f"({LOOK}).ends()")
    text = printed(view, tmp_path / "page.pdf")
    assert [end for end in ends if solid(end) not in text]
