"""What the library remembers: nothing of an input, once its report is there.

If this failed, a process that scores one corpus after another would fill the memory.
"""

import importlib
import pkgutil

import corefeval
from corefeval import anatomy, evaluate, explain

OF_THE_PACKAGE = {"corefeval.scorers.bundles.bundles", "corefeval.readers.recipes.recipes"}
"""Caches of the package's own data, which are as large after many inputs as after one."""
CONLL = "#begin document (d); part 000\nd 0 0 Ann (1)\nd 0 1 her (1)\n#end document\n"
COREFUD = "# global.Entity = eid-etype-head-other\n# newdoc id = d\n" + "\n".join(
    f"{word}\tx{'	_' * 6}\t_\tEntity=(e{word}-x-1-)" for word in (1, 2)
)


def caches():
    """Every cached function of the library by its name."""
    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(corefeval.__path__, "corefeval.")
        if not found.name.endswith("__main__")
    ]
    for module in modules:
        holders = [module, *(each for each in vars(module).values() if isinstance(each, type))]
        for holder in holders:
            for each in vars(holder).values():
                if hasattr(each, "cache_info"):
                    yield f"{each.__module__}.{each.__qualname__}", each


def test_no_cache_outlives_a_report(tmp_path):
    for ending, text in ((".conll", CONLL), (".conllu", f"{COREFUD}\n\n")):
        file = tmp_path / f"file{ending}"
        file.write_text(text, encoding="utf-8")
        assert len(evaluate(file, file)) == 1
        explain(file, file)
        anatomy(file, file)
    found = dict(caches())
    assert found.keys() > OF_THE_PACKAGE
    assert {name for name, each in found.items() if each.cache_info().currsize} <= OF_THE_PACKAGE
