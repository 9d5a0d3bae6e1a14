// Runs the cells that the page sends, one after another, and sends back the outputs of each.

import { INTERPRETER, file, lastLine, start } from "./engine.mjs";
import { loadPyodide } from "./pyodide/pyodide.mjs";

const archives = [file("corefeval.zip"), file("chapters.zip")];
const started = start(loadPyodide, INTERPRETER, archives);

onmessage = async ({ data: cells }) => {
  try {
    const library = await started;
    for (const { number, source } of cells) {
      postMessage({ running: number });
      const outputs = library.ask("cells", "run", { source });
      postMessage({ number, outputs });
      if (outputs.some((output) => output.output_type === "error")) break;
    }
    postMessage({ done: true });
  } catch (error) {
    postMessage({ failed: lastLine(error) });
  }
};
