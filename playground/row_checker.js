// The row checker's page: sends the cells to the worker, and shows what comes back.

"use strict";

(() => {
  const { make, rowHead } = COREFEVAL;
  const PARTS = ["recall", "precision", "F1"];
  const element = (name) => document.getElementById(`row-checker-${name}`);
  const [example, rows, average, rule, whole, status] = [
    "example", "measures", "average", "rule", "whole", "status",
  ].map(element);

  if (COREFEVAL.isFile(status)) return;

  // The state: the cells and the two choices, in the form and in the address

  const texts = (row) => [...row.querySelectorAll("[data-cell]")].map((input) => input.value);
  const nameOf = (row) => row.querySelector("[data-name]").value;

  function state() {
    return {
      measures: [...rows.children].map((row) => ({ name: nameOf(row), cells: texts(row) })),
      average: average.value,
      rule: rule.value,
      whole: whole.value,
    };
  }

  function fill(row) {
    rows.replaceChildren(...row.measures.map(measureRow));
    average.value = row.average ?? "";
    for (const [select, wanted] of [[rule, row.rule], [whole, row.whole]]) {
      const known = [...select.options].findIndex((option) => option.value === wanted);
      select.selectedIndex = Math.max(known, 0); // the first is the default
    }
    name();
  }

  function fillFromExample() {
    const { row } = example.selectedOptions[0].dataset;
    if (row !== undefined) fill(JSON.parse(row));
  }

  function fillFromAddress() {
    const parts = new URLSearchParams(location.hash.slice(1));
    const names = parts.getAll("measure");
    if (names.length === 0) return;
    const columns = PARTS.map((part) => parts.getAll(part.toLowerCase()));
    const measures = names.map((each, i) => ({ name: each, cells: columns.map((column) => column[i] ?? "") }));
    fill({ measures, average: parts.get("average"), rule: parts.get("rule"), whole: parts.get("whole") });
    example.value = "";
  }

  function address() {
    const parts = new URLSearchParams();
    const { measures, average } = state();
    for (const { name, cells } of measures) {
      parts.append("measure", name);
      PARTS.forEach((part, i) => parts.append(part.toLowerCase(), cells[i]));
    }
    parts.set("average", average);
    if (rule.selectedIndex > 0) parts.set("rule", rule.value);
    if (whole.selectedIndex > 0) parts.set("whole", whole.value);
    return new URL(`#${parts}`, location.href).href;
  }

  const writeAddress = () => history.replaceState(null, "", address());

  function measureRow({ name, cells }) {
    const row = element("measure").content.firstElementChild.cloneNode(true);
    row.querySelector("[data-name]").value = name;
    row.querySelectorAll("[data-cell]").forEach((input, i) => (input.value = cells[i] ?? ""));
    return row;
  }

  // Each cell is called by its measure and its part, for those who hear the page.
  function name() {
    [...rows.children].forEach((row, i) => {
      const measure = nameOf(row).trim() || `measure ${i + 1}`;
      row.querySelector("[data-name]").setAttribute("aria-label", `Name of measure ${i + 1}`);
      row.querySelectorAll("[data-cell]").forEach((input, j) => input.setAttribute("aria-label", `${measure} ${PARTS[j]}`));
      const remove = row.querySelector("[data-remove]");
      remove.setAttribute("aria-label", `Remove ${measure}`);
      remove.disabled = rows.children.length === 1;
    });
  }

  // Asking

  const python = COREFEVAL.python(status, show, () => (element("result").hidden = true));
  let writing;
  const ask = () => python.ask("row_check", ["shown"], state());

  function change() {
    example.value = "";
    name();
    ask();
    clearTimeout(writing);
    writing = setTimeout(writeAddress, 300); // browsers refuse one that changes at every key
  }

  // Showing

  function show({ found, asked }) {
    const { errors = {}, empty, possible, headline, wrong = [], missing = [], reasons = [] } = found;
    const doubted = wrong.map(({ cell }) => cell);
    inputs().forEach(([cell, input]) => {
      input.setAttribute("aria-invalid", cell in errors);
      input.classList.toggle("row-checker-doubted", doubted.includes(cell));
    });
    element("error").textContent = Object.entries(errors).map(([cell, why]) => `${cell}: ${why}.`).join(" ");
    status.textContent = `Computed in ${python.took(asked)} ${python.by()}.`;
    element("result").hidden = headline === undefined;
    if (empty) status.textContent = "Type at least one printed number.";
    if (headline === undefined) return;
    const verdict = element("verdict");
    verdict.textContent = headline;
    verdict.classList.toggle("row-checker-impossible", !possible);
    element("cells").replaceChildren(
      ...wrong.map((each) => place(each, "would have to be")),
      ...missing.map((each) => place(each, "is")),
    );
    element("reasons-box").hidden = reasons.length === 0;
    element("reasons").replaceChildren(...reasons.map(reasonRow));
  }

  // The inputs, by the names that Python gives their cells.
  function inputs() {
    const seen = new Set(["average"]);
    const named = [...rows.children].flatMap((row, i) => {
      let measure = nameOf(row).trim() || `measure ${i + 1}`;
      if (seen.has(measure)) measure += ` (${i + 1})`;
      seen.add(measure);
      return [...row.querySelectorAll("[data-cell]")].map((input, j) => [`${measure} ${PARTS[j]}`, input]);
    });
    return [...named, ["average", average]];
  }

  function place({ cell, low, high, prints }, verb) {
    const [first, last = first] = prints;
    const printed = first === last ? first : `${first} to ${last}`;
    return make("li", make("strong", cell), ` ${verb} between ${low} and ${high}: printed as ${printed}.`);
  }

  function reasonRow({ cell, by_others, by_print, meet }) {
    const [others, print] = [by_others, by_print].map((ends) => make("td", ends.join(" to ")));
    const row = make("tr", rowHead(cell), others, print, make("td", meet ? "meet" : "do not meet"));
    row.classList.toggle("row-checker-apart", !meet);
    return row;
  }

  // Typing and pasting

  // A row copied from a table fills the cells from here on.
  function paste(event) {
    const numbers = event.clipboardData.getData("text").match(/\d+(?:[.,]\d+)?/g) ?? [];
    const cells = [...rows.querySelectorAll("[data-cell]"), average];
    const at = cells.indexOf(event.target);
    if (at < 0 || numbers.length < 2) return;
    event.preventDefault();
    cells.slice(at, at + numbers.length).forEach((input, i) => (input.value = numbers[i]));
    change();
  }

  const form = document.getElementById("row-checker-form");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("paste", paste);
  form.addEventListener("input", (event) => {
    if (event.target !== example) change();
  });
  example.addEventListener("change", () => {
    fillFromExample();
    ask();
    writeAddress();
  });
  rows.addEventListener("click", (event) => {
    const row = event.target.closest("[data-remove]")?.closest("tr");
    if (!row) return;
    const beside = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    beside.querySelector("[data-name]").focus();
    change();
  });
  element("add").addEventListener("click", () => {
    rows.append(measureRow({ name: "", cells: [] }));
    rows.lastElementChild.querySelector("[data-name]").focus();
    change();
  });
  element("clear").addEventListener("click", () => {
    for (const [, input] of inputs()) input.value = "";
    rows.querySelector("[data-cell]").focus();
    change();
  });
  element("copy").addEventListener("click", () => {
    writeAddress();
    COREFEVAL.copy(address(), element("copied"), "It is in the address bar.");
  });
  addEventListener("hashchange", () => {
    fillFromAddress();
    ask();
  });
  fillFromExample();
  fillFromAddress();
  ask();
})();
