"""A second enumeration of the lost MUC-6 text, in C and by other means, agrees with the first."""

import shutil
import subprocess
from pathlib import Path

import pytest
from corefbook.ledger import DATA
from corefbook.papers.popescubelis import lost_text

SOURCE = Path(__file__).parent / "second_enumeration.c"
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


@pytest.mark.release
def test_the_second_enumeration_agrees(tmp_path):
    assert COMPILER, "a C compiler is needed"
    scorer = tmp_path / "second"
    command = [COMPILER, "-O2", "-Wall", "-Wextra", "-Werror", "-o", scorer, SOURCE, "-lm"]
    subprocess.run(command, check=True)
    done = subprocess.run([scorer], check=True, capture_output=True, text=True)

    assert done.stderr == (DATA / "lost_text" / "counts.txt").read_text(encoding="utf-8")
    by_c = [lost_text.parse(line) for line in done.stdout.splitlines()]
    assert len(by_c) == len(set(by_c))
    assert set(by_c) == set(lost_text.solutions())
