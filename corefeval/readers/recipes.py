"""Files of systems that are not read as they are: refused with the lines that convert them."""

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
    """By system: signs, all of which its files have, and lines that make a response of one."""
    text = files("corefeval.readers").joinpath("recipes.toml").read_text("utf-8")
    return {
        system: {"signs": told["signs"], "lines": told["lines"].strip().split("\n")}
        for system, told in tomllib.loads(text).items()
    }


def lines_for(system: str, path: StrPath) -> list[str]:
    """The lines for the files of a path, which is no part of the code but one variable's value."""
    told = repr(os.fspath(path))
    return [
        f"path = {told}" if line == "path = PATH" else line for line in recipes()[system]["lines"]
    ]


def refuse_convertible(path: StrPath, file: StrPath, text: str) -> None:
    """Refuse a file of a path whose text has the signs of a system, with lines to convert it."""
    for system, told in recipes().items():
        signs = told["signs"]
        if signs and all(re.search(sign, text, re.MULTILINE) for sign in signs):
            first = (
                f"{file}: it looks like a file of {system}, which is not read as it is; these "
                "lines of Python make a response of it, for corefeval.evaluate(key, response):"
            )
            raise Convertible([first, *lines_for(system, path)]) from None
