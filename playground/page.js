// The playground's page: sends what is typed to the worker, and shows what comes back.
// A plain script and no module, so that it can say what is wrong when it is opened as a file.

"use strict";

(() => {
  const element = (name) => document.getElementById(`playground-${name}`);
  const example = element("example");
  const fields = { key: element("key"), response: element("response") };
  const conventions = [...document.querySelectorAll("[data-convention]")];
  const status = element("status");

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

  function fillFromExample() {
    const { key, response, conventions: chosen } = example.selectedOptions[0].dataset;
    if (key !== undefined) fill(key, response, JSON.parse(chosen));
  }

  function fillFromAddress() {
    const parts = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    if (!("key" in parts || "response" in parts)) return;
    fill(parts.key ?? "", parts.response ?? "", parts);
    example.value = "";
  }

  function address() {
    const { key, response } = state();
    const parts = new URLSearchParams({ key, response });
    for (const select of conventions) {
      if (select.selectedIndex > 0) parts.set(select.dataset.convention, select.value);
    }
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
      names: ["scores", "drawing"],
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
    else if (data.name === "scores") showScores(data.found);
    else showDrawing(data.found, data.asked);
  };
  worker.onerror = () => showFailure("the worker did not start; an older browser cannot run it");

  function showFailure(why) {
    markStale(true);
    status.textContent = `Python failed: ${why}. Change the input or load the page again.`;
  }

  function showScores({ errors = {}, overlap, alignments, measures, signature }) {
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
    element("measures").replaceChildren(...measures.map(measureRow));
    element("overlap").replaceChildren(...overlap.map(overlapRow));
    element("alignments").replaceChildren(sumRow(alignments));
    element("signature").textContent = signature;
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

  function measureRow({ name, title, refused, recall, precision, f1, value }) {
    const head = rowHead(title, make("code", name));
    const whole = refused ? [make("em", refused)] : [...ratio(value), make("span", "value")];
    if (refused || value) return make("tr", head, spanning(3, make("td", ...whole)));
    return make("tr", head, ...[recall, precision, f1].map((part) => make("td", ...ratio(part))));
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
  element("copy").addEventListener("click", async () => {
    writeAddress();
    try {
      await navigator.clipboard.writeText(address());
      element("copied").textContent = "Copied.";
    } catch {
      element("copied").textContent = "It is in the address bar.";
    }
  });
  addEventListener("hashchange", () => {
    fillFromAddress();
    ask();
  });
  fillFromExample();
  fillFromAddress();
  ask();
})();
