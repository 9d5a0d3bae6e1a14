// A link into a chapter opens the fold that it leads to. A link of the ledger names a figure, too: the
// row that has it is shown.
"use strict";

(() => {
  const words = (cell) => cell.textContent.trim().replace(/\s+/g, " ");

  // The folds that a link leads to: those around its target and those in its cell or section.
  function folds(target) {
    const around = target.closest("details");
    const inside = [...target.querySelectorAll("details.hide")];
    const ofCell = target.classList.contains("cell") ? inside : [];
    return { open: [around, ...ofCell].filter(Boolean), search: inside };
  }

  // The row of a figure: that which has most of its quantity and of what is printed.
  function rowOf(tables, { figure, printed }) {
    const rows = tables.flatMap((table) => [...table.rows]);
    const having = (wanted) => rows.filter((row) => wanted.every((text) => [...row.cells].some((cell) => words(cell) === text)));
    return having([figure, printed])[0] ?? having([figure])[0];
  }

  function follow() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    const { open, search } = folds(target);
    for (const fold of open) fold.open = true;
    const asked = Object.fromEntries(new URLSearchParams(location.search));
    if (!asked.figure) return;
    const section = target.closest("section") ?? target;
    const tables = [...(search.length ? target : section).querySelectorAll("details table")];
    const row = rowOf(tables, { figure: asked.figure.trim(), printed: (asked.printed ?? "").trim() });
    if (!row) return;
    row.closest("details").open = true;
    row.style.outline = "3px solid var(--pst-color-accent)";
    row.scrollIntoView({ block: "center" });
  }

  addEventListener("hashchange", follow);
  document.addEventListener("DOMContentLoaded", follow);
})();
