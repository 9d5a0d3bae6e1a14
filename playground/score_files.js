// Two files: sends them to the worker, and shows their scores and, once they are opened, what costs
// most, the errors, and what other scorers print.

"use strict";

(() => {
  const { make, rowHead, definition } = COREFEVAL;
  const element = (name) => document.getElementById(`files-${name}`);
  const status = element("status");
  if (COREFEVAL.isFile(status, "corefeval score KEY RESPONSE")) return;

  const conventions = [...document.querySelectorAll("[data-convention]")];
  const python = COREFEVAL.python(status, show, () => {
    for (const name of ["result", "more"]) element(name).hidden = true;
  });
  let files; // the two files
  let values; // these and the conventions
  let since; // when they were read: what was asked before is of others
  let scored = false; // whether the scores that are shown are theirs
  let kept = ""; // the name of the file that stayed when the other was replaced
  const changed = COREFEVAL.twoFiles(
    status,
    (given, left) => {
      const chosen = conventions.map((select) => [select.dataset.convention, select.value]);
      files = given;
      kept = left;
      values = { ...given, ...Object.fromEntries(chosen) };
      COREFEVAL.wait(status, "Scoring the files …");
      python.ask("two_files", ["scores"], values);
    },
    () => {
      since = performance.now();
      scored = false;
      for (const name of ["result", "more", "error"]) element(name).hidden = true;
      warn([]);
      for (const fold of Object.values(folds)) forget(fold);
    },
  );

  function show({ name, found, asked }) {
    if (asked < since || (name === "answers" && asked < typed)) return;
    if (name === "scores") showScores(found, asked);
    else if (name === "answers") showAnswers(found);
    else if (scored) showFold(folds[name], found);
  }

  function showScores({ error, total, documents, signature, methods, notes }, asked) {
    scored = error === undefined;
    for (const name of ["result", "more"]) element(name).hidden = !scored;
    warn(notes ?? []);
    element("error").hidden = scored;
    const other = kept && ` The other file is still ${kept}: choose that anew, too, if it belongs to another pair.`;
    element("error").textContent = error === undefined ? "" : error + other;
    status.textContent = "";
    if (!scored) return;
    const many = documents.length === 1 ? "1 document" : `${documents.length} documents`;
    status.textContent = `Scored ${many} in ${python.took(asked)} ${python.by()}.`;
    element("total").replaceChildren(
      ...total.map(({ name, title, cells }) => row(definition(name, title), cells)),
    );
    // Of a document the CoNLL score stands first, in sight.
    const first = (cells) => [...cells.slice(average), ...cells.slice(0, average)];
    const average = total.findIndex(({ name }) => name === "conll");
    const titles = first(total.map(({ title }) => title));
    element("head").replaceChildren(...heads(["Document", ...titles]));
    element("documents").replaceChildren(
      ...documents.map(({ name, cells, key, response }) => row(opened(name, key, response), first(cells))),
    );
    element("signature").textContent = signature;
    element("methods").textContent = methods;
    element("methods").parentElement.hidden = element("copy").hidden = !methods; // a side is empty
    element("copied").textContent = "";
    for (const fold of Object.values(folds)) askFor(fold);
  }

  // The first warning, and a fold for the others.
  function warn(notes) {
    const [first, ...others] = notes;
    const box = element("notes");
    box.hidden = notes.length === 0;
    if (box.hidden) return;
    const count = notes.length > 1 ? `${notes.length} warnings. ` : "Warning. ";
    const rest = make("details", make("summary", `${others.length} more`), list(others));
    box.replaceChildren(make("p", make("strong", count), first), ...(others.length ? [rest] : []));
  }

  // Folds: each is asked for when it is looked at, and not before the scores are there.

  const folds = {
    costliest: { module: "costliest", waits: "Looking for them …", given: () => values, show: showCostliest },
    errors: { module: "two_files", waits: "Looking for the errors …", given: () => values, show: showErrors },
    differences: {
      module: "differences",
      waits: "Scoring the files as each scorer does …",
      given: () => files,
      show: showDifferences,
    },
  };

  function askFor(fold) {
    if (!scored || fold.asked || !element(fold.name).open) return;
    fold.asked = true;
    COREFEVAL.wait(element(`${fold.name}-status`), fold.waits);
    python.ask(fold.module, [fold.name], fold.given());
  }

  function showFold(fold, { error = "", notes = [], ...found }) {
    element(`${fold.name}-status`).textContent = [...notes, error].join(" ");
    if (!error) fold.show(found);
  }

  function forget(fold) {
    fold.asked = false;
    element(`${fold.name}-status`).textContent = "";
    fold.show();
  }

  let costs = [];

  function showCostliest({ measures = [] } = {}) {
    costs = measures;
    const chosen = element("costs-by").value || "b3";
    element("costs-by").replaceChildren(...measures.map(({ name, title }) => new Option(title, name)));
    if (measures.some(({ name }) => name === chosen)) element("costs-by").value = chosen;
    showCosts();
  }

  function showCosts() {
    const { rows = [] } = costs.find(({ name }) => name === element("costs-by").value) ?? {};
    element("costs").replaceChildren(...rows.map(([lost, ...cells]) => row(lost, cells)));
    if (costs.length && !rows.length) {
      const nothing = make("td", "No entity costs anything by this measure.");
      nothing.colSpan = 6;
      element("costs").replaceChildren(make("tr", nothing));
    }
  }

  function showErrors({ html = "" } = {}) {
    element("errors-page").replaceChildren(...(html ? [frame(html), saved(html)] : []));
  }

  // Made anew each time: one that was hidden may stay blank.
  function frame(html) {
    const made = make("iframe");
    made.title = "Errors in the text";
    made.sandbox = "allow-same-origin"; // without it no link of a blob leads anywhere; nothing in it runs
    made.className = "files-errors-page";
    // This page's light or dark, which need not be the system's and does not reach into a frame.
    const dark = document.documentElement.dataset.theme === "dark";
    // Not as srcdoc, where a link to a place in it leads to this page.
    made.src = asFile(html.replace("color-scheme: light dark", `color-scheme: ${dark ? "dark" : "light"}`));
    return made;
  }

  function saved(html) {
    const link = make("a", "Save this as a page of its own");
    link.download = "errors.html";
    link.href = asFile(html);
    return make("p", link);
  }

  const asFile = (html) => URL.createObjectURL(new Blob([html], { type: "text/html" }));

  function showDifferences(found) {
    const page = element("differences-page");
    if (!found) {
      page.replaceChildren();
      showAnswers({});
      return;
    }
    const { head, ours, rows, reasons, alike, none } = found;
    const table = make(
      "table",
      make("thead", make("tr", ...heads(["Scorers", ...head]))),
      make("tbody", row("ours", ours), ...rows.map(({ scorers, cells }) => row(scorers.join(", "), cells))),
    );
    table.className = "dataframe";
    const scrolls = make("div", table);
    scrolls.className = "playground-scroll";
    scrolls.tabIndex = 0;
    scrolls.setAttribute("role", "group");
    scrolls.setAttribute("aria-label", "What other scorers print");
    const parts = [["Why", reasons.map(({ reason, scorers }) => `${reason}: ${scorers}.`)]];
    if (alike.length) parts.push(["The same numbers as ours", [alike.join(", ")]]);
    if (none.length) parts.push(["No number", none.map(([scorer, why]) => `${scorer}: ${why}`)]);
    const told = parts.flatMap(([title, texts]) => [make("p", make("strong", title)), list(texts)]);
    page.replaceChildren(scrolls, ...told);
    askPrinted();
  }

  // A printed number: the scorers that print it for these files.

  const printed = element("printed");
  let typed = 0; // when the number was typed

  function askPrinted() {
    if (!printed.value.trim()) return showAnswers({});
    COREFEVAL.wait(element("printed-status"), "Looking for it …");
    python.ask("which_scorer", ["answers"], { ...files, printed: printed.value });
  }

  function showAnswers({ error = "", found = [], more = [], waits = false }) {
    const nobody = printed.value.trim() && !error && !found.length && !waits ? "No scorer that this book knows prints it." : "";
    element("printed-status").textContent = error || nobody;
    const told = found.map(({ what, scorers, rule }) => `${what}: ${scorers.join(", ") || "ours"}; ${rule}`);
    element("printed-by").replaceChildren(...list([...told, ...more]).children);
  }

  // Elements

  const row = (head, cells) => make("tr", rowHead(head), ...cells.map((text) => make("td", text)));
  const list = (texts) => make("ul", ...texts.map((text) => make("li", text)));

  function heads(texts) {
    const made = texts.map((text) => make("th", text));
    for (const head of made) head.scope = "col";
    return made;
  }

  // A document's name; a link into the playground, where that can show it.
  function opened(name, key, response) {
    if (key === undefined) return name;
    const parts = new URLSearchParams({ key, response });
    for (const select of conventions) {
      if (select.selectedIndex > 0) parts.set(select.dataset.convention, select.value);
    }
    const link = make("a", name);
    link.href = `playground.html#${parts}`;
    return link;
  }

  for (const select of conventions) select.addEventListener("change", changed);
  for (const [name, fold] of Object.entries(folds)) {
    fold.name = name;
    element(name).addEventListener("toggle", () => askFor(fold));
  }
  element("costs-by").addEventListener("change", showCosts);
  let waiting;
  printed.addEventListener("input", () => {
    clearTimeout(waiting);
    typed = performance.now();
    showAnswers({ found: [], waits: true });
    waiting = setTimeout(askPrinted, 400);
  });
  element("copy").addEventListener("click", () => {
    const [methods, signature] = ["methods", "signature"].map((name) => element(name).textContent);
    const refused = "Copying was refused: mark it and copy it.";
    COREFEVAL.copy(`${methods} Signature: ${signature}`, element("copied"), refused);
  });
  changed(); // a browser keeps the files of a page that is loaded again
})();
