// Adds to each zip that is named the compiled form of its Python sources, so that the reader's
// browser need not compile them at every start: node compile.mjs stdlib|sources A.zip …
// The modules of the standard library are imported from their zip, which wants a.pyc beside a.py;
// the others are unpacked, and theirs stand in __pycache__. Python does not compare them with
// their sources, which stay in the zip for tracebacks and for inspect.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { loadPyodide } from "./node_modules/pyodide/pyodide.mjs";

const [kind, ...zips] = process.argv.slice(2);
const indexURL = fileURLToPath(new URL("node_modules/pyodide/", import.meta.url));
const python = await loadPyodide({ indexURL });
python.runPython(`
import sys
from importlib._bootstrap_external import _code_to_hash_pyc
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

def place(name, kind):
    folder, _, file = name.rpartition("/")
    if kind == "stdlib":
        return f"{name}c"
    return f"{folder}/__pycache__/{file.removesuffix('.py')}.{sys.implementation.cache_tag}.pyc"

def add_compiled(kind):
    root = next(path for path in sys.path if path.endswith(".zip")) if kind == "stdlib" else "/corefeval"
    with ZipFile("/in.zip") as given, ZipFile("/out.zip", "w") as target:
        for name in (name for name in given.namelist() if not name.endswith(".pyc")):
            content = given.read(name)
            target.writestr(ZipInfo(name), content, ZIP_DEFLATED)
            if name.endswith(".py"):
                code = compile(content, f"{root}/{name}", "exec", dont_inherit=True)
                compiled = _code_to_hash_pyc(code, bytes(8), checked=False)
                target.writestr(ZipInfo(place(name, kind)), compiled, ZIP_DEFLATED)
`);
for (const zip of zips) {
  python.FS.writeFile("/in.zip", readFileSync(zip));
  python.globals.get("add_compiled")(kind);
  writeFileSync(zip, python.FS.readFile("/out.zip"));
}
