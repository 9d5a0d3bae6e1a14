"""What the project consists of, counted: lines of code by folder, the library's face, the book.

python book/tools/size.py [CHECKOUT] counts this checkout, or another one. A line of code is one
that is neither blank nor a comment nor part of a docstring; a text below an attribute is code.
What holds the sentences of the chapters is in corefbook/evidence, counted apart from other rooms.
Words of the book are those of its pages and of its chapters' Markdown cells, code and markup left
out.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

FOLDERS = (
    "corefeval",
    "book/corefbook",
    "book/_ext",
    "tests",
    "book/tools",
)
DIVIDED = ("corefeval", "book/corefbook", "tests")
SCRIPTS = {"scripts": ("*.js", "*.mjs"), "styles": ("*.css",)}
NOT_OURS = ("_build", "node_modules", "__pycache__")
SILENT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def lines_of_code(source: str) -> int:
    """The number of lines of Python that are neither blank, a comment nor a docstring.

    >>> lines_of_code('def f():\\n    "Says what."\\n\\n    # why\\n    return 1\\n')
    2
    """
    lines: set[int] = set()
    readline = iter(source.splitlines(keepends=True)).__next__
    for token in tokenize.generate_tokens(readline):
        if token.type not in SILENT:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
            docstring = node.body[0]
            lines.difference_update(range(docstring.lineno, (docstring.end_lineno or 0) + 1))
    return len(lines)


def python_lines(files: Iterable[Path]) -> int:
    return sum(lines_of_code(file.read_text(encoding="utf-8")) for file in files)


def lines_of_text(files: Iterable[Path]) -> int:
    """The number of lines that are not blank."""
    texts = (file.read_text(encoding="utf-8") for file in files)
    return sum(sum(map(bool, map(str.strip, text.splitlines()))) for text in texts)


def found(folder: Path, *patterns: str) -> Iterator[Path]:
    """The project's own files below a folder."""
    for pattern in patterns:
        for file in sorted(folder.rglob(pattern)):
            parts = file.relative_to(folder).parts
            if not any(part in NOT_OURS or part[0] == "." for part in parts):
                yield file


def code(root: Path) -> Iterator[tuple[str, int]]:
    """Lines by folder; the library's own folders, and those of the tests, stand below a total."""
    for name in FOLDERS:
        yield name, python_lines(found(root / name, "*.py"))
        if name in DIVIDED:
            yield "  at its top", python_lines((root / name).glob("*.py"))
            for folder in sorted((root / name).glob("[a-z]*/")):
                if lines := python_lines(found(folder, "*.py")):
                    yield f"  {folder.name}/", lines
    yield "data/conformance/run.py", python_lines([root / "data" / "conformance" / "run.py"])
    chapters = found(root / "book", "*.ipynb")
    cells = [cell for chapter in chapters for cell in code_cells(chapter)]
    yield "chapters, their cells", sum(map(lines_of_code, cells))
    yield "cases, a line each", lines_of_text(found(root / "tests", "*.cases"))
    for name, patterns in SCRIPTS.items():
        yield name, lines_of_text(found(root, *patterns))


def face(root: Path) -> Iterator[tuple[str, int]]:
    """Public names, options of each command, conventions and their choices."""
    sys.path.insert(0, str(root))
    corefeval = importlib.import_module("corefeval")
    yield "public names", len(corefeval.__all__)
    parser = importlib.import_module("corefeval.cli")._parser()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command, options in action.choices.items():
                yield f"options of {command}", len(_options(options))
    conventions = importlib.import_module("corefeval.conventions")
    yield "conventions", len(conventions.CHOICES)
    yield "their choices", sum(map(len, conventions.CHOICES.values()))
    # A tuple of names where they were conventions.
    if isinstance(conventions.OF_FILES, dict):
        yield "options for reading", len(conventions.OF_FILES)
        yield "their choices", sum(map(len, conventions.OF_FILES.values()))


def _options(command: argparse.ArgumentParser) -> list[argparse.Action]:
    return [each for each in command._actions if each.option_strings and each.dest != "help"]


def words(markdown: str) -> int:
    """The number of words of a text, without fenced code, directives' options, tags and addresses.

    >>> words("Two *words*, and ``` code``` none of [this](http://a.b).")
    6
    """
    text = re.sub(r"```.*?```", " ", markdown, flags=re.DOTALL)
    text = re.sub(r"^:.*$|<[^>]*>|\]\([^)]*\)", " ", text, flags=re.MULTILINE)
    return len(re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", text))


def book(root: Path) -> Iterator[tuple[str, int]]:
    """Pages that are typed, chapters among them, and their words."""
    pages = [page for page in found(root / "book", "*.md") if _is_page(page)]
    chapters = list(found(root / "book", "*.ipynb"))
    yield "pages", len(pages) + len(chapters)
    yield "  chapters", len(chapters)
    texts = [page.read_text(encoding="utf-8") for page in pages]
    yield "words", sum(map(words, texts + [_prose(chapter) for chapter in chapters]))


def _is_page(file: Path) -> bool:
    """Whether the book shows it: templates, licences and notes for contributors are none."""
    return not (file.stem.isupper() or {"_templates", "publishing"} & {*file.parts})


def _prose(chapter: Path) -> str:
    return "\n\n".join(_cells(chapter, "markdown"))


def code_cells(chapter: Path) -> list[str]:
    """The source of each cell of code."""
    return _cells(chapter, "code")


def _cells(chapter: Path, kind: str) -> list[str]:
    cells = json.loads(chapter.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == kind]


def main() -> None:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve()
    for title, counted in (("lines of code", code), ("face", face), ("book", book)):
        print(title)
        for name, number in counted(root):
            print(f"  {name:<24}{number:>8,}")


if __name__ == "__main__":
    main()
