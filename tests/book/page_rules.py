"""What every page of the book has to hold in a browser: a function a rule.

A rule is given a page that is open, and says what is wrong with it; a new one needs nothing but
`@rule`. It may set the size of the window, and finds it as the rule before has left it.
"""

import gzip
from collections.abc import Callable
from urllib.parse import unquote, urlsplit

from axe_playwright_python.sync_playwright import Axe
from browsing import READY, Page, settled, too_wide, visit
from stored import parts
from test_book import HTML

WIDTH, HEIGHT = 1440, 900

FEW = ("index.html", "b-cubed.html", "score-files.html")
"""The first page, a chapter and a page that runs; the others are made in the same ways."""
CHAPTERS = [f"{name}.html" for _, names in parts() for name in names]
PART = {"ledger.html": "ledger.html?paper=vilain1995"}
"""A thousand rows of one kind are looked at in some of each kind of verdict."""
RULES: list[Callable[["Walk"], list[str]]] = []


def rule(function):
    RULES.append(function)
    return function


class Walk(Page):
    """A visit to a page, which all rules share."""

    def __init__(self, view, site: str, name: str) -> None:
        view.goto("about:blank")  # what the page before still does is not laid to this one
        view.set_viewport_size({"width": WIDTH, "height": HEIGHT})
        self.follow(view, site + name)
        self.root, self.name = site, name
        self.view.evaluate(READY)
        if name.removesuffix(".html") in MOST:  # what comes later is weighed, too
            self.view.wait_for_load_state("networkidle")
        self.first_asked = [*self.asked]

    def faults(self) -> dict[str, list[str]]:
        """What each rule has to say that has something to say."""
        said = {each.__name__: each(self) for each in RULES}
        return {name: faults for name, faults in said.items() if faults}


# What is seen first


@rule
def formulas_are_set(walk: Walk) -> list[str]:
    return walk.view.locator("mjx-merror").all_inner_texts()


CUT = """() => [...document.querySelectorAll(
  "article :is(.text_html, .scrolling, .pst-scrollable-table-container):has(> table)")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1)
  .map((each) => `cut: ${each.innerText.slice(0, 60)}`)"""
JUMPS = """() => {
  const widths = [...document.querySelectorAll("article div.cell > .cell_input")]
    .map((each) => Math.round(each.getBoundingClientRect().width));
  return [...new Set(widths)].length > 1 ? [`code of widths ${[...new Set(widths)]}`] : [];
}"""


@rule
def on_a_wide_screen_no_table_loses_a_column_and_code_keeps_to_its_own(walk: Walk) -> list[str]:
    return [*walk.view.evaluate(CUT), *walk.view.evaluate(JUMPS)]


# Rows of the ledger, listings, checks, and whatever else is folded, but for answers and the code
# of a picture.
HEIGHTS = r"""() => {
  const article = document.querySelector("article");
  const height = (element) => element.getBoundingClientRect().height;
  const proves = /\b(getsource|evidence)\(/;
  const cells = [...article.querySelectorAll("div.cell")].filter((cell) =>
    cell.matches(".tag_hide-cell:not(.tag_answer)") ||
    proves.test(cell.querySelector(".cell_input")?.textContent ?? ""));
  const folds = article.querySelectorAll(".tag_hide-output > details");
  const evidence = [...cells, ...folds].map(height).reduce((a, b) => a + b, 0);
  return [height(article), evidence];
}"""


@rule
def evidence_takes_at_most_a_fifth_of_a_chapter(walk: Walk) -> list[str]:
    if walk.name not in CHAPTERS:
        return []
    chapter, evidence = walk.view.evaluate(HEIGHTS)
    if chapter <= HEIGHT:
        return [f"the chapter is {chapter} pixels high"]
    share = evidence / chapter
    return [f"evidence takes {share:.0%}"] if share > 0.2 else []


MOST = {"index": 250, "errors": 600, "measures": 700, "ledger": 600, "score-files": 600}
"""Kilobytes of all requests but Python, packed as a server sends them."""
PACKED = (".html", ".css", ".js", ".mjs", ".json", ".svg", ".csv")
"""The files that servers pack; pictures and fonts are packed already."""
PYTHON = ("/pyodide/", ".zip")
NEEDLESS = ("fontawesome", "fa-solid", "searchindex")
FORMULAS = {"index": False, "cite": False, "muc": True}


def kilobytes(address: str) -> float:
    path = HTML / unquote(urlsplit(address).path).removeprefix("/")
    if any(each in address for each in PYTHON) or not path.is_file():
        return 0
    content = path.read_bytes()
    return len(gzip.compress(content, mtime=0) if path.suffix in PACKED else content) / 1000


@rule
def a_page_is_light(walk: Walk) -> list[str]:
    page = walk.name.removesuffix(".html")
    asked = {urlsplit(each).path: each for each in walk.first_asked}
    if page not in MOST:
        return []
    faults = [each for each in asked if any(name in each for name in NEEDLESS)]
    weight = sum(map(kilobytes, asked.values()))
    if not 50 < weight <= MOST[page]:
        faults.append(f"{weight:.0f} KB")
    return faults


@rule
def formulas_are_typeset_where_there_are_some_and_nowhere_else(walk: Walk) -> list[str]:
    page = walk.name.removesuffix(".html")
    loaded = any("tex-chtml" in each for each in walk.first_asked)
    if FORMULAS.get(page, loaded) == loaded:
        return []
    return ["MathJax is loaded" if loaded else "MathJax is not loaded"]


# At each width

WIDTHS = (360, 390, 768, 1280, 1440)
"""The widest comes last: the rules below are asked as on a desk."""


MOVED = """async () => {
  for (const _ of "12") await new Promise(requestAnimationFrame);
  const moves = document.getAnimations().filter(each => each instanceof CSSTransition);
  await Promise.allSettled(moves.map(each => each.finished));
}"""
"""What moves after a change, such as the search field's colours, has come to its end."""


def resize(view, width: int) -> None:
    view.set_viewport_size({"width": width, "height": 900})
    view.evaluate(MOVED)


@rule
def the_page_fits_every_screen_and_no_text_is_cut(walk: Walk) -> list[str]:
    faults = []
    for width in WIDTHS:
        resize(walk.view, width)
        faults += [f"{each} wide on a screen of {width}" for each in too_wide(walk.view, width)]
        if width in (390, 1280, 1440):
            faults += [f"{width}: {each}" for each in settled(walk.view, f"({LOOK}).lost()")]
    return faults


# By day and at night


@rule
def the_page_is_accessible(walk: Walk) -> list[str]:
    """To axe, by day; on a few pages it measures colours, too."""
    if walk.name in PART:
        visit(walk.view, walk.root + PART[walk.name])
    dress(walk.view, "light")
    return by_axe(walk.view, colours=walk.name in FEW)


@rule
def a_link_in_text_has_a_line(walk: Walk) -> list[str]:
    return walk.view.evaluate(WITHOUT_A_LINE)


@rule
def no_text_is_pale(walk: Walk) -> list[str]:
    return [each for theme in ("light", "dark") for each in pale(walk.view, theme)]


def inaccessible(view) -> list[str]:
    """What a page that was used has of both faults, as it stands now."""
    dress(view, "light")
    return by_axe(view) + pale(view, "light") + pale(view, "dark")


def dress(view, theme: str) -> None:
    view.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    view.evaluate(MOVED)


COLOURS = ("color-contrast", "link-in-text-block")
"""Rules of axe that ask each element for its colours: two thirds of what a page costs."""


def by_axe(view, colours: bool = True) -> list[str]:
    """What axe finds serious or critical."""
    # What lies beyond landmarks is moderate to axe, and takes long to find. Preloading would ask
    # for style sheets where they are not.
    left_out = ["region", *(COLOURS if not colours else ())]
    rules = {name: {"enabled": False} for name in left_out}
    options = {"resultTypes": ["violations"], "preload": False, "rules": rules}
    return [
        f"{fault['id']} ({fault['impact']}): {node['target']}"
        for fault in Axe().run(view, options=options).response["violations"]
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]


def pale(view, theme: str) -> list[str]:
    """Text whose contrast with what is behind it is less than WCAG 2.1 asks."""
    dress(view, theme)
    return [f"{theme}: {each}" for each in view.evaluate(CONTRASTS)]


# At the end, since all that was said and asked is kept


@rule
def nothing_goes_wrong_and_nothing_is_asked_of_another_site(walk: Walk) -> list[str]:
    return walk.noise()


# A link that its colour alone tells from the text around it is none to many eyes.
WITHOUT_A_LINE = """() =>
  [...document.querySelectorAll("article :is(p, li, td, th, dd, caption) a:not(.headerlink)")]
    .map((link) => [link, getComputedStyle(link)])
    .filter(([link, style]) => style.display === "inline" && link.checkVisibility())
    .filter(([, style]) => !style.textDecorationLine.includes("underline"))
    .map(([link]) => link.textContent)
"""

# Axe asks each element on its own. A page has a dozen pairs of colours: those of text, and what is
# behind it.
CONTRASTS = """() => {
  const parsed = (text) => {
    const [r, g, b, a = 1] = (text.match(/[\\d.]+/g) ?? []).map(Number);
    return (text.startsWith("color") ? [255 * r, 255 * g, 255 * b] : [r, g, b]).concat(a);
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((v, i) => a * v + (1 - a) * under[i]);
  const linear = (v) => (v <= 0.03928 * 255 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) =>
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const page = parsed(getComputedStyle(document.body).backgroundColor);
  const once = (f) => {
    const known = new Map();
    return (element) => {
      if (!known.has(element)) known.set(element, f(element));
      return known.get(element);
    };
  };
  const behind = once((element) => {
    if (!element) return over(page, [255, 255, 255]);
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    if (backgroundImage !== "none") return null;  // nor does axe know what is behind it
    const layer = parsed(backgroundColor);
    const under = layer[3] === 1 ? [0, 0, 0] : behind(element.parentElement);
    return under && over(layer, under);
  });
  const opacity = once((element) =>
    element ? getComputedStyle(element).opacity * opacity(element.parentElement) : 1);
  function faded(element) {
    const [r, g, b, a] = parsed(getComputedStyle(element).color);
    return [r, g, b, a * opacity(element)];
  }
  const found = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const all = { visibilityProperty: true, opacityProperty: true };
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    // A single sign is a symbol, to axe too.
    if (walker.currentNode.data.trim().length < 2 || !element.checkVisibility(all)) continue;
    if (element.closest("svg, script, style, :disabled, .visually-hidden")) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const size = parseFloat(fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    const ground = behind(element);
    if (!ground) continue;
    const both = [over(faded(element), ground), ground].map(luminance);
    const [dark, bright] = both.sort((a, b) => a - b);
    const contrast = (bright + 0.05) / (dark + 0.05);
    const told = `${contrast.toFixed(2)}: ${color}: ${walker.currentNode.data.trim()}`;
    if (contrast < (large ? 3 : 4.5)) found.set(color + ground, told);
  }
  return [...found.values()];
}"""

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
    return fades(box) ? "" : "goes on without a sign";
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
    // What a formula is set in scrolls, and is no wider than the page.
    for (const formula of article.querySelectorAll("mjx-container > mjx-math")) {
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
