// A link into a chapter opens the fold that it leads to. A link of the ledger names a figure, too: the
// row that has it is shown, where the cell or its section has one.
"use strict";

(() => {
  const words = (cell) => cell.textContent.trim().replace(/\s+/g, " ");

  // The first row that has all these texts, each as a cell; one may have "printed | computed".
  function rowWith(texts, place) {
    return [...place.querySelectorAll("table tr")].find((row) => {
      const cells = [...row.cells].flatMap((cell) => [words(cell), words(cell).split(" | ")[0]]);
      return texts.every((text) => cells.includes(text));
    });
  }

  function rowOf(figure, printed, target) {
    // A cell that derives the figure is the place itself, though the fold at the end lists the figure.
    const everywhere = target.matches(".cell") ? null : document.querySelector("article");
    const around = [target, target.closest("section"), everywhere].filter(Boolean);
    for (const place of around) {
      const found = rowWith([figure, printed], place);
      if (found) return found;
    }
    return rowWith([figure], target);
  }

  function follow() {
    let name = location.hash.slice(1);
    try {
      name = decodeURIComponent(name);
    } catch {
      // An address that is cut off in the middle of a letter names nothing.
    }
    const named = document.getElementById(name);
    const target = named ?? document.querySelector("article");
    if (!target) return;
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      fold.open = true;
    }
    // A link to a section is a link to what it folds.
    const section = target.matches("section > span") ? target.parentElement : target;
    for (const fold of section.querySelectorAll(":scope > details.entry")) fold.open = true;
    if (target.matches("tr")) show(target);
    if (target.matches(".cell")) {
      for (const fold of target.querySelectorAll("details.hide")) fold.open = true;
    }
    const asked = new URLSearchParams(location.search);
    if (!asked.has("figure")) return;
    const [figure, printed] = ["figure", "printed"].map((name) => (asked.get(name) ?? "").trim());
    const row = rowOf(figure, printed, target);
    if (!row) return;
    const fold = row.closest("details");
    if (fold) fold.open = true;
    show(row);
  }

  function show(row) {
    row.style.outline = "3px solid var(--pst-color-accent)";
    row.scrollIntoView({ block: "center" });
  }

  addEventListener("hashchange", follow);
  document.addEventListener("DOMContentLoaded", follow);
})();
