// Answers a page's requests, each for some functions of a module of corefbook, in their order.
// A newer request for a module takes the place of an older one.

import { INTERPRETER, file, lastLine, start } from "./engine.mjs";
import { loadPyodide } from "./pyodide/pyodide.mjs";

const newest = new Map(); // of each module the request to be answered; older ones are forgotten
let busy = true; // until Python has started

onmessage = ({ data }) => {
  newest.set(data.module, data);
  answer();
};

async function answer() {
  if (busy) return;
  busy = true;
  let left = [];
  while (newest.size || left.length) {
    for (const request of newest.values()) {
      const others = left.filter((each) => each.module !== request.module);
      left = [...request.names.map((name) => ({ ...request, name })), ...others];
    }
    newest.clear();
    const { module, name, values, asked } = left.shift();
    try {
      postMessage({ module, name, found: library.ask(module, name, values), asked });
    } catch (error) {
      left = left.filter((each) => each.module !== module);
      postMessage({ failed: lastLine(error) });
    }
    await pause(); // lets newer requests in
  }
  busy = false;
}

const pause = () => new Promise((resolve) => setTimeout(resolve));

let library;
try {
  library = await start(loadPyodide, INTERPRETER, [file("corefeval.zip")]);
  postMessage({ ready: true });
  busy = false;
  answer();
} catch (error) {
  postMessage({ failed: lastLine(error) });
}
