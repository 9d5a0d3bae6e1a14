// What the pages that run Python share.
// A plain script and no module, so that a page that is opened as a file can say what is wrong.

"use strict";

const COREFEVAL = (() => {
  const here = new URL(".", document.currentScript.src);

  // Whether the page was opened as a file, where no Python can be started; it then says what to do.
  function isFile(status, command = "") {
    if (location.protocol !== "file:") return false;
    status.textContent =
      "This page runs Python in your browser, which it cannot do from a file: run “make serve” " +
      `and open the address that it names${command && `, or type “${command}” in a terminal`}.`;
    return true;
  }

  // Python in a worker. `show` gets each answer, `failed` is called where there will be none.
  function python(status, show, failed) {
    const worker = new Worker(new URL("worker.mjs", here), { type: "module" });
    let engine = "";
    let ready = 0; // since when there is Python

    function fail(why) {
      failed();
      status.textContent = `Python failed: ${why}. Change the input or load the page again.`;
    }

    worker.onmessage = ({ data }) => {
      if (data.failed !== undefined) fail(data.failed);
      else if (data.engine !== undefined) [engine, ready] = [data.engine, performance.now()];
      else show(data);
    };
    worker.onerror = () => fail("the worker did not start; an older browser cannot run it");
    return {
      ask: (module, names, values) =>
        worker.postMessage({ module, names, values, asked: performance.now() }),
      took: (asked) => `${Math.round(performance.now() - Math.max(asked, ready))} ms`,
      by: () => `by ${engine} in your browser`,
    };
  }

  // The state of a page in its address: written at once, or a moment after a change.
  // `follow` is called when a link is opened on the page, and finds it in the address.
  function inAddress(address, follow) {
    let writing;
    const write = () => history.replaceState(null, "", address());
    const writeSoon = () => {
      clearTimeout(writing);
      writing = setTimeout(write, 300); // browsers refuse one that changes at every key
    };
    addEventListener("hashchange", ({ newURL }) => {
      clearTimeout(writing);
      history.replaceState(null, "", newURL); // it may be that what was typed was written over it
      follow();
    });
    return { write, writeSoon };
  }

  // What is waited for, with a bar that moves.
  function wait(status, text) {
    const bar = document.createElement("progress");
    bar.setAttribute("aria-hidden", "true");
    status.replaceChildren(`${text} `, bar);
  }

  // Two files, chosen or dropped. `forget` is called as soon as one is another, `read` gets their
  // names and bytes once both are there, and which of them is left of the two before.
  function twoFiles(status, read, forget) {
    const [key, response, exchange, sample, ignored] = ["key", "response", "exchange", "sample", "ignored"].map(
      (name) => document.getElementById(`files-${name}`),
    );
    const inputs = { key, response };
    const chosen = (side) => inputs[side].files[0];
    let before = {}; // the two that were read last

    function choose(side, file) {
      const list = new DataTransfer();
      if (file) list.items.add(file);
      inputs[side].files = list.files;
    }

    async function changed() {
      const files = { key: chosen("key"), response: chosen("response") };
      forget();
      for (const [side, file] of Object.entries(files)) {
        document.getElementById(`files-${side}-name`).textContent = file ? file.name : "no file yet";
      }
      exchange.hidden = !(files.key && files.response);
      if (exchange.hidden) {
        if (files.key || files.response) status.textContent = "Now the other file.";
        return;
      }
      wait(status, "Reading the files …");
      const [left, ...both] = Object.keys(files).filter((side) => files[side] === before[side]);
      before = files;
      const values = {};
      for (const [side, file] of Object.entries(files)) {
        values[side] = new Uint8Array(await file.arrayBuffer());
        values[`${side}_name`] = file.name;
      }
      if (Object.entries(files).some(([side, file]) => chosen(side) !== file)) return; // others since
      read(values, left && !both.length ? files[left].name : "");
    }

    // Of two files the one whose name says so is the key, or else the first; one alone is what is
    // not there yet.
    function drop(event) {
      const [one, other, ...others] = event.dataTransfer.files;
      if (!one) return;
      event.preventDefault();
      ignore(others);
      if (!other) choose(chosen("key") ? "response" : "key", one);
      else {
        const exchanged = /key|gold/i.test(other.name) && !/key|gold/i.test(one.name);
        choose("key", exchanged ? other : one);
        choose("response", exchanged ? one : other);
      }
      changed();
    }

    function ignore(files) {
      const names = files.map((file) => file.name).join(", ");
      ignored.hidden = files.length === 0;
      ignored.textContent = `This page takes two files. Ignored: ${names}.`;
    }

    async function takeSample() {
      sample.disabled = true;
      const files = sample.dataset.names.split(" ").map(async (name) => {
        const found = await fetch(new URL(name, here));
        return new File([await found.blob()], name);
      });
      const [one, other] = await Promise.all(files);
      sample.disabled = false;
      choose("key", one);
      choose("response", other);
      ignore([]);
      changed();
    }

    for (const input of Object.values(inputs)) {
      input.addEventListener("change", () => {
        ignore([]);
        changed();
      });
    }
    sample.addEventListener("click", takeSample);
    exchange.addEventListener("click", () => {
      const [one, other] = [chosen("key"), chosen("response")];
      choose("key", other);
      choose("response", one);
      changed();
    });
    addEventListener("dragover", (event) => {
      if (event.dataTransfer.types.includes("Files")) event.preventDefault();
    });
    addEventListener("drop", drop);
    return changed;
  }

  // Elements

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

  // The terms of a count, a row each, and their sum.
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

  function definition(name, title) {
    const link = make("a", title);
    link.href = `measures/${name}.html`;
    return link;
  }

  async function copy(text, told, otherwise) {
    try {
      await navigator.clipboard.writeText(text);
      told.textContent = "Copied.";
    } catch {
      told.textContent = otherwise;
    }
  }

  return { isFile, python, inAddress, wait, twoFiles, make, rowHead, sumTable, definition, copy };
})();
