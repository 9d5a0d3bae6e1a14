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


def refuse_convertible(path: StrPath, text: str) -> None:
    """Refuse a file whose text has the signs of a program, with the lines that convert it."""
    for program, told in recipes().items():
        if all(re.search(sign, text, re.MULTILINE) for sign in told["signs"]):
            raise Convertible(
                f"{path}: it looks like a file of {program}, which is not read as it is; these "
                "lines of Python make a response of it, for corefeval.evaluate(key, response)",
                [_filled(line, os.fspath(path)) for line in told["lines"]],
            ) from None


def _filled(line: str, path: str) -> str:
    name = os.path.basename(path).partition(".")[0]
    line = line.replace("{NAME}", name).replace("NAME", repr(name))
    # This comes first, as FILE alone is a part of it.
    line = line.replace('FILE + ".conll"', repr(f"{path}.conll"))
    return line.replace("FILE", repr(path))
