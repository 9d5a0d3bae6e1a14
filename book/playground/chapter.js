// Runs the chapter's cells in a worker and compares their outputs with those of its notebook.
// A plain script and no module, so that it can say what is wrong when it is opened as a file.

"use strict";

(() => {
  const bar = document.getElementById("run-chapter");
  const [all, stop, resetAll, progress, status] = ["all", "stop", "reset", "progress", "status"].map(
    (name) => document.getElementById(`run-${name}`),
  );

  if (location.protocol === "file:") {
    status.textContent =
      "This chapter can be run in the page, but not from a file: run “make serve” and open it " +
      "at the address that it names.";
    return;
  }

  const TOKENS = new RegExp(
    [
      "(?<c1>#[^\\n]*)",
      `(?<s2>[rbf]{0,2}(?:"""[^]*?"""|'''[^]*?'''|"(?:\\\\.|[^"\\n])*"|'(?:\\\\.|[^'\\n])*'))`,
      "(?<kc>\\b(?:True|False|None)\\b)",
      "(?<k>\\b(?:and|as|assert|break|class|continue|def|del|elif|else|except|finally|for|from|global|" +
        "if|import|in|is|lambda|not|or|pass|raise|return|try|while|with|yield)\\b)",
      "(?<mi>\\b\\d[\\w.]*)",
      "\\w+|[^]",
    ].join("|"),
    "g",
  );

  const here = new URL(".", document.currentScript.src);
  let cells = []; // once the notebook is there
  let worker = null; // a session of Python, from the first run until it is stopped
  let spare = null; // one that was started early
  let soon = 0;
  let began = 0;

  all.hidden = false;

  // Python starts when somebody is about to press the button, so that it is there sooner.
  for (const sign of ["pointerenter", "focus"]) all.addEventListener(sign, prepare);
  for (const sign of ["pointerleave", "blur"]) all.addEventListener(sign, () => clearTimeout(soon));

  all.addEventListener("click", async () => {
    if (await opened()) {
      end();
      run(cells);
    }
  });
  stop.addEventListener("click", () => {
    end();
    say("Stopped. The next run starts Python again.");
    all.focus();
  });
  resetAll.addEventListener("click", () => {
    end();
    for (const cell of cells) cell.restore();
    say("The chapter is as in the book.");
  });

  // Cells

  async function opened() {
    if (cells.length) return true;
    try {
      const response = await fetch(bar.dataset.notebook);
      if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
      cells = makeCells(await response.json());
      bar.classList.add("run-is-on");
      resetAll.hidden = false;
    } catch (error) {
      say(`The chapter's notebook could not be read: ${error.message}.`);
    }
    return cells.length > 0;
  }

  function makeCells({ cells: stored }) {
    const shown = [...document.querySelectorAll("article div.cell")];
    const code = stored.filter((cell) => cell.cell_type === "code");
    if (code.length !== shown.length) throw new Error("the page shows other cells");
    return code.map((cell, at) => makeCell(shown[at], at, cell));
  }

  function makeCell(element, at, stored) {
    const number = at + 1;
    const pre = element.querySelector(".cell_input pre");
    const source = joined(stored.source);
    const written = pre.innerHTML;
    const output = element.querySelector(".cell_output") ?? make("div", "run-none", "No output.");
    const both = make("div", "run-both");
    const mark = make("span", "run-mark");
    const again = button("Run", `Run cell ${number}`, () => run([cell]));
    const on = button("Run from here", `Run from cell ${number} on`, () => run(cells.slice(at)));
    const reset = button("Reset", `Reset cell ${number}`, () => {
      cell.restore();
      run([cell]);
      pre.focus();
    });
    const line = make("div", "run-line", again, on, reset, mark);

    const cell = {
      number,
      element,
      outcome: "",
      get source() {
        return cell.changed ? text(pre) : source;
      },
      get changed() {
        return text(pre).trimEnd() !== source.trimEnd();
      },
      // What is said of the cell, and whether it is a tick, a difference, or neither.
      tell(outcome, text) {
        cell.outcome = outcome;
        line.dataset.outcome = outcome;
        mark.textContent = cell.changed ? `Changed: no longer the book's. ${text}` : text;
        reset.hidden = !cell.changed;
      },
      leaveOut(lacks) {
        alone();
        cell.tell("left", `Left out: it needs ${lacks}, which the browser lacks, or a cell that does.`);
      },
      show(outputs) {
        const same = JSON.stringify(outputs.map(plain)) === expected;
        alone();
        if (!same) beside(outputs);
        cell.tell(
          same ? "same" : "other",
          same ? "✓ As in the book." : "≠ The output differs from the book's.",
        );
      },
      restore() {
        pre.innerHTML = written;
        alone();
        cell.tell("", "");
      },
    };
    const expected = JSON.stringify(stored.outputs.map(plain));

    function alone() {
      if (both.isConnected) both.replaceWith(...(output.matches(".run-none") ? [] : [output]));
    }

    function beside(outputs) {
      if (output.isConnected) output.replaceWith(both);
      else line.after(both);
      both.replaceChildren(side("In the book", output), side("Here", rendered(outputs)));
    }

    element.id ||= `run-cell-${number}`;
    element.querySelector(".cell_input").closest("details, .cell_input").after(line);
    editable(pre, `Code of cell ${number}`);
    mark.id = `run-mark-${number}`;
    pre.setAttribute("aria-describedby", mark.id);
    pre.addEventListener("input", () => cell.tell("", cell.changed ? "Not run yet." : ""));
    pre.addEventListener("blur", () => colour(pre));
    pre.addEventListener("keydown", (event) => {
      // The page would take the key / for its search, and the sign would not be typed.
      if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) event.stopPropagation();
      if (event.key !== "Enter") return;
      event.preventDefault();
      if (event.shiftKey || event.ctrlKey || event.metaKey) run([cell]);
      else document.execCommand("insertText", false, `\n${indentation(pre)}`);
    });
    cell.tell("", "");
    return cell;
  }

  function editable(pre, name) {
    try {
      pre.contentEditable = "plaintext-only";
    } catch {
      pre.contentEditable = "true"; // browsers before 2025
    }
    pre.spellcheck = false;
    const is = { role: "textbox", "aria-multiline": true, "aria-label": name, autocapitalize: "off" };
    for (const [attribute, value] of Object.entries(is)) pre.setAttribute(attribute, value);
  }

  // The book's colours for code that was typed; the caret would be lost while it is.
  function colour(pre) {
    const parts = [...text(pre).matchAll(TOKENS)].map(({ 0: token, groups }) => {
      const [kind] = Object.entries(groups).find(([, found]) => found !== undefined) ?? [""];
      return kind ? make("span", kind, token) : token;
    });
    pre.replaceChildren(...parts);
  }

  // Some browsers write new lines as elements.
  function text(part) {
    const copy = part.cloneNode(true);
    for (const end of copy.querySelectorAll("br")) end.replaceWith("\n");
    return copy.textContent;
  }

  // Spaces for a new line: those of the line before the caret, and four after a colon.
  function indentation(pre) {
    const before = document.createRange();
    before.selectNodeContents(pre);
    const { startContainer, startOffset } = getSelection().getRangeAt(0);
    before.setEnd(startContainer, startOffset);
    const line = text(before.cloneContents()).split("\n").at(-1);
    const code = line.match(/^(?:[^#"']|"[^"]*"|'[^']*')*/)[0]; // without a comment
    return line.match(/^ */)[0] + (code.trimEnd().endsWith(":") ? "    " : "");
  }

  // Running

  // A cell needs the names of those before it, so a new session begins with the first.
  function run(wanted) {
    if (!stop.hidden) return; // one run at a time
    const asked = worker ? wanted : cells.slice(0, wanted.at(-1).number);
    for (const cell of asked) {
      cell.element.classList.add("run-waits");
      cell.tell("", "Waits.");
    }
    began = performance.now();
    working(true);
    progress.max = asked.length;
    if (worker) progress.value = 0;
    else start();
    worker.postMessage(asked.map(({ number, source }) => ({ number, source })));
  }

  function start() {
    say(`Loading Python, ${bar.dataset.megabytes} MB…`);
    progress.removeAttribute("value");
    worker = spare ?? newWorker();
    spare = null;
    worker.onmessage = ({ data }) => answered(data);
    worker.onerror = () => fail("the worker did not start; an older browser cannot run it");
  }

  const newWorker = () => new Worker(new URL("chapter_worker.mjs", here), { type: "module" });

  function prepare() {
    clearTimeout(soon);
    if (worker || navigator.connection?.saveData) return;
    soon = setTimeout(() => (spare ??= newWorker()), 150);
  }

  function end() {
    clearTimeout(soon);
    worker?.terminate();
    worker = null;
    all.textContent = "Run this chapter";
    working(false);
  }

  function working(is) {
    bar.classList.toggle("run-works", is);
    stop.hidden = progress.hidden = !is;
    all.disabled = resetAll.disabled = is;
    if (is) return;
    for (const cell of cells.filter((each) => each.element.classList.contains("run-waits"))) {
      cell.element.classList.remove("run-waits");
      cell.tell("", "Not run.");
    }
  }

  function fail(why) {
    end();
    say(`Python failed: ${why}.`);
  }

  function answered({ running, number, outputs, without, done, failed }) {
    if (failed !== undefined) fail(failed);
    else if (running !== undefined) {
      if (!progress.hasAttribute("value")) progress.value = 0;
      if (progress.value === 0) say("Running…");
      cells[running - 1].tell("", "Runs.");
    } else if (done) {
      working(false);
      conclude();
    } else {
      progress.value += 1;
      all.textContent = `${progress.value} of ${progress.max} cells done`;
      cells[number - 1].element.classList.remove("run-waits");
      if (without && !cells[number - 1].changed) cells[number - 1].leaveOut(without);
      else cells[number - 1].show(outputs);
    }
  }

  // The result

  function conclude() {
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const changed = cells.filter((cell) => cell.changed);
    const books = cells.filter((cell) => !cell.changed);
    const same = books.filter((cell) => cell.outcome === "same");
    const other = books.filter((cell) => cell.outcome === "other");
    const left = books.filter((cell) => cell.outcome === "left");
    const rest = books.length - same.length - other.length - left.length;
    all.textContent = "Run all again";
    say(
      `${same.length} of ${cells.length} outputs are as in the book`,
      ...list(", different: ", other),
      ...list(", code changed: ", changed),
      left.length ? `, ${left.length} left out` : "",
      rest ? `, ${rest} not run` : "",
      `. It took ${seconds} s.`,
    );
  }

  function list(words, some) {
    const links = some.flatMap(({ number, element }) => {
      const link = make("a", "", `cell ${number}`);
      link.href = `#${element.id}`;
      return [" ", link];
    });
    return some.length ? [words.trimEnd(), ...links] : [];
  }

  function say(...content) {
    status.replaceChildren(...content);
  }

  // Outputs, as a notebook stores them

  // What can be compared: texts whole, and no counts.
  function plain({ output_type, name, text, data, ename, evalue, traceback }) {
    const texts = Object.entries(data ?? {}).map(([type, value]) => [type, joined(value)]);
    return [output_type, name, joined(text), texts.sort(), ename, evalue, traceback];
  }

  function joined(text) {
    return Array.isArray(text) ? text.join("") : text;
  }

  // With the elements and classes that the book gives to a stored output.
  function rendered(outputs) {
    const box = make("div", "cell_output docutils container");
    box.append(...outputs.map(renderedOne));
    if (!outputs.length) box.append(make("p", "run-none", "No output."));
    return box;
  }

  function renderedOne({ output_type, name, text, data, traceback }) {
    if (output_type === "stream") return block(name === "stderr" ? "stderr" : "stream", text);
    if (output_type === "error") return block("traceback", traceback.join("\n"));
    const html = data["text/html"] ?? data["image/svg+xml"];
    if (html === undefined) return block("text_plain", data["text/markdown"] ?? data["text/plain"]);
    const output = make("div", "output text_html");
    output.innerHTML = html;
    for (const picture of output.querySelectorAll("[data-drawn]")) {
      if (!picture.querySelector("figcaption")) picture.append(make("figcaption"));
      picture.querySelector("figcaption").append(" ", opening(picture));
    }
    return output;
  }

  // As in the captions of the book's own pictures.
  function opening({ dataset }) {
    const examples = JSON.parse(dataset.drawn);
    const links = examples.flatMap(([key, response, label], at) => {
      const link = make("a", "", examples.length > 1 ? label || `${at + 1}` : "Open in the playground");
      link.href = `playground.html#${new URLSearchParams({ key, response })}`;
      return at ? [", ", link] : [link];
    });
    if (examples.length > 1) links.unshift("Open in the playground: ");
    return make("span", "to-playground", ...links);
  }

  // It can be scrolled with the keyboard.
  function side(name, output) {
    const made = make("section", "", make("p", "run-head", name), output);
    made.tabIndex = 0;
    made.setAttribute("aria-label", name);
    return made;
  }

  function block(kind, text) {
    const pre = make("pre", "", text);
    const box = make("div", `output ${kind} highlight-myst-ansi notranslate`);
    box.append(make("div", "highlight", pre));
    return box;
  }

  function button(text, name, click) {
    const made = make("button", "", text);
    made.type = "button";
    made.setAttribute("aria-label", name);
    made.addEventListener("click", click);
    return made;
  }

  function make(tag, name, ...content) {
    const made = document.createElement(tag);
    if (name) made.className = name;
    made.append(...content);
    return made;
  }
})();
