"""Files of programs that are not read as they are: refused with the lines that convert them."""

from __future__ import annotations

import os
import re
import tomllib
from functools import cache
from importlib.resources import files

from corefeval.errors import Convertible
from corefeval.readers.files import StrPath


@cache
def recipes() -> dict[str, dict[str, list[str]]]:
    """By program: signs, all of which its files have, and lines that make a response of one."""
    text = files("corefeval.readers").joinpath("recipes.toml").read_text("utf-8")
    return {
        program: {"signs": told["signs"], "lines": told["lines"].strip().split("\n")}
        for program, told in tomllib.loads(text).items()
    }


def lines_for(program: str, path: StrPath) -> list[str]:
    """The lines for the files of a path, which is no part of the code but one variable's value."""
    told = repr(os.fspath(path))
    return [
        f"path = {told}" if line == "path = PATH" else line for line in recipes()[program]["lines"]
    ]


def refuse_convertible(path: StrPath, file: StrPath, text: str) -> None:
    """Refuse a file of a path whose text has the signs of a program, with lines to convert it."""
    for program, told in recipes().items():
        signs = told["signs"]
        if signs and all(re.search(sign, text, re.MULTILINE) for sign in signs):
            raise Convertible(
                f"{file}: it looks like a file of {program}, which is not read as it is; these "
                "lines of Python make a response of it, for corefeval.evaluate(key, response)",
                lines_for(program, path),
            ) from None
