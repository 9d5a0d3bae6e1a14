"""Files of systems that are not read as they are: refused with the lines that convert them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache

from corefeval.errors import CorefError, InLines
from corefeval.readers.files import StrPath, files_in, opened


@cache
def recipes() -> dict[str, dict[str, list[str]]]:
    """By system: signs, all of which its files have, and lines that make a response of one."""
    # Most files need no recipe: to import these two takes as long as to score a small one.
    import tomllib
    from importlib.resources import files

    text = files("corefeval.readers").joinpath("recipes.toml").read_text("utf-8")
    return {
        system: {"signs": recipe["signs"], "lines": recipe["lines"].strip().split("\n")}
        for system, recipe in tomllib.loads(text).items()
    }


def lines_for(system: str, path: StrPath, key: StrPath = "") -> list[str]:
    """The lines for the files of a path, which is no part of the code but one variable's value."""
    value_of = {"path = PATH": path, "key_path = KEY_PATH": key}
    return [
        f"{line.partition(' ')[0]} = {os.fspath(value_of[line])!r}" if line in value_of else line
        for line in recipes()[system]["lines"]
    ]


@contextmanager
def offered(paths: Iterable[StrPath]) -> Iterator[None]:
    """Refuse what cannot be read with the lines that convert it, if it has a system's signs."""
    try:
        yield
    except CorefError as error:
        for path in paths:
            for file in _files_in(path):
                # What cannot be read is told by the error that there is.
                with suppress(OSError, EOFError), opened(file) as content:
                    _offer(path, file, content.read().decode("utf-8", "replace"))
        raise error from None


def _files_in(path: StrPath) -> list[str]:
    """The files of a path; none where there are none, which the error tells that there is."""
    with suppress(CorefError):
        return files_in(path) if os.path.exists(path) else []
    return []


def _offer(path: StrPath, file: StrPath, text: str) -> None:
    for system, recipe in recipes().items():
        signs = recipe["signs"]
        if signs and all(re.search(sign, text, re.MULTILINE) for sign in signs):
            first = (
                f"{file}: it looks like a file of {system}, which is not read as it is; these "
                "lines of Python make a response of it, for corefeval.evaluate(key, response):"
            )
            raise InLines([first, *lines_for(system, path)]) from None
