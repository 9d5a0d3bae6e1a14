// The page of exercises: asks the worker for one, for a verdict, and for the terms.
// A plain script and no module, so that it can say what is wrong when it is opened as a file.

"use strict";

(() => {
  const element = (name) => document.getElementById(`practice-${name}`);
  const chosen = { size: element("size"), measure: element("measure"), seed: element("seed") };
  const answers = { recall: element("recall"), precision: element("precision") };
  const SIGNS = { right: "✓ right", wrong: "✗ wrong" };

  if (location.protocol === "file:") {
    element("status").textContent =
      "This page runs Python in your browser, which it cannot do from a file: " +
      "run “make serve” and open the address that it names.";
    return;
  }

  const worker = new Worker(new URL("worker.mjs", document.currentScript.src), { type: "module" });

  // The exercise, in the form and in the address

  const exercise = () => ({
    size: Number(chosen.size.value),
    measure: chosen.measure.value,
    seed: Math.abs(Math.trunc(Number(chosen.seed.value))) || 0,
  });

  function fillFromAddress() {
    for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
      const field = chosen[name];
      const known = field?.options ? [...field.options].some((each) => each.value === value) : true;
      if (field && known) field.value = value;
    }
  }

  function begin() {
    history.replaceState(null, "", `#${new URLSearchParams(exercise())}`);
    for (const [part, field] of Object.entries(answers)) {
      field.value = typed()[part] ?? "";
      element(`${part}-verdict`).textContent = "";
    }
    show(false);
    ask("exercise");
  }

  // What is typed is kept for this exercise until the browser's tab is closed.
  const place = () => `practice ${new URLSearchParams(exercise())}`;
  const typed = () => JSON.parse(sessionStorage.getItem(place()) ?? "{}");

  function keep() {
    const values = Object.entries(answers).map(([part, field]) => [part, field.value]);
    sessionStorage.setItem(place(), JSON.stringify(Object.fromEntries(values)));
  }

  function ask(name, more = {}) {
    const values = { ...exercise(), ...more };
    worker.postMessage({ module: "practice", names: [name], values });
  }

  // Answers

  worker.onmessage = ({ data: { failed, engine, name, found } }) => {
    if (failed !== undefined) fail(failed);
    else if (engine !== undefined) element("status").textContent = `Drawn by ${engine} in your browser.`;
    else if (name === "exercise") showExercise(found);
    else if (name === "judge") showVerdicts(found);
    else showSolution(found);
  };
  worker.onerror = () => fail("the worker did not start; an older browser cannot run it");

  function fail(why) {
    element("status").textContent = `Python failed: ${why}. Load the page again.`;
  }

  function showExercise({ key, response, svg, title, formula }) {
    element("exercise").hidden = false;
    element("key").textContent = key;
    element("response").textContent = response;
    element("formula").textContent = `${title}: ${formula}`;
    element("drawing").innerHTML = svg; // mentions are letters of the library's own
    const state = new URLSearchParams({ key, response, why: exercise().measure });
    element("open").href = `playground.html#${state}`;
  }

  function showVerdicts(verdicts) {
    for (const [part, verdict] of Object.entries(verdicts)) {
      const place = element(`${part}-verdict`);
      place.textContent = SIGNS[verdict] ?? verdict;
      place.dataset.verdict = verdict;
    }
  }

  function showSolution({ score, terms, legend }) {
    const said = [make("p", make("strong", score)), make("p", legend)];
    element("solution").replaceChildren(...said, ...terms.map(sumTable));
    show(true);
  }

  function show(is) {
    element("solution").hidden = !is;
    element("show").setAttribute("aria-expanded", is);
    element("show").textContent = is ? "Hide the terms" : "Show the terms";
  }

  function sumTable({ title, each, terms, sum }) {
    const rows = terms.map(({ of, triple, value }) => {
      const sizes = triple ? ` n = ${triple[0]}, k = ${triple[1]}, r = ${triple[2]}` : "";
      return make("tr", rowHead(of, make("small", sizes)), make("td", value));
    });
    const total = make("tr", rowHead("Sum"), make("td", make("strong", sum)));
    const caption = make("caption", make("strong", title), each && `: ${each}`);
    const table = make("table", caption, make("tbody", ...rows, total));
    table.className = "dataframe";
    return table;
  }

  function rowHead(...content) {
    const made = make("th", ...content);
    made.scope = "row";
    return made;
  }

  function make(tag, ...content) {
    const made = document.createElement(tag);
    made.append(...content);
    return made;
  }

  // Beginning

  for (const field of Object.values(chosen)) field.addEventListener("change", begin);
  for (const field of Object.values(answers)) field.addEventListener("input", keep);
  element("another").addEventListener("click", () => {
    chosen.seed.value = Math.floor(Math.random() * 1e6);
    begin();
  });
  element("form").addEventListener("submit", (event) => {
    event.preventDefault();
    const [recall, precision] = [answers.recall.value, answers.precision.value];
    ask("judge", { recall, precision });
  });
  element("show").addEventListener("click", () => {
    if (element("solution").hidden) ask("solution");
    else show(false);
  });
  addEventListener("hashchange", () => {
    fillFromAddress();
    begin();
  });
  fillFromAddress();
  begin();
})();
