// The playground's page: sends what is typed to the worker, and shows what comes back.
// A plain script and no module, so that it can say what is wrong when it is opened as a file.

"use strict";

(() => {
  const element = (name) => document.getElementById(`playground-${name}`);
  const example = element("example");
  const fields = { key: element("key"), response: element("response") };
  const conventions = [...document.querySelectorAll("[data-convention]")];
  const status = element("status");
  const opened = new Set(); // the measures whose terms are shown

  if (location.protocol === "file:") {
    status.textContent =
      "This page runs Python in your browser, which it cannot do from a file: " +
      "run “make serve” and open the address that it names.";
    return;
  }

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

  function address({ key, response } = state()) {
    const parts = new URLSearchParams({ key, response });
    for (const select of conventions) {
      if (select.selectedIndex > 0) parts.set(select.dataset.convention, select.value);
    }
    for (const name of opened) parts.append("why", name);
    return new URL(`#${parts}`, location.href).href;
  }

  const writeAddress = () => history.replaceState(null, "", address());

  // Asking

  const worker = new Worker(new URL("worker.mjs", document.currentScript.src), { type: "module" });
  let writing;

  function ask() {
    const { key, response, conventions } = state();
    worker.postMessage({
      module: "playground",
      names: ["scores", "drawing", "why"],
      values: { key, response, ...conventions },
      asked: performance.now(),
    });
  }

  function change() {
    ask();
    clearTimeout(writing);
    writing = setTimeout(writeAddress, 300); // browsers refuse one that changes at every key
  }

  // Showing

  let engine = "";
  let ready = 0; // since when there is Python
  let stale = false;

  worker.onmessage = ({ data }) => {
    if (data.failed !== undefined) showFailure(data.failed);
    else if (data.engine !== undefined) [engine, ready] = [data.engine, performance.now()];
    else if (data.module === "two_files") showFiles(data.found, data.asked);
    else if (data.name === "scores") showScores(data.found);
    else if (data.name === "why") showReasons(data.found);
    else showDrawing(data.found, data.asked);
  };
  worker.onerror = () => showFailure("the worker did not start; an older browser cannot run it");

  function showFailure(why) {
    markStale(true);
    status.textContent = `Python failed: ${why}. Change the input or load the page again.`;
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
    const took = Math.round(performance.now() - Math.max(asked, ready));
    status.textContent = `Computed in ${took} ms by ${engine} in your browser.`;
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

  function definition(name, title) {
    const link = make("a", title);
    link.href = `measures/${name}.html`;
    return link;
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
      writeAddress();
    });
    return button;
  }

  function showReasons(found) {
    for (const [name, sums] of Object.entries(found)) {
      const cell = spanning(4, make("td", ...sums.map(sumTable)));
      document.getElementById(`why-${name}`)?.replaceChildren(cell);
    }
  }

  function sumTable({ title, each, terms, sum }) {
    const rows = terms.map(({ of, triple, value }) => {
      const [n, k, r] = triple ?? [];
      const sizes = triple ? ` n = ${n}, k = ${k}, r = ${r}` : "";
      return make("tr", rowHead(of, make("small", sizes)), make("td", value));
    });
    const total = make("tr", rowHead("Sum"), make("td", make("strong", sum)));
    const caption = make("caption", make("strong", title), each && `: ${each}`);
    return make("table", caption, make("tbody", ...rows, total));
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

  function make(tag, ...content) {
    const made = document.createElement(tag);
    made.append(...content);
    return made;
  }

  function rowHead(...content) {
    const made = make("th", ...content);
    made.scope = "row";
    return made;
  }

  function spanning(columns, cell) {
    cell.colSpan = columns;
    return cell;
  }

  // Two files

  const files = { key: element("file-key"), response: element("file-response") };
  const chosenFile = (side) => files[side].files[0];

  async function askFiles() {
    const [key, response] = Object.keys(files).map(chosenFile);
    element("exchange").hidden = !(key && response);
    if (!key || !response) {
      if (key || response) element("files-status").textContent = "Now the other file.";
      return;
    }
    element("files-status").textContent = "Reading the files …";
    const asked = performance.now();
    const bytes = await Promise.all(
      [key, response].map(async (file) => new Uint8Array(await file.arrayBuffer())),
    );
    const values = {
      key: bytes[0],
      response: bytes[1],
      key_name: key.name,
      response_name: response.name,
      ...state().conventions,
    };
    worker.postMessage({ module: "two_files", names: ["scores"], values, asked });
  }

  function showFiles({ error, total, documents, signature, methods, notes }, asked) {
    element("files-result").hidden = error !== undefined;
    const took = Math.round(performance.now() - Math.max(asked, ready));
    element("files-status").textContent =
      error ?? [...notes, `Scored ${documents.length} documents in ${took} ms.`].join(" ");
    if (error !== undefined) return;
    element("files-total").replaceChildren(...total.map(totalRow));
    const heads = ["Document", ...total.map(({ title }) => title)].map((text) => make("th", text));
    for (const head of heads) head.scope = "col";
    element("files-head").replaceChildren(...heads);
    element("files-documents").replaceChildren(
      ...documents.map(({ name, cells, key, response }) =>
        make("tr", rowHead(key === undefined ? name : documentLink(name, key, response)), ...cells.map((text) => make("td", text))),
      ),
    );
    element("files-signature").textContent = signature;
    element("files-methods").textContent = methods;
    element("files-copied").textContent = "";
  }

  function totalRow({ name, title, cells }) {
    return make("tr", rowHead(definition(name, title)), ...cells.map((text) => make("td", text)));
  }

  // Opens a document in the form.
  function documentLink(name, key, response) {
    const link = make("a", name);
    link.href = address({ key, response });
    return link;
  }

  function choose(side, file) {
    const list = new DataTransfer();
    if (file) list.items.add(file);
    files[side].files = list.files;
  }

  // Of two files the one whose name says so is the key, or else the first; one alone is what is
  // not there yet.
  function drop(event) {
    const [one, other] = event.dataTransfer.files;
    if (!one) return;
    event.preventDefault();
    if (!other) choose(chosenFile("key") ? "response" : "key", one);
    else {
      const exchanged = /key|gold/i.test(other.name) && !/key|gold/i.test(one.name);
      choose("key", exchanged ? other : one);
      choose("response", exchanged ? one : other);
    }
    document.getElementById("playground-files").scrollIntoView();
    askFiles();
  }

  // Beginning

  for (const field of Object.values(fields)) {
    field.addEventListener("input", () => {
      example.value = "";
      change();
    });
  }
  for (const select of conventions) {
    select.addEventListener("change", change);
    select.addEventListener("change", askFiles);
  }
  for (const input of Object.values(files)) input.addEventListener("change", askFiles);
  addEventListener("dragover", (event) => {
    if (event.dataTransfer.types.includes("Files")) event.preventDefault();
  });
  addEventListener("drop", drop);
  element("exchange").addEventListener("click", () => {
    const [key, response] = Object.keys(files).map(chosenFile);
    choose("key", response);
    choose("response", key);
    askFiles();
  });
  example.addEventListener("change", () => {
    fillFromExample();
    change();
  });
  element("copy").addEventListener("click", () => {
    writeAddress();
    copy(address(), "copied", "It is in the address bar.");
  });
  element("files-copy").addEventListener("click", () => {
    const [methods, signature] = ["files-methods", "files-signature"].map((name) => element(name).textContent);
    copy(`${methods} Signature: ${signature}`, "files-copied", "Copying was refused: mark it and copy it.");
  });
  async function copy(text, told, otherwise) {
    try {
      await navigator.clipboard.writeText(text);
      element(told).textContent = "Copied.";
    } catch {
      element(told).textContent = otherwise;
    }
  }
  addEventListener("hashchange", () => {
    if (!fillFromAddress()) return;
    element("form").scrollIntoView();
    ask();
  });
  fillFromExample();
  fillFromAddress();
  ask();
})();
