// Two files: sends them to the worker, and shows their scores.

"use strict";

(() => {
  const { make, rowHead, definition } = COREFEVAL;
  const element = (name) => document.getElementById(`files-${name}`);
  const status = element("status");
  if (COREFEVAL.isFile(status, "corefeval score KEY RESPONSE")) return;

  const conventions = [...document.querySelectorAll("[data-convention]")];
  const python = COREFEVAL.python(status, show, () => (element("result").hidden = true));
  const changed = COREFEVAL.twoFiles(status, (files) => {
    const chosen = conventions.map((select) => [select.dataset.convention, select.value]);
    python.ask("two_files", ["scores"], { ...files, ...Object.fromEntries(chosen) });
  });

  function show({ found: { error, total, documents, signature, methods, notes }, asked }) {
    element("result").hidden = error !== undefined;
    const scored = error ?? `Scored ${documents.length} documents in ${python.took(asked)} ${python.by()}.`;
    status.textContent = [...(notes ?? []), scored].join(" ");
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
  element("copy").addEventListener("click", () => {
    const [methods, signature] = ["methods", "signature"].map((name) => element(name).textContent);
    const refused = "Copying was refused: mark it and copy it.";
    COREFEVAL.copy(`${methods} Signature: ${signature}`, element("copied"), refused);
  });
  changed(); // a browser keeps the files of a page that is loaded again
})();
