"""Progress of long work: on a terminal, and nowhere else.

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

import corefeval
from corefeval import progress
from corefeval.chance import significance
from corefeval.chance.systems import compare_systems

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(corefeval.__file__).parent.parent)}

# The command, with work of no time worth a bar already.
COMMAND = """
import sys
from corefeval import cli, progress
progress.DELAY = 0
{before}
sys.exit(cli.main(sys.argv[1:]))
"""
WITHOUT_DELAY = """
import duckdb
from corefeval.scale import table_files
connect, connected = duckdb.connect, table_files.new_database
def quickly():
    connection = connect()
    connection.execute("SET progress_bar_time = 0")  # leaves the bar on, as it is by default
    return connection
def connected_then_marked():
    connection = connected()
    print("QUERIES", flush=True)  # DuckDB has drawn the progress even of switching it off
    return connection
duckdb.connect, table_files.new_database = quickly, connected_then_marked
"""


def on_terminal(
    *arguments: str, terminals: tuple[str, ...] = ("stderr",), before: str = ""
) -> tuple[str, dict[str, str]]:
    """What the command draws on a terminal, and what it writes to pipes in place of others."""
    mine, its = pty.openpty()
    termios.tcsetwinsize(its, (24, 80))
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND.format(before=before), *arguments],
        env=ENVIRONMENT,
        **{name: its if name in terminals else subprocess.PIPE for name in ("stdout", "stderr")},
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
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 0, (drawn, errors)
    piped = {"stdout": output, "stderr": errors}
    return drawn.decode(), {name: text.decode() for name, text in piped.items() if text is not None}


@pytest.fixture
def files(folder):
    lines = "#begin document (d{}); part 000\nd\t0\t0\tw\t(0)\nd\t0\t1\tw\t(0)\n#end document\n"
    for name in ("key", "a"):
        documents = [lines.format(number) for number in range(300)]
        Path(f"{name}.conll").write_text("".join(documents))
    return ["key.conll", "a.conll", "--metric", "muc"]


@pytest.fixture
def table(folder):
    pytest.importorskip("duckdb", reason="DuckDB is not installed")
    rows = "\n".join(f"{n // 3},{n // 4}" for n in range(100_000))
    Path("table.csv").write_text(f"key,response\n{rows}\n")
    return ["score", "table.csv", "--columns", "key", "response", "--metric", "muc"]


def test_reading_and_draws_are_drawn_on_a_terminal(files):
    drawn, piped = on_terminal("score", *files, "--resamples", "100")
    assert "reading: " in drawn and "draws: " in drawn
    assert piped["stdout"].startswith("measure") and "%|" not in piped["stdout"]


@pytest.fixture
def bars(monkeypatch):
    """The bars that would be drawn, with what they count."""
    found = []

    class Bar:
        def __init__(self, total, **given):
            self.total, self.done = total, 0
            found.append(self)

        def __enter__(self):
            return self

        def __exit__(self, *error):
            pass

        def update(self, steps):
            self.done += steps

    monkeypatch.setattr("tqdm.tqdm", Bar)
    return found


@pytest.mark.parametrize("work", [corefeval.evaluate, corefeval.explain])
@pytest.mark.parametrize("paths", [("key", "a"), ("key/*.conll", "a.conll")])
def test_the_bytes_of_a_folder_are_counted(files, bars, work, paths):
    for side in ("key", "a"):
        documents = Path(f"{side}.conll").read_text().replace("#begin", "~#begin").split("~")[1:]
        Path(side).mkdir()
        for number, document in enumerate(documents[:20]):
            Path(side, f"{number}.conll").write_text(document)
        Path(f"{side}.conll").write_text("".join(documents[:20]))
    with progress.drawing(True):
        work(*paths, "muc")
    both = Path("key.conll").stat().st_size + Path("a.conll").stat().st_size
    assert bars[0].total == bars[0].done == both


@pytest.mark.parametrize("systems", [1, 2, 3])
def test_the_steps_are_as_many_as_there_are(systems, bars):
    key = {n: "{a b} {c}" for n in range(20)}
    other = key | {n: "{a} {b c}" for n in range(9)}
    reports = {str(n): corefeval.evaluate(key, other, ["muc", "b3"]) for n in range(systems)}
    with progress.drawing(True):
        if systems == 1:
            significance.bootstrap(*reports.values(), 200)
        elif systems == 2:
            significance.compare(*reports.values(), 200)
        else:
            compare_systems(reports, 200)
    (bar,) = bars
    # Draws and swaps are made once, however many systems and measures there are.
    assert bar.total == bar.done == (200 if systems == 1 else 400)


def test_of_all_swaps_those_are_made_that_mirror_no_other(bars):
    key = {n: "{a b} {c}" for n in range(10)}
    reports = [corefeval.evaluate(key, other, "muc") for other in (key, key | {9: "{a b c}"})]
    with progress.drawing(True):
        significance.compare(*reports, 100, swaps="all")
    (bar,) = bars
    assert bar.total == bar.done == 100 + 2**9


def test_nothing_is_drawn_if_nobody_looks(files):
    for arguments, terminals, before in [
        (["--quiet"], ("stderr",), ""),
        ([], ("stderr",), "sys.modules['tqdm'] = None"),
        ([], (), ""),
    ]:
        drawn, piped = on_terminal("score", *files, *arguments, terminals=terminals, before=before)
        assert drawn == "" and piped.get("stderr", "") == ""
        assert piped["stdout"].startswith("measure")


def test_in_python_nothing_is_drawn(files, capsys):
    corefeval.evaluate("key.conll", "a.conll", "muc")
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("terminals", "is_drawn"),
    [
        (("stdout", "stderr"), True),
        # DuckDB draws on standard output, which may lead into a file, or into a script.
        (("stderr",), False),
    ],
)
def test_duckdb_draws_its_own(table, terminals, is_drawn):
    drawn, piped = on_terminal(*table, terminals=terminals, before=WITHOUT_DELAY)
    output = piped.get("stdout", drawn)
    _, mark, queries = output.partition("QUERIES")
    assert mark and ("▕" in queries) is is_drawn
    assert "▕" not in piped.get("stderr", "")


def test_work_within_work_adds_to_the_whole(bars):
    with progress.drawing(True), progress.progress("whole", 10), progress.progress("part", 3):
        progress.advance(3)
    assert [(bar.total, bar.done) for bar in bars] == [(10, 3)]
