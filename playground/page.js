// The playground's page: sends what is typed to the worker, and shows what comes back.

"use strict";

(() => {
  const { make, rowHead, sumTable, definition } = COREFEVAL;
  const element = (name) => document.getElementById(`playground-${name}`);
  const example = element("example");
  const fields = { key: element("key"), response: element("response") };
  const conventions = [...document.querySelectorAll("[data-convention]")];
  const status = element("status");
  const opened = new Set(); // the measures whose terms are shown

  if (COREFEVAL.isFile(status)) return;

  // The state: the two texts and the conventions, in the form and in the address

  function state() {
    const chosen = conventions.map((select) => [select.dataset.convention, select.value]);
    return {
      key: fields.key.value,
      response: fields.response.value,
      conventions: Object.fromEntries(chosen),
    };
  }

  function fill(key, response, chosen) {
    fields.key.value = key;
    fields.response.value = response;
    for (const select of conventions) {
      const wanted = chosen[select.dataset.convention];
      const known = [...select.options].findIndex((option) => option.value === wanted);
      select.selectedIndex = Math.max(known, 0); // the first is the default
    }
  }

  // What a link asks for: an example of a paper, or a key and a response; and whose terms to open.
  function fillFromExample() {
    const { key, response, conventions: chosen } = example.selectedOptions[0].dataset;
    if (key !== undefined) fill(key, response, JSON.parse(chosen));
  }

  function fillFromAddress() {
    const given = new URLSearchParams(location.hash.slice(1));
    const parts = Object.fromEntries(given);
    const named = [...example.options].find(({ value }) => value && value === parts.example);
    if (!named && !("key" in parts || "response" in parts)) return false;
    example.value = named ? parts.example : "";
    if (named) fillFromExample();
    else fill(parts.key ?? "", parts.response ?? "", parts);
    opened.clear();
    for (const name of given.getAll("why")) opened.add(name);
    return true;
  }

  function address() {
    const { key, response } = state();
    const parts = new URLSearchParams({ key, response });
    for (const select of conventions) {
      if (select.selectedIndex > 0) parts.set(select.dataset.convention, select.value);
    }
    for (const name of opened) parts.append("why", name);
    return new URL(`#${parts}`, location.href).href;
  }

  const inAddress = COREFEVAL.inAddress(address, () => {
    if (!fillFromAddress()) return;
    element("form").scrollIntoView();
    ask();
  });

  // Asking

  const python = COREFEVAL.python(status, show, () => markStale(true));

  function ask() {
    const { key, response, conventions } = state();
    python.ask("playground", ["scores", "drawing", "why"], { key, response, ...conventions });
  }

  function change() {
    ask();
    inAddress.writeSoon();
  }

  // Showing

  let stale = false;

  function show({ name, found, asked }) {
    if (name === "scores") showScores(found);
    else if (name === "why") showReasons(found);
    else showDrawing(found, asked);
  }

  function showScores({ errors = {}, overlap, alignments, measures, signature, note }) {
    for (const [side, field] of Object.entries(fields)) {
      const error = errors[side] ?? "";
      field.setAttribute("aria-invalid", error !== "");
      element(`${side}-error`).textContent = error;
    }
    const unreadable = measures === undefined;
    markStale(unreadable);
    if (unreadable) {
      status.textContent = "";
      return;
    }
    element("results").hidden = false;
    const of = (standard) => measures.filter((each) => each.standard === standard);
    element("measures").replaceChildren(...of(true).flatMap(measureRows));
    element("others").replaceChildren(...of(false).flatMap(measureRows));
    const folded = element("others").closest("details");
    folded.open ||= of(false).some(({ name }) => opened.has(name));
    element("overlap").replaceChildren(...overlap.map(overlapRow));
    element("alignments").replaceChildren(sumRow(alignments));
    element("signature").textContent = signature;
    element("note").textContent = note;
  }

  function showDrawing(svg, asked) {
    if (stale) return;
    // The library escapes what was typed.
    element("drawing").innerHTML = svg || "<p>There is no mention to draw.</p>";
    status.textContent = `Computed in ${python.took(asked)} ${python.by()}.`;
  }

  function markStale(is) {
    stale = is;
    element("results").classList.toggle("playground-is-stale", is);
  }

  function measureRows({ name, title, refused, recall, precision, f1, value }) {
    const why = document.createElement("tr");
    why.id = `why-${name}`;
    why.hidden = !opened.has(name);
    const head = rowHead(definition(name, title), make("code", name), opener(name, title, why));
    const whole = refused ? [make("em", refused)] : [...ratio(value), make("span", "value")];
    const row =
      refused || value
        ? make("tr", head, spanning(3, make("td", ...whole)))
        : make("tr", head, ...[recall, precision, f1].map((part) => make("td", ...ratio(part))));
    row.dataset.measure = name;
    return [row, why];
  }

  // Why: the terms of a measure's counts, in a row that opens below its own

  function opener(name, title, why) {
    const button = make("button", "why");
    button.type = "button";
    button.setAttribute("aria-label", `why: the terms of ${title}`);
    button.setAttribute("aria-controls", why.id);
    button.setAttribute("aria-expanded", opened.has(name));
    button.addEventListener("click", () => {
      if (!opened.delete(name)) opened.add(name);
      why.hidden = !opened.has(name);
      button.setAttribute("aria-expanded", !why.hidden);
      inAddress.write();
    });
    return button;
  }

  function showReasons(found) {
    for (const [name, sums] of Object.entries(found)) {
      const cell = spanning(4, make("td", ...sums.map(sumTable)));
      document.getElementById(`why-${name}`)?.replaceChildren(cell);
    }
  }

  function ratio(part) {
    if (!part) return ["—"];
    const { percent, exact, counts } = part;
    return [`${percent}%`, exact, counts].filter(Boolean).map((text) => make("span", text));
  }

  function overlapRow({ key, response, shared, n, k, r, similarities }) {
    const cells = [response, shared.join(" "), n, k, r].map((text) => make("td", text));
    return make("tr", rowHead(key), ...cells, ...similarities.map(similarityCell));
  }

  function similarityCell({ exact, chosen }) {
    if (!chosen) return make("td", exact);
    const mark = make("span", "✓");
    mark.setAttribute("role", "img");
    mark.setAttribute("aria-label", "in the best alignment");
    return make("td", mark, " ", make("strong", exact));
  }

  function sumRow(alignments) {
    const head = spanning(6, rowHead("Sum over the best alignment, ✓"));
    return make("tr", head, ...alignments.map(({ sum }) => make("td", make("strong", sum))));
  }

  function spanning(columns, cell) {
    cell.colSpan = columns;
    return cell;
  }

  // Beginning

  for (const field of Object.values(fields)) {
    field.addEventListener("input", () => {
      example.value = "";
      change();
    });
  }
  for (const select of conventions) select.addEventListener("change", change);
  example.addEventListener("change", () => {
    fillFromExample();
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
