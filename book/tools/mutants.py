"""Plant faults in the library, and find out which files of tests notice which of them.

python book/tools/mutants.py [--faults 200] [--seed 1] [--package corefeval] [--first] [TEST FILE …]

Each fault changes one expression: a comparison, an operator, a number, a branch. All are planted at
once, in a copy of the project in .mutants/, as switches that are off: ``a < b`` becomes
``(a <= b if switches[7] else a < b)``. The tests run once with all off, which tells which test
reaches which switch, and then, for each fault, those that reach it, in a forked child in which it
is on. So nothing is imported twice. With ``--first`` a fault that one file notices is not shown to
the others, which takes minutes where all files take hours.

Prints a line a fault, with the files whose tests fail, and how many faults each file notices, and
notices alone. Whoever deletes a test runs this before and after. A fault that no test notices may
change nothing that is asked: another order of what is sorted later, the size of a cache.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
TREE = ROOT / ".mutants"
NOT_COPIED = (".*", "_build", "node_modules", "__pycache__", "dist", "*.ipynb")
DEAREST = 0.6
"""CPU seconds: tests that take longer are left out, but for `--all`."""

# Planting

OTHER_COMPARISON = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
OTHER_OPERATOR = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
OTHER_NAME = {"min": "max", "max": "min", "any": "all", "all": "any"}


def changed(node: ast.expr) -> ast.expr | None:
    """The expression with a fault; None if there is none for its kind.

    >>> ast.unparse(changed(ast.parse("a < b", mode="eval").body))
    'a <= b'
    >>> ast.unparse(changed(ast.parse("f(a) if b else 0", mode="eval").body))
    '0 if b else f(a)'
    """
    new: Any = copy.deepcopy(node)
    match new:
        case ast.Compare(ops=[operator]):
            new.ops = [OTHER_COMPARISON[type(operator)]()]
        case ast.BinOp() if type(new.op) in OTHER_OPERATOR and not has_text(new):
            new.op = OTHER_OPERATOR[type(new.op)]()
        case ast.BoolOp():
            new.op = ast.Or() if isinstance(new.op, ast.And) else ast.And()
        case ast.UnaryOp(op=ast.Not()):
            new = new.operand
        case ast.Constant(value=bool(value)):
            new.value = not value
        case ast.Constant(value=int(value)):
            new.value = value + 1
        case ast.IfExp():
            new.body, new.orelse = new.orelse, new.body
        case ast.Call(func=ast.Name(id=name)) if name in OTHER_NAME:
            new.func.id = OTHER_NAME[name]
        case _:
            return None
    return new


def has_text(node: ast.BinOp) -> bool:
    """Whether texts are joined, which cannot be done by another operator."""
    sides = (node.left, node.right)
    return any(
        isinstance(side, ast.JoinedStr) or isinstance(getattr(side, "value", None), str)
        for side in sides
    )


def computed(node: ast.AST, inside: bool = False) -> Iterator[ast.expr]:
    """The expressions of functions that are computed: no annotation, default or text."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        for statement in node.body:
            yield from computed(statement, True)
        return
    if isinstance(node, (ast.JoinedStr, ast.Assert, ast.match_case)):
        return
    if inside and isinstance(node, ast.expr):
        yield node
    for name, field in ast.iter_fields(node):
        if name == "annotation":
            continue
        for child in field if isinstance(field, list) else [field]:
            if isinstance(child, ast.AST):
                yield from computed(child, inside)


class Planting(ast.NodeTransformer):
    """Puts switches round chosen expressions, the inner ones of those in one another left out."""

    def __init__(self, chosen: list[ast.expr], first: int) -> None:
        self.chosen, self.first = chosen, first
        self.faults: list[dict[str, Any]] = []

    def visit(self, node: ast.AST) -> ast.AST:
        if not any(node is each for each in self.chosen):
            return self.generic_visit(node)
        new: Any = changed(node)  # type: ignore[arg-type]
        number = self.first + len(self.faults)
        fault = {"line": node.lineno, "was": ast.unparse(node), "is": ast.unparse(new)}  # type: ignore[attr-defined]
        self.faults.append(fault)
        switch = ast.parse(f"__switches__[{number}]", mode="eval").body
        return ast.copy_location(ast.IfExp(switch, new, node), node)  # type: ignore[arg-type]


def plant(package: Path, wanted: int, seed: int) -> list[dict[str, Any]]:
    """Plant about so many faults in all modules of a package alike; what they are, by number."""
    trees = {path: ast.parse(path.read_text("utf-8")) for path in sorted(package.rglob("*.py"))}
    sites = {
        path: [node for node in computed(tree) if changed(node) is not None]
        for path, tree in trees.items()
    }
    share = wanted / sum(map(len, sites.values()))
    draw = random.Random(seed)
    faults: list[dict[str, Any]] = []
    for path, tree in trees.items():
        number = min(len(sites[path]), max(1, round(share * len(sites[path]))))
        planting = Planting(draw.sample(sites[path], number), len(faults))
        new = ast.fix_missing_locations(planting.visit(tree))
        file = path.relative_to(package).as_posix()
        faults += [{"file": file, **fault} for fault in planting.faults]
        if planting.faults:
            switched = ast.parse(f"from {SWITCHES} import switches as __switches__").body
            new.body[beginning(new) : beginning(new)] = switched
            path.write_text(ast.unparse(ast.fix_missing_locations(new)) + "\n", "utf-8")
    return faults


def beginning(module: ast.Module) -> int:
    """The place of the first statement behind the docstring and imports of ``__future__``."""
    place = int(ast.get_docstring(module) is not None)
    while getattr(module.body[place], "module", None) == "__future__":
        place += 1
    return place


SWITCHES = "mutants_switches"
MODULE = '''"""Switches of faults, which are off but for one, and which of them were asked."""

import os


class Switches:
    def __init__(self):
        self.asked = set()
        self.on = int(os.environ.get("MUTANT", "-1"))  # a test may start a process

    def __getitem__(self, number):
        self.asked.add(number)
        return number == self.on


switches = Switches()
'''

# Running: what follows is a plugin of pytest, in the process that main starts


def pytest_runtestloop(session: Any) -> bool:
    """Run all tests with no fault, then for each fault those that reach it."""
    task = json.loads(os.environ["MUTANTS"])
    trials = Trials(session, task["all"], task["first"])
    with open(task["out"], "w", encoding="utf-8") as out:
        for number in range(task["faults"]):
            json.dump([number, trials.reaching(number), trials.killers(number)], out)
            out.write("\n")
            out.flush()
    return True


class Trials:
    """The tests that pass without a fault, what each of them reaches, and what it costs."""

    def __init__(self, session: Any, every: bool, first: bool) -> None:
        from mutants_switches import switches  # type: ignore[import-not-found]

        self.session, self.switches, self.first = session, switches, first
        session.config.pluginmanager.register(self)
        self.failed = False
        self.reached: dict[Any, set[int]] = {}
        self.cost: dict[Any, float] = {}
        for item in session.items:
            switches.asked = set()
            begun = time.process_time()
            passed = self.passes(item)
            cost = time.process_time() - begun
            if passed and (every or cost < DEAREST):
                self.reached[item], self.cost[item] = switches.asked, cost

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.failed = self.failed or report.failed

    def passes(self, item: Any) -> bool:
        self.failed = False
        self.session.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        return not self.failed

    def by_file(self, number: int) -> dict[str, list[Any]]:
        """The tests that reach a fault, the cheapest first."""
        by_file_name = defaultdict(list)
        for item in sorted(self.reached, key=self.cost.__getitem__):
            if number in self.reached[item]:
                by_file_name[item.nodeid.partition("::")[0]].append(item)
        return by_file_name

    def reaching(self, number: int) -> int:
        return sum(map(len, self.by_file(number).values()))

    def killers(self, number: int) -> list[str]:
        """The files in which a test fails with this fault, or the first of them."""
        files = self.by_file(number).items()
        killing = (file for file, items in files if self.killed(number, items))
        return list(islice(killing, 1 if self.first else None))

    def killed(self, number: int, items: list[Any]) -> bool:
        """Whether one of these tests fails, or computes without end, in a child that has the fault.

        A child that waits without end tells nothing: it has none of its parent's other threads.
        """
        child = os.fork()
        if child == 0:
            seconds = 10 + int(6 * sum(map(self.cost.__getitem__, items)))
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            # A handler of a test's own would not run in a child that waits.
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(2 * seconds)
            os.environ["MUTANT"] = str(number)
            self.switches.on = number
            try:
                survives = all(self.passes(item) for item in items)
            except BaseException:  # the tests did not end as tests do
                survives = False
            os._exit(0 if survives else 1)
        status = os.waitpid(child, 0)[1]
        return status != 0 and os.waitstatus_to_exitcode(status) != -signal.SIGALRM


# The command


def main(arguments: argparse.Namespace) -> None:
    shutil.rmtree(TREE, ignore_errors=True)
    shutil.copytree(ROOT, TREE, ignore=shutil.ignore_patterns(*NOT_COPIED))
    faults = plant(TREE / arguments.package, arguments.faults, arguments.seed)
    (TREE / f"{SWITCHES}.py").write_text(MODULE, "utf-8")
    out = TREE / "mutants.jsonl"
    task = {"faults": len(faults), "out": str(out), "all": arguments.all, "first": arguments.first}
    paths = [TREE, TREE / "book" / "tools", TREE / "book"]
    environment = {
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
        "PYTHONDONTWRITEBYTECODE": "1",
        "MUTANTS": json.dumps(task),
    }
    options = ["-q", "-p", "mutants", "-p", "no:cacheprovider", "-p", "no:nbval", "-n", "0"]
    profile = ["--hypothesis-profile", "mutants"]
    tests = arguments.tests or ["tests/measures", "tests/library", arguments.package]
    command = [sys.executable, "-m", "pytest", *options, *profile, *tests]
    done = subprocess.run(command, cwd=TREE, env=os.environ | environment, capture_output=True)
    if not out.is_file():
        sys.exit(done.stdout.decode() + done.stderr.decode())
    report(faults, [json.loads(line) for line in out.read_text("utf-8").splitlines()])


def report(faults: list[dict[str, Any]], trials: list[tuple[int, int, list[str]]]) -> None:
    """Print what became of each fault, and what each file notices."""
    noticed: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    for number, reaching, killers in trials:
        fault = faults[number]
        noticed.update(killers)
        if len(killers) == 1:
            alone.update(killers)
        files = ", ".join(Path(file).stem for file in killers)
        became = files or ("NOT NOTICED" if reaching else "not reached")
        print(f"{fault['file']}:{fault['line']}: {fault['was']} -> {fault['is']}: {became}")
    killed = sum(bool(killers) for _, _, killers in trials)
    reached = sum(bool(reaching) for _, reaching, _ in trials)
    print(f"\n{len(trials)} faults, {reached} reached, {killed} noticed\n")
    print(f"{'noticed':>8} {'alone':>6}")
    for file, number in noticed.most_common():
        print(f"{number:8} {alone[file]:6}  {file}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--faults", type=int, default=200, help="how many, about")
    parser.add_argument("--seed", type=int, default=1, help="another choice of faults")
    parser.add_argument("--package", default="corefeval", help="the folder in which they are")
    parser.add_argument("--all", action="store_true", help="the tests that take long, too")
    parser.add_argument("--first", action="store_true", help="only the first file that notices")
    parser.add_argument("tests", nargs="*", metavar="TEST")
    main(parser.parse_args())
