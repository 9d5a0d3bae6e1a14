// Two files: sends them to the worker, and shows their scores and, once they are opened, the errors.

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
  let values; // the two files and the conventions
  let scored = false; // whether the scores that are shown are theirs
  const changed = COREFEVAL.twoFiles(status, (files) => {
    const chosen = conventions.map((select) => [select.dataset.convention, select.value]);
    values = { ...files, ...Object.fromEntries(chosen) };
    scored = false;
    showErrors({});
    python.ask("two_files", ["scores"], values);
  });

  function show({ name, found, asked }) {
    if (name === "scores") showScores(found, asked);
    else if (scored) showErrors(found); // or else they are of files or conventions from before
  }

  function showScores({ error, total, documents, signature, methods, notes }, asked) {
    scored = error === undefined;
    for (const name of ["result", "more"]) element(name).hidden = !scored;
    const said = error ?? `Scored ${documents.length} documents in ${python.took(asked)} ${python.by()}.`;
    status.textContent = [...(notes ?? []), said].join(" ");
    if (error !== undefined) return;
    element("total").replaceChildren(
      ...total.map(({ name, title, cells }) => row(definition(name, title), cells)),
    );
    const heads = ["Document", ...total.map(({ title }) => title)].map((text) => make("th", text));
    for (const head of heads) head.scope = "col";
    element("head").replaceChildren(...heads);
    element("documents").replaceChildren(
      ...documents.map(({ name, cells, key, response }) => row(opened(name, key, response), cells)),
    );
    element("signature").textContent = signature;
    element("methods").textContent = methods;
    element("copied").textContent = "";
    askForErrors();
  }

  // The errors, when they are looked at: a page of its own in a frame that can reach nothing.

  let asksErrors = false;

  function askForErrors() {
    // Not before the scores: the worker would take it in their place.
    if (!scored || asksErrors || !element("errors").open || element("errors-page").firstChild) return;
    asksErrors = true;
    element("errors-status").textContent = "Looking for the errors …";
    python.ask("two_files", ["errors"], values);
  }

  function showErrors({ html = "", error = "", notes = [] }) {
    asksErrors = false;
    element("errors-status").textContent = [...notes, error].join(" ");
    element("errors-page").replaceChildren(...(html ? [frame(html), saved(html)] : []));
  }

  // Made anew each time: one that was hidden may stay blank.
  function frame(html) {
    const made = make("iframe");
    made.title = "Errors in the text";
    made.sandbox = "allow-scripts";
    made.className = "files-errors-page";
    // This page's light or dark, which need not be the system's and does not reach into a frame.
    const dark = document.documentElement.dataset.theme === "dark";
    made.srcdoc = html
      .replace("color-scheme: light dark", `color-scheme: ${dark ? "dark" : "light"}`)
      .replace("(prefers-color-scheme: dark)", dark ? "all" : "not all");
    return made;
  }

  function saved(html) {
    const link = make("a", "Save this as a page of its own");
    link.download = "errors.html";
    link.href = URL.createObjectURL(new Blob([html], { type: "text/html" }));
    return make("p", link);
  }

  const row = (head, cells) => make("tr", rowHead(head), ...cells.map((text) => make("td", text)));

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
  element("errors").addEventListener("toggle", askForErrors);
  element("copy").addEventListener("click", () => {
    const [methods, signature] = ["methods", "signature"].map((name) => element(name).textContent);
    const refused = "Copying was refused: mark it and copy it.";
    COREFEVAL.copy(`${methods} Signature: ${signature}`, element("copied"), refused);
  });
  changed(); // a browser keeps the files of a page that is loaded again
})();
