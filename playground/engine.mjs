// corefeval in Pyodide: what the page's worker and the tests in Node share.

// Starts Python with the library's sources (a zip, as a Uint8Array or the promise of one) and
// returns the functions of companion.playground, which take { key, response, conventions }.
export async function start(loadPyodide, indexURL, sources) {
  const python = await loadPyodide({ indexURL });
  python.unpackArchive(await sources, "zip");
  const library = python.pyimport("companion.playground");
  const json = python.pyimport("json");

  function scores({ key, response, conventions }) {
    const found = library.scores.callKwargs(key, response, conventions);
    const text = json.dumps(found);
    found.destroy();
    return JSON.parse(text);
  }

  function drawing({ key, response, conventions }) {
    return library.drawing.callKwargs(key, response, conventions);
  }

  return { about: library.about(), scores, drawing };
}
