"""Cases of files, one a line: what is read of a file, or what the refusal names.

    [choices] file => outcome               a file beside itself
    [choices] key || response => outcome    two files; `none`: the key's file has both sides

A name of a case may stand behind two blanks and a #. In a file stands

    «(0) - (0)»        in conll.cases a document of these last columns; «(e): (0) -» names it
    «"clusters": []»   in jsonlines.cases the document USUAL, but for these keys
    «1:(e1 2:e1) / 1»  in corefud.cases a document of these sentences: a node, behind a colon what
                       stands in Entity=, behind @ its DEPS; «id=e; 1» names it, and
                       «fields=eid-head; 1» has other fields
    WORDS, SENTENCES   those of USUAL
    \\n, \\xe9, …        Python's escapes, in UTF-8; behind `latin-1:` in that encoding

An outcome lists entities, parted by /. A mention is its first and last token, or in CorefUD its
sentence and its nodes, the head in parentheses. `e: ` stands before those of another document than
d, ` || ` between key and response if they differ, and ` !! ` before what a warning names. What is
named is parted by ` & `; `line 3` in the first place is where the message begins. A file that is
`refused` is so beside a good one, too, on either side; `refused with itself` is what has to be
asked of two.
"""

import gzip
import json
import re
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from rows import every_row

from corefeval import CorefError, evaluate
from corefeval.conventions import Conventions
from corefeval.partition import as_lists, as_partition
from corefeval.readers import read_pair

WIDTH = 100
WORDS = ["Ann", "sees", "her", "cat", ".", "It", "sees", "Ann", "."]
USUAL = {
    "doc_key": "d",
    "sentences": [WORDS[:5], WORDS[5:]],
    "clusters": [[[0, 0], [2, 2], [7, 7]], [[2, 3], [5, 5]]],
}
NAMED = {"WORDS": json.dumps(WORDS), "SENTENCES": json.dumps(USUAL["sentences"])}


# What stands in a file


def conll(text: str) -> str:
    name, columns = re.fullmatch(r"(?:(\([^:]*): )?(.*)", text, re.DOTALL).groups()
    lines = [f"d\t0\t{i}\tw{i}\t{column}" for i, column in enumerate(columns.split())]
    return "\n".join([f"#begin document {name or '(d)'}", *lines, "#end document", ""])


def jsonlines(text: str) -> str:
    return json.dumps(USUAL | json.loads(f"{{{text}}}")) + "\n"


def corefud(text: str) -> str:
    *options, sentences = text.split("; ")
    chosen = {"id": "d", "fields": "eid-etype-head-other"}
    chosen |= dict(option.split("=") for option in options)
    lines = [f"# newdoc id = {chosen['id']}", f"# global.Entity = {chosen['fields']}"]
    for sentence in sentences.split(" / "):
        lines += [*map(node_of, sentence.split()), ""]
    return "\n".join([*lines, ""])


def node_of(text: str) -> str:
    node, _, entity = text.partition(":")
    node, _, deps = node.partition("@")
    misc = f"A=b|Entity={entity}|C=d" if entity else "_"
    return "\t".join([node, f"w{node}", *["_"] * 6, deps.replace("/", ":") or "_", misc])


DOCUMENTS = {"conll": conll, "jsonlines": jsonlines, "corefud": corefud}
GOOD = {"conll": "«(0)»", "jsonlines": "«»", "corefud": "«1»"}
"""A file that is read, beside which a bad one is refused on either side."""


def content(form: str, text: str) -> bytes:
    """What stands in a file."""
    encoding, text = re.fullmatch("(?:(latin-1|utf-16-..):)?(.*)", text).groups()
    for name, stands_for in NAMED.items():
        text = text.replace(name, stands_for)
    text = text.encode("latin-1", "backslashreplace").decode("unicode_escape")
    text = re.sub("«(.*?)»", lambda found: DOCUMENTS[form](found[1]), text, flags=re.DOTALL)
    return text.encode(encoding or "utf-8")


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


def assert_names(message: str, named: str, begin: str = "") -> None:
    """A message names the file and all of these, and begins with the file if with its line."""
    parts = named.split(" & ")
    assert not parts[0].startswith("line") or message.startswith(f"{begin}, {parts[0]}"), message
    assert [part for part in (begin, *parts) if part not in message] == [], message


def lines_of(name: str) -> list[list[str]]:
    """What stands before the arrow and behind it in each line of a file of cases."""
    text = Path(__file__).with_name(f"{name}.cases").read_text("utf-8").replace("\n    ", " ")
    lines = [line.partition("  # ")[0] for line in text.splitlines()]
    return [line.split(" => ") for line in lines if line and not line.startswith("# ")]


def cases(form: str) -> Iterator[tuple[str, dict[str, str], list[str], str]]:
    """The format, the choices, the files and the outcome of each case."""
    for asked, outcome in lines_of(form):
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
def test_predicted_mentions_are_refused_as_those_of_a_key(folder, file, outcome):
    predicted, told = (text.replace("clusters", "predicted_clusters") for text in (file, outcome))
    message = refusal(written("jsonlines", ["«»", predicted]), {})
    assert_names(message, told.partition(": ")[2], begin="response")


@every_row("form", DOCUMENTS)
def test_a_compressed_file_that_is_cut_off_is_refused(folder, form):
    Path("key").write_bytes(gzip.compress(content(form, GOOD[form]))[:-9])
    assert_names(refusal(["key", "key"], {}), "key & compressed & cut off")


def test_a_line_fits_the_screen():
    files = Path(__file__).parent.glob("*.cases")
    lines = [line for path in files for line in path.read_text("utf-8").splitlines()]
    assert [line for line in lines if len(line) > WIDTH] == []
