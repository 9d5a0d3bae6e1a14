// Answers the page's requests: the scores first, the drawing as soon as nothing newer waits.

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
  let undrawn = null;
  while (newest || undrawn) {
    const request = newest ?? undrawn;
    try {
      if (newest) {
        newest = null;
        const scores = library.scores(request);
        postMessage({ scores });
        if (!scores.errors) undrawn = request;
        await pause(); // lets newer requests in
      } else {
        undrawn = null;
        postMessage({ drawing: library.drawing(request), asked: request.asked });
      }
    } catch (error) {
      postMessage({ failed: lastLine(error) });
    }
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
