// Answers a page's requests, each for some functions of a module of the companion: in their
// order, and no further than a newer request comes in.

import { start } from "./engine.mjs";
import { loadPyodide } from "./pyodide/pyodide.mjs";

const place = (path) => new URL(path, import.meta.url).href;

let newest = null; // the request to be answered; older ones are forgotten
let busy = true; // until Python has started

onmessage = ({ data }) => {
  newest = data;
  answer();
};

async function answer() {
  if (busy) return;
  busy = true;
  let request = null;
  let left = [];
  while (newest || left.length) {
    if (newest) {
      request = newest;
      left = [...newest.names];
      newest = null;
    }
    const name = left.shift();
    const { module, values, asked } = request;
    try {
      postMessage({ name, found: library.ask(module, name, values), asked });
    } catch (error) {
      left = [];
      postMessage({ failed: lastLine(error) });
    }
    await pause(); // lets newer requests in
  }
  busy = false;
}

const pause = () => new Promise((resolve) => setTimeout(resolve));

const lastLine = (error) => String(error.message ?? error).trim().split("\n").at(-1);

async function sources() {
  const response = await fetch(place("corefeval.zip"));
  if (!response.ok) throw new Error(`corefeval.zip: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

let library;
try {
  library = await start(loadPyodide, place("pyodide/"), sources());
  postMessage({ engine: library.about });
  busy = false;
  answer();
} catch (error) {
  postMessage({ failed: lastLine(error) });
}
