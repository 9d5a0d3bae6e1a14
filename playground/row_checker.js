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

  const inAddress = COREFEVAL.inAddress(address, () => {
    fillFromAddress();
    ask();
  });

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
  const ask = () => python.ask("row_check", ["shown"], state());

  function change() {
    example.value = "";
    pastedBox.hidden = true;
    name();
    ask();
    inAddress.writeSoon();
  }

  // Showing

  function show({ name, found, asked }) {
    if (name === "pasted") showPasted(found);
    else if (pastedBox.hidden) showVerdict(found, asked);
  }

  function showVerdict(found, asked) {
    const { errors = {}, empty, possible, headline, wrong = [], missing = [], reasons = [] } = found;
    const doubted = wrong.map(({ cell }) => cell);
    inputs().forEach(([cell, input]) => {
      input.setAttribute("aria-invalid", cell in errors);
      input.classList.toggle("row-checker-doubted", doubted.includes(cell));
    });
    element("error").textContent = Object.entries(errors).map(([cell, why]) => `${cell}: ${why}.`).join(" ");
    element("result").hidden = headline === undefined;
    status.textContent = empty ? "Type at least one printed number." : "";
    if (headline === undefined) return;
    status.textContent = `Computed in ${python.took(asked)} ${python.by()}.`;
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

  // Pasting: what was read is shown, and fills the cells once the reader has agreed

  const pastedBox = element("pasted");
  const [numbers, layout, fillCells] = ["numbers", "layout", "fill"].map(element);
  let first = 0; // the row of the first measure that is pasted
  let layouts = [];

  function paste(event) {
    const text = event.clipboardData.getData("text");
    const standing = text.match(/(?<![\w.,])[\d.]/g) ?? []; // "CEAF4" is a name
    if (!event.target.matches("[data-cell], [data-name]") || standing.length < 2) return;
    event.preventDefault();
    first = Math.max([...rows.children].indexOf(event.target.closest("tr")), 0);
    pastedBox.hidden = false;
    element("result").hidden = true;
    element("error").textContent = "";
    showPasted({ layouts: [] });
    numbers.value = "";
    readPasted(text);
    numbers.focus();
  }

  function readPasted(text) {
    status.textContent = "Reading what was pasted …";
    python.ask("row_paste", ["pasted"], { text, rows: rows.children.length - first });
  }

  function showPasted({ numbers: read, layouts: found, likely }) {
    layouts = found;
    if (read && !numbers.value) numbers.value = read.join(" ");
    const options = found.map((each, i) => new Option(each.name, i));
    if (likely === null) options.unshift(new Option("choose how", ""));
    layout.replaceChildren(...options);
    layout.disabled = found.length === 0;
    element("unread").hidden = !read || found.length > 0;
    if (read) {
      element("unread").textContent =
        `${read.length} numbers fit no layout: three for each measure, or one F1 for each, with an ` +
        "average behind them or without. Remove what is no score.";
      status.textContent = "Not checked yet: say how the row is to be read.";
      if (likely !== null) layout.value = likely;
    }
    preview();
  }

  function preview() {
    const chosen = layouts[layout.value];
    fillCells.disabled = !chosen;
    element("preview").hidden = !chosen;
    if (!chosen) return;
    const cells = (texts) => texts.map((text) => make("td", text || "–"));
    const lines = chosen.measures.map((texts, i) => make("tr", rowHead(pastedName(i)), ...cells(texts)));
    if (chosen.average) lines.push(make("tr", rowHead("Average"), ...cells(["", "", chosen.average])));
    element("preview-rows").replaceChildren(...lines);
  }

  function pastedName(i) {
    const row = rows.children[first + i];
    return (row && nameOf(row).trim()) || `measure ${first + i + 1}`;
  }

  // A whole row takes the place of all that was there; behind a measure its own cells change.
  function fillFromPasted() {
    const { measures, average: mean } = layouts[layout.value];
    const { measures: before, ...rest } = state();
    const named = measures.map((cells, i) => ({ name: first + i < before.length ? before[first + i].name : "", cells }));
    const isWhole = first === 0 || example.value !== "";
    const above = before.slice(0, first).map((each) => (isWhole ? { ...each, cells: [] } : each));
    const below = isWhole ? [] : before.slice(first + measures.length);
    fill({ ...rest, measures: [...above, ...named, ...below], average: isWhole ? mean : mean || rest.average });
    change();
    rows.children[first].querySelector("[data-cell]").focus();
  }

  pastedBox.addEventListener("input", (event) => {
    event.stopPropagation(); // these are no cells
    if (event.target === numbers) readPasted(numbers.value);
    else preview();
  });
  fillCells.addEventListener("click", fillFromPasted);
  element("cancel").addEventListener("click", () => {
    pastedBox.hidden = true;
    ask();
    rows.children[first]?.querySelector("[data-cell]").focus();
  });

  // Typing

  const form = document.getElementById("row-checker-form");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("paste", paste);
  form.addEventListener("input", (event) => {
    if (event.target !== example) change();
  });
  example.addEventListener("change", () => {
    fillFromExample();
    ask();
    inAddress.write();
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
    inAddress.write();
    COREFEVAL.copy(address(), element("copied"), "It is in the address bar.");
  });
  fillFromExample();
  fillFromAddress();
  ask();
})();
