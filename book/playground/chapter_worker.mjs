// Runs the cells that the page sends, one after another, and sends back the outputs of each.

import { INTERPRETER, file, lastLine, start } from "./engine.mjs";
import { loadPyodide } from "./pyodide/pyodide.mjs";

const archives = [file("corefeval.zip"), file("chapters.zip")];
const started = start(loadPyodide, INTERPRETER, archives);
let lacking = ""; // the package that a cell of this session needed and the browser has not

onmessage = async ({ data: cells }) => {
  try {
    const library = await started;
    for (const { number, source } of cells) {
      postMessage({ running: number });
      const outputs = library.ask("cells", "run", { source });
      const error = outputs.find((output) => output.output_type === "error");
      const without = error ? missing(error) : "";
      postMessage({ number, outputs, without });
      if (error && !without) break;
    }
    postMessage({ done: true });
  } catch (error) {
    postMessage({ failed: lastLine(error) });
  }
};

// The package for want of which a cell failed: its own, or that of a cell whose names it needs.
function missing({ ename, evalue }) {
  if (ename === "ModuleNotFoundError") lacking = /'([^'.]+)/.exec(evalue)?.[1] ?? "";
  else if (ename !== "NameError") return "";
  return lacking;
}
