// What a reader of a page does not get to see; called in the page.
(() => {
  const article = document.querySelector("article, main");
  const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const apart = "mjx-container, svg, script, style, noscript, .visually-hidden";

  function* texts(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { data, parentElement } = walker.currentNode;
      if (data.trim() && !parentElement.closest(apart) && seen(parentElement)) yield walker.currentNode;
    }
  }

  // The box that cuts or scrolls what is in it, and whether it scrolls.
  function holder(element) {
    for (let box = element; box !== document.documentElement; box = box.parentElement) {
      const { overflowX } = getComputedStyle(box);
      if (overflowX !== "visible") return [box, /auto|scroll/.test(overflowX), box.getBoundingClientRect()];
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
    const inside = ({ left, right, width }) => width <= 1 || (left >= edge.left - 1 && right <= edge.right + 1);
    if ([...rects].every(inside)) return "";
    if (!scrolls || isPaper) return "cut";
    return box.querySelector("table") && !fades(box) ? "goes on without a sign" : "";
  }

  // A short word of a table that is in two lines, without a hyphen.
  function broken(node) {
    const { parentElement } = node;
    if (!parentElement.closest("td, th") || getComputedStyle(parentElement).hyphens === "auto") return "";
    const words = node.data.matchAll(/(?<![\p{L}\p{N}_])[\p{L}\p{N}]{2,14}(?![\p{L}\p{N}_])/gu);
    const range = document.createRange();
    for (const { 0: word, index } of words) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = [...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top));
      if (new Set(lines).size > 1) return word;
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
    const cells = [...article.querySelectorAll("table")].map((table) => [...table.querySelectorAll("td")].filter(seen).at(-1));
    const said = cells.filter(Boolean).flatMap((cell) => [...texts(cell)].map(({ data }) => data));
    const blocks = [...article.querySelectorAll("pre")].filter(seen);
    return [...said, ...blocks.map((block) => block.textContent.trimEnd().split("\n").at(-1))];
  }

  return { lost, ends };
})()
