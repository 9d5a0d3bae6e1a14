"""Good files changed at random: a reader scores them, or refuses them in a line.

Any other exception is a failure, which the test that draws them shows with the files' contents.
"""

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from corefeval.cli import main


def mutated(content: bytes, chance: random.Random, pieces: Sequence[str]) -> bytes:
    """With a byte, a piece, a stretch or all ends of lines changed, or two lines exchanged."""

    def piece() -> bytes:
        return chance.choice(pieces).encode()

    at = chance.randrange(len(content) + 1)
    kind = chance.randrange(6)
    if kind == 0:
        return content[:at] + bytes([chance.randrange(256)]) + content[at + 1 :]
    if kind == 1:
        return content[:at] + piece() + content[at:]
    if kind == 2:
        return content[:at] + content[at + chance.randrange(30) :]
    if kind == 3:
        return content.replace(b"\n", chance.choice([b"\r", b"\r\n", b" \n", b"\n\n"]))
    if kind == 4:  # another number, list or text in the place of one
        places = [*re.finditer(rb"\d+|\[[^][]*\]|\"[^\"]*\"", content)] or [re.match(b"", content)]
        begin, end = chance.choice(places).span()
        return content[:begin] + piece() + content[end:]
    lines = content.split(b"\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    changed = lines[one].rpartition(b"\t")[0] + b"\t" + piece()
    lines[one], lines[other] = lines[other], chance.choice([lines[one], changed])
    return b"\n".join(lines)


FAULT = re.compile(r"(key|response)(, line \d+)?: ")
"""How a fault of either file begins."""


def is_one_refusal(errors: str) -> bool:
    """Whether this is an error in a line, with further faults of the files or lines of Python.

    Files may be warned of before.
    """
    lines = errors.splitlines()
    while lines and lines[0].startswith("corefeval: warning: "):
        del lines[0]
    first, *others = lines
    is_recipe = any(line.endswith("for corefeval.evaluate(key, response):") for line in lines)
    told = all(FAULT.match(line) or line.startswith("no more than ") for line in others)
    return first.startswith("corefeval: error: ") and (told or is_recipe)


def accepted(
    cases: Iterable[tuple[bytes, Sequence[str]]],
    pieces: Sequence[str],
    chance: random.Random,
    capsys,
) -> Iterator[list[bytes]]:
    """The mutated keys and responses that the command scores, while they stand in these files.

    A case is what both are made of, and options of the command.
    """
    count = 0
    for good, options in cases:
        contents = [good, good]
        for _ in range(chance.randrange(1, 4)):
            side = chance.randrange(2)
            contents[side] = mutated(contents[side], chance, pieces)
        for name, content in zip(("key", "response"), contents, strict=True):
            Path(name).write_bytes(content)
        code = main(["score", "key", "response", "--metric", "muc", *options])
        output, errors = capsys.readouterr()
        assert (code, bool(output)) in ((0, True), (2, False)), contents
        if code:
            assert is_one_refusal(errors), (errors, contents)
        else:
            count += 1
            yield contents
    assert count > 20
