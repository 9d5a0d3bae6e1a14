// Answers requests with the library in Pyodide, as the page's worker does.
// Arguments: the zip of the library's sources, the file of the requests.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { start } from "../../book/playground/engine.mjs";
import { loadPyodide } from "../../book/playground/node_modules/pyodide/pyodide.mjs";

const pyodide = fileURLToPath(new URL("../../book/playground/node_modules/pyodide/", import.meta.url));
const [zip, file] = process.argv.slice(2).map((path) => readFileSync(path));
const library = await start(loadPyodide, pyodide, [new Uint8Array(zip)]);
const requests = JSON.parse(file.toString());
const answers = requests.map(([module, name, values]) => library.ask(module, name, values));
process.stdout.write(JSON.stringify(answers));
