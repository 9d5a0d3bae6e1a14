"""Write anew what README.md and the book's pages show of a terminal and of Python, from a real run.

python book/tools/transcripts.py runs each ``$ corefeval …`` of a ``console`` block and each ``>>>``
of a ``python`` block, puts its output in place of the one that is shown, and prints what was typed
where it is another: ``git diff --word-diff`` says which words are. A command that fails where the
page shows no error, or the other way round, and an example that raises are left as they are and
named; the exit code is then 1.
"""

import doctest
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from corefeval import cli

ROOT = Path(__file__).parents[2]
QUICK_START = ROOT / "book" / "quick-start.md"
RECIPES = ROOT / "book" / "recipes.md"
PAGES = (ROOT / "README.md", QUICK_START, ROOT / "book" / "command-line.md", RECIPES)
ERROR = "corefeval: error"
STORY = ROOT / "data" / "examples" / "parts"
"""The folder in which the pages' commands are typed."""
SHOWN = re.compile(r"```{code-block} \w+\n:caption: (\S+)\n(.*?)```", re.DOTALL)
"""A file that a page shows under its name."""


def blocks(language: str) -> re.Pattern[str]:
    """The pattern of what stands between the fences of blocks in a language."""
    return re.compile(rf"(?<=^```{language}\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)


# What a page shows, and what it would show now


class Transcript(NamedTuple):
    """What was typed, what the page shows of its output, and what it prints now."""

    typed: str
    shown: str
    printed: str
    refused: str = ""
    """Why the page must be mended by hand, or nothing."""


def write_files(folder: Path) -> None:
    """Write the examples that pages score, and the files that the page of recipes shows."""
    shutil.copytree(STORY, folder, dirs_exist_ok=True)
    for name, text in SHOWN.findall(RECIPES.read_text("utf-8")):
        (folder / name).write_text(text, "utf-8")


def commands(block: str) -> Iterator[tuple[str, str]]:
    """What was typed in a console block, each with what is shown below it."""
    for command in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        typed, _, shown = command.partition("\n")
        yield typed, shown


def run(typed: str, shown: str, folder: Path) -> Transcript:
    """Run a command; ``| head -4`` behind it is understood, too."""
    command, _, head = typed.partition(" | head -")
    program, *arguments = shlex.split(command)
    if program != "corefeval":
        return Transcript(typed, shown, shown, f"{program} is not run, only corefeval")
    out, err = StringIO(), StringIO()
    # As a pipe sees it, however wide the terminal of whoever runs this is.
    wide = patch.dict(os.environ, COLUMNS="80")
    with wide, chdir(folder), redirect_stdout(out), redirect_stderr(err):
        code = cli.main(arguments)
    refused = code not in (0, 1)  # 1 is of a table with a number that cannot be so
    printed = (err if refused else out).getvalue()
    if refused != shown.startswith(ERROR):
        first = printed.partition("\n")[0]
        return Transcript(typed, shown, shown, f"exit code {code}: {first} …")
    lines = printed.splitlines(keepends=True)
    return Transcript(typed, shown, "".join(lines[: int(head)] if head else lines))


def console(block: str, folder: Path) -> list[Transcript]:
    """The commands of a block, run in a folder."""
    return [run(typed, shown, folder) for typed, shown in commands(block)]


class Recorder(doctest.DocTestRunner):
    """Runs examples as a test does, and keeps what differs instead of telling it."""

    def __init__(self) -> None:
        super().__init__(verbose=False)
        self.found: list[Transcript] = []

    def report_failure(self, out, test, example, got) -> None:
        printed = re.sub(r"^$(?=\n)", "<BLANKLINE>", got, flags=re.MULTILINE)
        self.found.append(Transcript(example.source.strip(), example.want, printed))

    def report_unexpected_exception(self, out, test, example, exc_info) -> None:
        reason = f"{exc_info[0].__name__}: {exc_info[1]}"
        self.found.append(Transcript(example.source.strip(), example.want, example.want, reason))


def python(block: str, names: dict) -> list[Transcript]:
    """The examples of a block that print something else; ``names`` are those of earlier blocks."""
    recorder = Recorder()
    test = doctest.DocTestParser().get_doctest(block, names, "page", None, 0)
    recorder.run(test, clear_globs=False)
    names |= test.globs
    return recorder.found


# Writing


def replaced(block: str, transcripts: list[Transcript]) -> str:
    """The block with what is printed now below what was typed."""
    at = 0
    for transcript in transcripts:
        first = re.escape(transcript.typed.partition("\n")[0])
        at = re.compile(rf"^(?:\$|>>>) {first}$", re.MULTILINE).search(block, at).start()
        for _ in transcript.typed.splitlines():
            at = block.index("\n", at) + 1
        assert block.startswith(transcript.shown, at), transcript
        block = block[:at] + transcript.printed + block[at + len(transcript.shown) :]
    return block


def rewritten(text: str, folder: Path) -> tuple[str, list[Transcript]]:
    """A page with its transcripts of now, and those of them that differ."""
    transcripts: list[Transcript] = []
    names: dict = {"__name__": "__main__"}

    def of_terminal(block: re.Match[str]) -> str:
        here = console(block[0], folder)
        transcripts.extend(here)
        return replaced(block[0], here)

    def of_python(block: re.Match[str]) -> str:
        here = python(block[0], names)
        transcripts.extend(here)
        return replaced(block[0], here)

    text = blocks("console").sub(of_terminal, text)
    text = blocks("python").sub(of_python, text)
    return text, [each for each in transcripts if each.refused or each.printed != each.shown]


def of_page(page: Path, folder: Path) -> tuple[str, list[Transcript]]:
    """`rewritten` for the file of a page; ``folder`` has the files of `write_files`."""
    # README's commands name files of the checkout.
    folder = ROOT if page.name == "README.md" else folder
    with chdir(folder):
        return rewritten(page.read_text("utf-8"), folder)


def main(pages: tuple[Path, ...] = PAGES) -> int:
    refused = False
    with tempfile.TemporaryDirectory() as name:
        write_files(Path(name))
        for page in pages:
            after, different = of_page(page, Path(name))
            for transcript in different:
                print(f"{page.name}: {transcript.typed}")
                if transcript.refused:
                    print(f"  LEFT AS IT IS: {transcript.refused}")
            if after == page.read_text("utf-8"):
                print(f"{page.name}: nothing was written")
            else:
                page.write_text(after, "utf-8")
            refused |= any(transcript.refused for transcript in different)
    return int(refused)


if __name__ == "__main__":
    sys.exit(main())
