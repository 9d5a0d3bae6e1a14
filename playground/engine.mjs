// corefeval in Pyodide: what the pages' worker and the tests in Node share.

// Starts Python with the library's sources (a zip, as a Uint8Array or the promise of one).
// `ask` calls a function of a module of the companion with an object of keywords, and returns
// what it returns: texts, numbers, lists, and objects of them.
export async function start(loadPyodide, indexURL, sources) {
  const python = await loadPyodide({ indexURL });
  python.unpackArchive(await sources, "zip");
  const json = python.pyimport("json");

  function ask(module, name, values) {
    const given = Object.entries(values).map(([key, value]) => [key, python.toPy(value)]);
    const found = python.pyimport(`companion.${module}`)[name].callKwargs(Object.fromEntries(given));
    const text = json.dumps(found);
    found?.destroy?.();
    return JSON.parse(text);
  }

  return { about: python.pyimport("companion.playground").about(), ask };
}
