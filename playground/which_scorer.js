// Two files and a printed number: which scorers print it for these files, and by which rule.

"use strict";

(() => {
  const { make, rowHead } = COREFEVAL;
  const element = (name) => document.getElementById(`files-${name}`);
  const [status, printed, result] = ["status", "printed", "result"].map(element);
  if (COREFEVAL.isFile(status, "corefeval explain KEY RESPONSE --printed 59.6")) return;

  let files;
  let since; // when the question was put: what was asked before is of another one
  const python = COREFEVAL.python(status, show, () => (result.hidden = true));
  const changed = COREFEVAL.twoFiles(
    status,
    (given) => {
      files = given;
      ask();
    },
    () => {
      files = undefined;
      forget();
    },
  );

  function forget() {
    since = performance.now();
    result.hidden = true;
  }

  function ask() {
    if (!files) return;
    if (!printed.value.trim()) {
      status.textContent = "Now the printed number.";
      return;
    }
    COREFEVAL.wait(status, "Scoring the files as each scorer does, once …");
    python.ask("which_scorer", ["answers"], { ...files, printed: printed.value });
  }

  function show({ found: { error, found, more, scores, scorers, note }, asked }) {
    if (asked < since) return;
    result.hidden = error !== undefined;
    status.textContent =
      error ?? [note, `${scorers} scorers tried in ${python.took(asked)} ${python.by()}.`].join(" ").trim();
    if (error !== undefined) return;
    element("none").hidden = found.length > 0;
    element("answers").hidden = found.length === 0;
    element("scores").textContent = scores.join(", ");
    const instead = found.some((each) => each.instead);
    element("instead").hidden = !instead;
    element("found").replaceChildren(...found.map((each) => row(each, instead)));
    element("more").hidden = more.length === 0;
    element("more").replaceChildren(...more.map((each) => make("li", each)));
  }

  function row({ what, scorers, rule, instead }, told) {
    const texts = [scorers.join(", "), rule, ...(told ? [instead] : [])];
    const cells = texts.map((text) => make("td", text));
    return make("tr", rowHead(what), ...cells);
  }

  let waiting;
  printed.addEventListener("input", () => {
    clearTimeout(waiting);
    forget();
    if (files) status.textContent = printed.value.trim() ? "Looking it up …" : "Now the printed number.";
    waiting = setTimeout(ask, 400);
  });
  changed(); // a browser keeps the files of a page that is loaded again
})();
