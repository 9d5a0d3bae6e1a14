"""Whether there is a book to be tested, and whether it is the one of these sources."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def fault(root: Path = ROOT) -> str:
    """What is wrong with the built book, in a line; nothing if make has nothing to do."""
    stamp = root / "book" / "_build" / "stamp"
    if not stamp.is_file():
        return "the book is missing: run `make book`"
    environment = {name: value for name, value in os.environ.items() if "MAKE" not in name}
    # Neither is a source: a book can be built where npm or uv could not be installed.
    command = ["make", "--question", "book/_build/stamp", "PLAYGROUND=", "UV="]
    if not (root / ".venv" / "stamp").exists():  # an environment that make did not make
        command.append("--old-file=.venv/stamp")
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True)
    return "the book is older than its sources: run `make book`" if done.returncode else ""
