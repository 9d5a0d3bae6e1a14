// corefeval in Pyodide: what the pages' workers and the tests in Node share.

// Starts Python with the sources in archives (zips, as Uint8Arrays or promises of them).
// `ask` calls a function of a module of corefbook with an object of keywords, and returns
// what it returns: texts, numbers, lists, and objects of them.
export async function start(loadPyodide, indexURL, archives) {
  const python = await loadPyodide({ indexURL });
  for (const archive of archives) {
    python.unpackArchive(await archive, "zip", { extractDir: "/corefeval" });
  }
  // As a notebook in book/ has it.
  python.runPython(`
    import os, sys
    os.chdir("/corefeval/book")
    sys.path[:0] = ["/corefeval/book", "/corefeval"]
  `);
  const json = python.pyimport("json");

  function ask(module, name, values) {
    const given = Object.entries(values).map(([key, value]) => [key, python.toPy(value)]);
    const found = python.pyimport(`corefbook.pages.${module}`)[name].callKwargs(Object.fromEntries(given));
    const text = json.dumps(found);
    found?.destroy?.();
    return JSON.parse(text);
  }

  return { ask };
}

// What a worker says of an error: the last line of Python's.
export const lastLine = (error) => String(error.message ?? error).trim().split("\n").at(-1);

// A file beside this one, as a Uint8Array.
export async function file(name) {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

// Where the interpreter is.
export const INTERPRETER = new URL("pyodide/", import.meta.url).href;
