"""The core: what `import corefeval` loads, which knows of no wing."""

import subprocess
import sys
from functools import cache

from test_imports import SOURCES, imported

CORE = [
    "corefeval",
    "corefeval._version",
    "corefeval.accumulate",
    "corefeval.conventions",
    "corefeval.corpus",
    "corefeval.display",
    "corefeval.errors",
    "corefeval.given",
    "corefeval.lazily",
    "corefeval.measures",
    "corefeval.overlap",
    "corefeval.overlap.alignment",
    "corefeval.overlap.contingency",
    "corefeval.overlap.labels",
    "corefeval.overlap.no_overlap",
    "corefeval.overlap.partition",
    "corefeval.overlap.repeats",
    "corefeval.overlap.twinless",
    "corefeval.registry",
    "corefeval.report",
    "corefeval.score",
    "corefeval.scoring",
    "corefeval.signature",
    *(name for name in SOURCES if name.startswith("corefeval.measures.")),
]
WINGS = tuple(
    f"corefeval.{wing}"
    for wing in ("readers", "scale", "scorers", "analysis", "chance", "published")
)
DOORS = {"corefeval", "corefeval.corpus", "corefeval.given"}
"""The modules of the core that may import a wing, within a function."""
OTHER_DISTRIBUTION = {"metric", "scorer", "document", "evaluation", "metrics", "utils"}
"""The modules of coreference-eval, which installs itself into a package of our name."""


def run(code: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def wings(source: str) -> set[str]:
    """The wings that a source imports, anywhere but for types."""
    names = imported(source, SOURCES)
    return {wing for wing in WINGS if any(f"{name}.".startswith(f"{wing}.") for name in names)}


def test_the_import_loads_core_and_standard_library():
    loaded = run("import sys; before = {*sys.modules}; import corefeval; "
                 "print(*sorted({*sys.modules} - before))")  # fmt: skip
    assert [name for name in loaded if name.partition(".")[0] == "corefeval"] == sorted(CORE)
    others = {name.partition(".")[0] for name in loaded} - {"corefeval"}
    assert others <= sys.stdlib_module_names


def test_three_core_modules_import_wings_when_needed():
    assert {name for name in CORE if wings(SOURCES[name])} == DOORS


ARROWS = {
    "corefeval": {"corefeval.scale"},
    "corefeval.cli": {"corefeval.chance", "corefeval.scale", "corefeval.scorers"},
    "corefeval.corpus": {"corefeval.scorers"},
    "corefeval.given": {"corefeval.readers", "corefeval.scale"},
}
"""The modules at the top that import a wing, and which: each within a function.

What the face imports when it is used stands there as the name of a module.
"""
BELOW = {
    "corefeval.readers": set(),
    "corefeval.scale": set(),
    "corefeval.scorers": {"corefeval.readers"},
    "corefeval.chance": {"corefeval.analysis", "corefeval.scorers"},
    "corefeval.published": set(),
    "corefeval.analysis": {"corefeval.scorers"},
}
"""The wings that each wing imports."""


def test_arrows_run_down_by_named_doors_alone():
    assert {*BELOW} == {*WINGS}
    found = {}
    for name, source in SOURCES.items():
        home = next((wing for wing in WINGS if f"{name}.".startswith(f"{wing}.")), name)
        if others := wings(source) - {home}:
            found.setdefault(home, set()).update(others)
    assert found == ARROWS | {wing: others for wing, others in BELOW.items() if others}


def test_nothing_imports_the_face():
    assert not [
        name for name, source in SOURCES.items() if "corefeval" in imported(source, SOURCES)
    ]


MOST_FLOORS = 10


def longest_way(sources):
    """The longest way down through imports, at the top of modules and within functions."""
    below = {name: imported(source, sources) - {name} for name, source in sources.items()}

    @cache
    def way(name):
        return name, *max(map(way, sorted(below[name])), key=len, default=())

    return max(map(way, sources), key=len)


def test_nobody_climbs_more_than_ten_floors():
    assert len(longest_way(SOURCES)) <= MOST_FLOORS, longest_way(SOURCES)


def test_floors_are_counted_with_what_functions_import():
    house = {
        "roof": "def late():\n    from middle import each\n",
        "middle": "import cellar",
        "cellar": "import os",
    }
    assert longest_way(house) == ("roof", "middle", "cellar")


COMMAND = """
import sys
from corefeval.cli import main
main(["score", "--help"])
print(*sys.modules)
"""


def test_a_command_loads_only_its_own_wing():
    loaded = run(COMMAND)
    assert "corefeval.cli" in loaded
    assert not [name for name in loaded if name.startswith(WINGS)]


WITHOUT_WINGS = """
import sys
class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.startswith(("corefeval.readers", "corefeval.scale", "corefeval.scorers", "numpy")):
            raise ImportError(name)
sys.meta_path.insert(0, Nothing())
import corefeval
key, response = {"d": "{a b c} {d}"}, {"d": "{a b} {c d}"}
report = corefeval.evaluate(key, response, "all", twinless="complete")
print(report["muc"].exact.f1, corefeval.metric("xc")(key["d"], response["d"]).exact.f1)
print(corefeval.measures.link_score("A-B", "A-B").exact.f1)
try:
    corefeval.from_labels([1], [1])
except ImportError as error:
    print(error)
"""


def test_mappings_are_scored_without_any_wing():
    assert run(WITHOUT_WINGS) == ["1/2", "3/4", "1", "corefeval.scale"]


def test_no_module_has_coreference_evals_name():
    ours = {name.split(".")[1] for name in SOURCES if "." in name}
    assert "registry" in ours and not ours & OTHER_DISTRIBUTION
