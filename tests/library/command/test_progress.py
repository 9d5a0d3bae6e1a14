"""A bar on a terminal for the files of a folder and for long draws, and nowhere else.

If one of these failed, a bar could get into a file or a script's input, or nothing would tell a
working command from one that hangs.
"""

import os
import pty
import subprocess
import sys
import termios
from pathlib import Path

import pytest

DOCUMENT = "#begin document (d{}); part 000\nd\t0\t0\tw\t(0)\nd\t0\t1\tw\t(0)\n#end document\n"

# The command, with steps that are worth a bar at once.
COMMAND = """
import sys, tqdm
drawn = tqdm.tqdm
tqdm.tqdm = lambda steps, **told: drawn(steps, **{**told, "delay": 0, "mininterval": 0})
from corefeval.cli import main
sys.exit(main(sys.argv[1:]))
"""


def on_terminal(*arguments: str) -> tuple[str, str]:
    """What the command draws on a terminal as its stderr, and what it writes to a pipe."""
    mine, its = pty.openpty()
    termios.tcsetwinsize(its, (24, 80))
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, *arguments], stdout=subprocess.PIPE, stderr=its
    )
    os.close(its)
    drawn = b""
    try:
        while block := os.read(mine, 1 << 16):
            drawn += block
    except OSError:  # how Linux says that nobody writes to the terminal any more
        pass
    finally:
        os.close(mine)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0, drawn
    return drawn.decode(), (output or b"").decode()


@pytest.fixture
def sides(folder):
    for side in ("keys", "responses"):
        Path(side).mkdir()
        for number in range(20):
            Path(side, f"{number}.conll").write_text(DOCUMENT.format(number))
    Path("one.conll").write_text("".join(DOCUMENT.format(number) for number in range(20)))


def test_a_folder_has_a_bar_on_a_terminal(sides):
    drawn, output = on_terminal("score", "keys", "responses", "--metric", "muc")
    assert "files" in drawn and "/20" in drawn
    assert "100.00" in output and "/20" not in output


@pytest.mark.proof
def test_draws_have_a_bar_one_file_none(sides):
    drawn, output = on_terminal("score", "one.conll", "one.conll", "--resamples", "400000")
    assert "files" not in drawn and "%" in drawn
    assert "%|" not in output
    assert on_terminal("score", "one.conll", "one.conll")[0] == ""


def test_no_bar_where_errors_are_no_terminal(sides):
    process = subprocess.run(
        [sys.executable, "-c", COMMAND, "score", "keys", "responses", "--resamples", "5000"],
        capture_output=True,
        timeout=60,
    )
    assert process.returncode == 0
    assert b"%|" not in process.stderr + process.stdout
