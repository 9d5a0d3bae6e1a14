"""Run a browser's tests that failed once more, each alone; exit code 0 if all of them pass now.

python book/tools/again.py CACHE [PYTEST OPTION …], after a run of pytest with
``-o cache_dir=CACHE``.

A browser may be late on a machine that does other work beside. At most two such tests may fail in
a proof, and their names are printed under "flaky": each is to be mended. A test without a browser
gets no second try, since what it says does not hang on time.
"""

import json
import subprocess
import sys
from pathlib import Path

MOST = 2


def failed(cache: Path) -> list[str]:
    """The tests that failed in the last run; none if it ended otherwise, as at its collection."""
    file = cache / "v" / "cache" / "lastfailed"
    return sorted(json.loads(file.read_text("utf-8"))) if file.is_file() else []


def passes(test: str, options: list[str]) -> bool:
    """Whether a browser's test passes alone; another test is not run, and so does not pass."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", *options, "-m", "browser", test]
    return subprocess.run(command).returncode == 0


def main(cache: str, *options: str) -> int:
    tests = failed(Path(cache))
    if not 0 < len(tests) <= MOST:
        return 1
    if not all(passes(test, [*options]) for test in tests):
        return 1
    print("flaky:", *tests, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
