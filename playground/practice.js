// The page of exercises: asks the worker for one, for a verdict, and for the terms.

"use strict";

(() => {
  const { make, sumTable } = COREFEVAL;
  const element = (name) => document.getElementById(`practice-${name}`);
  const chosen = { size: element("size"), measure: element("measure"), seed: element("seed") };
  const answers = { recall: element("recall"), precision: element("precision") };
  const SIGNS = { right: "✓ right", wrong: "✗ wrong" };

  if (COREFEVAL.isFile(element("status"))) return;

  const python = COREFEVAL.python(element("status"), answer, () => {});

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

  const inAddress = COREFEVAL.inAddress(
    () => `#${new URLSearchParams(exercise())}`,
    () => {
      fillFromAddress();
      begin();
    },
  );

  function begin() {
    inAddress.write();
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
    python.ask("practice", [name], { ...exercise(), ...more });
  }

  // Answers

  function answer({ name, found }) {
    if (name === "exercise") showExercise(found);
    else if (name === "judge") showVerdicts(found);
    else showSolution(found);
  }

  function showExercise({ key, response, svg, title, formula }) {
    element("status").textContent = `Drawn ${python.by()}.`;
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
    const tables = terms.map(sumTable);
    for (const table of tables) table.className = "dataframe";
    const said = [make("p", make("strong", score)), make("p", legend)];
    element("solution").replaceChildren(...said, ...tables);
    show(true);
  }

  function show(is) {
    element("solution").hidden = !is;
    element("show").setAttribute("aria-expanded", is);
    element("show").textContent = is ? "Hide the terms" : "Show the terms";
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
  fillFromAddress();
  begin();
})();
