"""Cases of files, one a line: what is read of a file, or what the refusal names.

    [choices] file => outcome               a file beside itself
    [choices] key || response => outcome    two files; `none`: the key's file has both sides

A name of a case may stand behind two blanks and a #; tests/case_files.py says how a file is
written.

An outcome lists entities, parted by /. A mention is its first and last token, or in CorefUD its
sentence and its nodes, the head in parentheses. `e: ` stands before those of another document than
d, ` || ` between key and response if they differ, and ` !! ` before what a warning names. What is
named is parted by ` & `; `line 3` in the first place is where the message begins. A file that is
`refused` is so beside a good one, too, on either side; `refused with itself` is what has to be
asked of two.
"""

import gzip
import re
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from case_files import DOCUMENTS, LIBRARY, content, lines_of
from messages import assert_names
from rows import every_row

from corefeval import CorefError, evaluate
from corefeval.conventions import Conventions
from corefeval.overlap.partition import as_lists, as_partition
from corefeval.readers import read_pair

WIDTH = 100


# What stands in a file


GOOD = {"conll": "«(0)»", "jsonlines": "«»", "corefud": "«1»"}
"""A file that is read, beside which a bad one is refused on either side."""


# What is read of it

KEPT = ("first", "merge")
"""Choices that leave a mention in one entity, which readers leave to who asks them."""


def shown(side: dict, repeated: str = "error") -> str:
    """Documents and their entities."""
    documents = []
    for name, entities in side.items():
        kept = as_partition(entities, repeated=repeated) if repeated in KEPT else entities
        of_document = " / ".join(" ".join(map(span, entity)) for entity in as_lists(kept))
        documents.append(("" if name == "d" else f"{name}: ") + (of_document or "none"))
    return "; ".join(documents)


def span(mention) -> str:
    if hasattr(mention, "nodes"):
        nodes = (f"({node})" if node == mention.head else node for node in mention.nodes)
        return f"{mention.sentence}:{','.join(nodes)}"
    first, last = mention
    return str(first) if first == last else f"{first}-{last}"


def cases(form: str) -> Iterator[tuple[str, dict[str, str], list[str], str]]:
    """The format, the choices, the files and the outcome of each case."""
    for asked, outcome in lines_of(f"readers/{form}"):
        choices, files = re.fullmatch(r"(?:\[([a-z_= ]*)\] )?(.*)", asked).groups()
        chosen = dict(each.split("=") for each in (choices or "").split())
        yield form, chosen, files.split(" || "), outcome


EVERY = [case for form in DOCUMENTS for case in cases(form)]
REFUSED = [case for case in EVERY if case[-1].startswith("refused")]
READ = [case for case in EVERY if case not in REFUSED]


def written(form: str, files: list[str]) -> list[str | None]:
    """The paths of a key and a response with these contents."""
    for name, text in zip(("key", "response"), files, strict=False):
        Path(name).write_bytes(content(form, text))
    return {1: ["key", "key"], 2: ["key", None if files[-1] == "none" else "response"]}[len(files)]


@every_row("form, chosen, files, outcome", READ)
def test_what_is_read(folder, form, chosen, files, outcome):
    expected, *named = outcome.split(" !! ")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        read = read_pair(*written(form, files), Conventions(**chosen))
    sides = [shown(side, chosen.get("repeated", "error")) for side in read]
    assert expected == (sides[0] if sides[0] == sides[1] else " || ".join(sides))
    assert len(told) == len(named), [str(each.message) for each in told]
    for each, parts in zip(told, named, strict=True):
        assert_names(str(each.message), parts)


def refusal(paths: list[str | None], chosen: dict[str, str]) -> str:
    with pytest.raises(CorefError) as raised:
        evaluate(*paths, "muc", **chosen)
    return str(raised.value)


@every_row("form, chosen, files, outcome", REFUSED)
def test_what_a_refusal_names(folder, form, chosen, files, outcome):
    who, _, named = outcome.partition(": ")
    assert who in ("refused", "refused with itself"), f"`refused: ` and what is named: {outcome}"
    paths = written(form, files)
    if who == "refused" and len(files) == 1:
        Path("good").write_bytes(content(form, GOOD[form]))
        for pair in ("key", "good"), ("good", "key"):
            assert_names(refusal(pair, chosen), named, begin="key")
    else:
        assert_names(refusal(paths, chosen), named, begin="key" if len(files) == 1 else "")


OF_MENTIONS = [
    (files[0], outcome)
    for form, _, files, outcome in REFUSED
    if files[0].startswith('«"clusters": ') and re.search("& (entity . of )?`clusters`", outcome)
]


@every_row("file, outcome", OF_MENTIONS)
def test_predicted_mentions_are_refused_as_a_keys(folder, file, outcome):
    predicted, told = (text.replace("clusters", "predicted_clusters") for text in (file, outcome))
    message = refusal(written("jsonlines", ["«»", predicted]), {})
    assert_names(message, told.partition(": ")[2], begin="response")


@every_row("form", DOCUMENTS)
def test_a_compressed_file_cut_off_is_refused(folder, form):
    Path("key").write_bytes(gzip.compress(content(form, GOOD[form]))[:-9])
    assert_names(refusal(["key", "key"], {}), "key & compressed & cut off")


def test_a_line_fits_the_screen():
    files = LIBRARY.rglob("*.cases")
    lines = [line for path in files for line in path.read_text("utf-8").splitlines()]
    assert [line for line in lines if len(line) > WIDTH] == []
