"""Every kind of input at every door: what one takes all take, what one refuses all refuse alike.

Doors of a corpus are `evaluate`, `explain`, `anatomy`, and the commands for what can be typed;
doors of a document are `metric` and `Scorer.update`. If a test failed, a kind of input would be
scored otherwise at one door, or in silence. ``pytest -s`` prints the matrix.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
from collections import Counter
from pathlib import Path
from threading import Thread

import numpy
import pytest
from pandas import DataFrame, Series

import corefeval
from corefeval import CorefError, Partition, Scorer, from_labels, from_table, metric

# Two documents, which are alike, so that responses can be compared.
KEY = {name: [[(0, 0), (1, 1), (2, 2)], [(3, 3), (4, 4)]] for name in "de"}
RESPONSE = {name: [[(0, 0), (1, 1)], [(2, 2), (3, 3), (4, 4)]] for name in "de"}
SCORE = metric("muc")(KEY["d"], RESPONSE["d"])
LABELS = [1, 1, 1, 2, 2], [1, 1, 2, 2, 2]


def conll(columns):
    rows = "".join(f"{n}\t{each}\n" for n, each in enumerate(columns.split()))
    return "".join(f"#begin document ({name}); part 000\n{rows}#end document\n" for name in "de")


def conllu(entities):
    rows = "".join(
        f"{n}\tw\t_\t_\t_\t_\t{n - 1}\t_\t_\tEntity=({each}-1)\n"
        for n, each in enumerate(entities.split(), 1)
    )
    documents = [f"# newdoc id = {name}\n# sent_id = {name}\n{rows}\n" for name in "de"]
    return "".join(["# global.Entity = eid-head\n", *documents])


def jsonl(**sides):
    words = {"sentences": [["w"] * 5]}
    of_documents = [{each: side[name] for each, side in sides.items()} for name in "de"]
    lines = [{"doc_key": n, **words, **keys} for n, keys in zip("de", of_documents, strict=True)]
    return "\n".join(map(json.dumps, lines))


FILES = {
    "key.conll": conll("(0) (0) (0) (1) (1)"),
    "response.conll": conll("(0) (0) (1) (1) (1)"),
    "key.jsonl": jsonl(clusters=KEY),
    "response.jsonl": jsonl(predicted_clusters=RESPONSE),
    "both.jsonl": jsonl(clusters=KEY, predicted_clusters=RESPONSE),
    "unproved.jsonl": json.dumps({"doc_key": "d", "clusters": [[[0, 1], [2, 4]]]}),
    "key.conllu": conllu("e0 e0 e0 e1 e1"),
    "response.conllu": conllu("e0 e0 e1 e1 e1"),
    "labels.csv": "key,response\n1,1\n1,1\n1,2\n2,2\n2,2\n",
    "key.csv": "mention,label\na,1\nb,1\nc,1\nd,2\ne,2\n",
    "response.csv": "mention,label\na,1\nb,1\nc,2\nd,2\ne,2\n",
    "keys/one.conll": conll("(0) (0) (0) (1) (1)"),
    "responses/one.conll": conll("(0) (0) (1) (1) (1)"),
    "empty/.none": "",
}


@pytest.fixture
def folder(folder):
    for name, text in FILES.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    Path("key.gz").write_bytes(gzip.compress(FILES["key.conll"].encode()))
    return folder


def pipe(name):
    """The path of a pipe that gives what is in a file, once."""
    path = Path(f"pipe-{len(os.listdir())}")
    os.mkfifo(path)
    Thread(target=path.write_text, args=(FILES[name],), daemon=True).start()
    return path


def of_conll(name):
    """Documents that bear the name that CoNLL-2012 gives them."""
    side = {"key": KEY, "response": RESPONSE}[name]
    return {f"{document}; part 000": entities for document, entities in side.items()}


class Tensor:
    """What a tensor does that nothing else does: it has a hash of its own, and no truth value."""

    def __init__(self, values):
        self.values = values
        self.shape = numpy.shape(values)

    def tolist(self):
        return self.values

    def __len__(self):
        return len(self.values)

    def __iter__(self):
        return map(Tensor, self.values)

    def __eq__(self, other):
        raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")

    __hash__ = object.__hash__


# Each makes a key and a response anew, as some can be read only once. All have one score.
TAKEN = {
    "mappings to lists": lambda: (KEY, RESPONSE),
    "mappings to partitions": lambda: tuple(
        {name: Partition(each) for name, each in side.items()} for side in (KEY, RESPONSE)
    ),
    "mappings to texts": lambda: ({"d": "{a b c} {d e}"}, {"d": "{a b} {c d e}"}),
    "mappings to iterators": lambda: tuple(
        {name: iter(each) for name, each in side.items()} for side in (KEY, RESPONSE)
    ),
    "mappings to arrays": lambda: tuple(
        {name: [*map(numpy.array, each)] for name, each in side.items()}
        for side in (KEY, RESPONSE)
    ),
    "paths of CoNLL-2012": lambda: ("key.conll", "response.conll"),
    "paths of JSON lines": lambda: ("key.jsonl", "response.jsonl"),
    "paths of CorefUD": lambda: ("key.conllu", "response.conllu"),
    "CoNLL-2012 and JSON lines": lambda: ("key.conll", "response.jsonl"),
    "one path with both sides": lambda: ("both.jsonl", None),
    "paths as objects": lambda: (Path("key.conll"), Path("response.conll")),
    "folders": lambda: ("keys", "responses"),
    "patterns": lambda: ("key*/*.conll", "response*/*.conll"),
    "gzip": lambda: ("key.gz", "response.conll"),
    "a pipe": lambda: (pipe("key.conll"), "response.conll"),
    "lists of documents": lambda: ([*KEY.values()], [*RESPONSE.values()]),
    "lists of documents of texts": lambda: (
        [[["a", "b", "c"], ["d", "e"]]], [[["a", "b"], ["c", "d", "e"]]]
    ),
    "lists of documents as models give them": lambda: tuple(
        tuple(tuple(map(tuple, each)) for each in side.values()) for side in (KEY, RESPONSE)
    ),
    "lists of partitions": lambda: tuple(
        [Partition(each) for each in side.values()] for side in (KEY, RESPONSE)
    ),
    "tensors of entities": lambda: tuple(
        {name: [*map(Tensor, each)] for name, each in side.items()} for side in (KEY, RESPONSE)
    ),
    "tensors of mentions": lambda: tuple(
        [[[*map(Tensor, entity)] for entity in each] for each in side.values()]
        for side in (KEY, RESPONSE)
    ),
    "tensors of numbers": lambda: (
        {"d": [[tuple(map(Tensor, mention)) for mention in entity] for entity in KEY["d"]]},
        {"d": RESPONSE["d"]},
    ),
    "a path beside names without a part": lambda: ("key.conll", RESPONSE),
    "names without a part beside a path": lambda: (KEY, "response.conll"),
    "a path beside a mapping": lambda: ("key.conll", of_conll("response")),
    "a mapping beside a path": lambda: (of_conll("key"), "response.conll"),
    "JSON lines beside a mapping": lambda: ("key.jsonl", RESPONSE),
    "a mapping beside predictions": lambda: (KEY, "both.jsonl"),
    "a pipe beside a mapping": lambda: (pipe("key.conll"), of_conll("response")),
    "what read gives": lambda: (
        corefeval.read("key.conll"), corefeval.read("response.conll", "response")
    ),
    "what read gives of both sides": lambda: (
        corefeval.read("both.jsonl"), corefeval.read("both.jsonl", side="response")
    ),
    "what read gives of CorefUD": lambda: tuple(
        corefeval.read(f"{side}.conllu", match="exact") for side in ("key", "response")
    ),
    "a table of labels": lambda: (from_labels(*LABELS), None),
    "a table of documents": lambda: (from_labels(*LABELS, document=["d"] * 5), None),
    "a table of a database": lambda: (
        from_table(DataFrame({"key": LABELS[0], "response": LABELS[1]})), None
    ),
    "a file with both labels": lambda: ("labels.csv", None),
    "two files of labels": lambda: ("key.csv", "response.csv"),
}  # fmt: skip
NO_INPUT = "a path, a mapping or a list of documents"


def same(make):
    """One object for both sides."""
    made = make()
    return made, made


# What is refused, and a part of the message.
REFUSED = {
    "two tables": (lambda: same(lambda: from_labels(*LABELS)), "a table has both sides"),
    "a table beside a path": (lambda: (from_labels(*LABELS), "no.conll"), "a table has both sides"),
    "a path beside a table": (lambda: ("key.conll", from_labels(*LABELS)), "a table has both"),
    "a table beside a mapping": (lambda: (from_labels(*LABELS), KEY), "a table has both sides"),
    "one iterator": (
        lambda: tuple({"d": one} for one in same(lambda: iter(KEY["d"]))),
        "the same list_iterator, which can be read only once",
    ),
    "two lists of labels": (lambda: LABELS, "expected entities as lists"),
    "two columns": (lambda: tuple(map(Series, LABELS)), "from_labels"),
    "labels by record": (lambda: same(lambda: {"a": 1, "b": 1}), "document 'a': key: expected ent"),
    "one document's entities": (lambda: (KEY["d"], RESPONSE["d"]), "dict(enumerate(documents))"),
    "documents of numbers": (lambda: ([[[1, 2]]], [[[1], [2]]]), "dict(enumerate(documents))"),
    "documents of tuples": (lambda: same(lambda: [[("a", "b")]]), "dict(enumerate(documents))"),
    "entities of texts": (lambda: same(lambda: [["a", "b"]]), "expected entities as lists"),
    "one document more": (
        lambda: ([KEY["d"]] * 2, [RESPONSE["d"]]), "got 2 in the key and 1 in the response"
    ),
    "a mapping alone": (lambda: (KEY, None), NO_INPUT),
    "nothing": (lambda: (None, None), NO_INPUT),
    "labels beside a path": (lambda: ("key.conll", LABELS[1]), "expected entities as lists"),
    "a batch": (lambda: same(lambda: {"d": [[((0, 0), (1, 1))]]}), "document 'd': key: entity 1"),
    "a path that is not there": (lambda: ("key.conll", "no.conll"), "no.conll: cannot read it"),
    "a path that is not there beside a mapping": (lambda: (KEY, "no.conll"), "no.conll: cannot"),
    "an empty folder": (lambda: ("empty", "response.conll"), "there is no file in it"),
    "an empty name": (lambda: ("", "response.conll"), "the name of the key's file is empty"),
    "one side of CoNLL-2012": (lambda: ("key.conll", None), "key.conll is a file of CoNLL-2012"),
    "CorefUD and CoNLL-2012": (lambda: ("key.conllu", "key.conll"), "key.conllu of CorefUD and"),
    "CorefUD beside a mapping": (lambda: ("key.conllu", RESPONSE), 'read(path, match="exact")'),
    "ends that nothing proves": (lambda: ("unproved.jsonl", KEY), "--offsets inclusive"),
    "labels in a file beside entities": (lambda: ("key.csv", "key.conll"), "is a table"),
    "labels in a file beside a mapping": (lambda: ("key.csv", KEY), "key.csv is a table, and"),
    "a file of labels that is not there": (lambda: ("no.csv", "key.csv"), "the path of a file"),
}  # fmt: skip

DOORS = {
    "evaluate": lambda key, response: corefeval.evaluate(key, response, "muc").total["muc"],
    "evaluate like": lambda key, response: corefeval.evaluate(
        key, response, "muc", like="e2e"
    ).total["muc"],
    "explain": lambda key, response: corefeval.explain(key, response, "muc").ours["muc"],
    "anatomy": lambda key, response: corefeval.anatomy(key, response, "muc").report.total["muc"],
}


def typed_at(key, response):
    """Each command with its arguments, if the input can be typed."""
    paths = [each for each in (key, response) if each is not None]
    if not paths or not all(isinstance(each, str) for each in paths):
        return
    for command in ("score", "explain", "anatomy"):
        yield command, [command, *paths]
    # Two files of labels are one document, and of one document nothing can be compared.
    if response is not None and "csv" not in key:
        yield "compare", ["compare", key, response, f"./{key}"]


@pytest.mark.proof
def test_all_doors_of_a_corpus_take_alike(folder, run):
    for name, make in TAKEN.items():
        for door, score in DOORS.items():
            found = score(*make())
            numbers = (found.exact.recall, found.exact.precision)
            assert numbers == (SCORE.exact.recall, SCORE.exact.precision), (name, door)
        for command, arguments in typed_at(*make()):
            code, out, err = run(*arguments, "--metric", "muc", "--format", "json")
            assert code == 0, (name, command, err)
            found = f1_printed(command, json.loads(out))
            assert found == pytest.approx(float(SCORE.f1)), (name, command)


def f1_printed(command, content):
    """F1 by MUC in what a command prints."""
    if command == "explain":
        return content["ours"]["muc"]["f1"]
    if command == "anatomy":
        recall, precision = (
            1 - sum(each["muc_cost"] for each in content["entities"] if each["side"] == side)
            for side in ("key", "response")
        )
        return 2 * recall * precision / (recall + precision)
    if command == "compare":
        return content["pairs"]["muc"][0]["score_a"]
    return content["metrics"]["muc"]["f1"]


def test_all_doors_of_a_corpus_refuse_alike(folder, run):
    pytest.importorskip("duckdb", reason="DuckDB is not installed")
    for name, (make, words) in REFUSED.items():
        messages = {}
        for door, score in DOORS.items():
            with pytest.raises(CorefError) as raised:
                score(*make())
            messages[door] = str(raised.value)
        for command, arguments in typed_at(*make()):
            code, _, err = run(*arguments)
            assert code == 2, (name, command)
            messages[f"$ {command}"] = err.strip().partition("error: ")[2]
        # Of several responses, the one that is at fault is named first.
        compared = messages.pop("$ compare", messages["evaluate"])
        assert compared.endswith(messages["evaluate"]), (name, compared)
        assert words in messages["evaluate"], (name, messages["evaluate"])
        assert {*messages.values()} == {messages["evaluate"]}, (name, messages)


# How often files are opened: once to see what they are, once to be read

SUFFIXES = (".conll", ".conllu", ".jsonl")
READERS = {"evaluate": corefeval.evaluate, "anatomy": corefeval.anatomy}
PAIRS = [
    ("key.conll", "response.conll"),
    ("key.conllu", "response.conllu"),
    ("key.jsonl", "response.jsonl"),
    ("both.jsonl", None),
    ("key.conll", "response.jsonl"),
    ("keys", "responses"),
]


@pytest.fixture
def opened():
    """How often each file is opened within the test; a hook stays for good, so it is let idle."""
    times, within = Counter(), [True]

    def hook(event, arguments):
        if within and event == "open" and str(arguments[0]).endswith(SUFFIXES):
            times[arguments[0]] += 1

    sys.addaudithook(hook)
    yield times
    within.clear()


def test_every_door_opens_a_file_twice(folder, opened):
    for pair in PAIRS:
        for door, score in READERS.items():
            opened.clear()
            score(*pair)
            # One file that has both sides is read for each of them.
            assert {*opened.values()} == {4 if pair[1] is None else 2}, (pair, door, opened)


def test_a_page_opens_files_once_for_words(folder, opened):
    for pair in PAIRS:
        found = corefeval.anatomy(*pair)
        before = Counter(opened)
        found.to_html()
        assert {*(opened - before).values()} <= {1}, pair


def test_documents_in_lists_are_paired_by_order():
    sides = [*KEY.values()], [*RESPONSE.values()]
    assert "documents=2 pairs=order" in corefeval.evaluate(*sides, "muc").short_signature
    assert "pairs=order" in corefeval.anatomy(*sides, "muc").signature
    assert list(corefeval.evaluate(*sides, "muc", pairs="order").documents) == [0, 1]
    with pytest.raises(CorefError, match="offsets='inclusive' concerns the reading of files"):
        corefeval.evaluate(*sides, "muc", offsets="inclusive")


def test_measures_may_follow_a_table():
    table = from_labels(*LABELS)
    for names in ("muc,b3", ["muc", "b3"]):
        assert list(corefeval.evaluate(table, names).total) == ["muc", "b3"]
        assert {row["measure"] for row in corefeval.explain(table, names).rows()} <= {"muc", "b3"}
        assert list(corefeval.anatomy(table, names).report.total) == ["muc", "b3"]
    with pytest.raises(CorefError, match="measures are named by metrics="):
        corefeval.evaluate(table, "muc", "b3")
    with pytest.raises(CorefError, match="'no measure'"):
        corefeval.evaluate(table, "no measure")


def test_a_part_of_perhaps_two_documents_is_refused(folder):
    for names in (["d", "d_0", "e"], ["d", "d; part 0", "e"]):
        with pytest.raises(CorefError, match="expected each document once"):
            corefeval.evaluate("key.conll", {name: RESPONSE["d"] for name in names})


# Documents

DOCUMENTS = {
    "lists": lambda: (KEY["d"], RESPONSE["d"]),
    "partitions": lambda: (Partition(KEY["d"]), Partition(RESPONSE["d"])),
    "texts": lambda: ("{a b c} {d e}", "{a b} {c d e}"),
    "iterators": lambda: (iter(KEY["d"]), iter(RESPONSE["d"])),
    "what read gives": lambda: tuple(
        corefeval.read(f"{side}.conll")["d; part 000"] for side in ("key", "response")
    ),
    "a table of labels": lambda: (from_labels(*LABELS),),
    "a table of documents": lambda: (from_labels(*LABELS, document=["d"] * 5),),
    "a table of a database": lambda: (
        from_table(DataFrame({"key": LABELS[0], "response": LABELS[1]})),
    ),
}
NO_DOCUMENTS = {
    "two tables": (lambda: same(lambda: from_labels(*LABELS)), "a table has both sides"),
    "a table beside entities": (lambda: (from_labels(*LABELS), KEY["d"]), "a table has both sides"),
    "entities beside a table": (lambda: (KEY["d"], from_labels(*LABELS)), "a table has both sides"),
    "a key alone": (lambda: (KEY["d"],), "there is no response; a table alone has both"),
    "one iterator": (lambda: same(lambda: iter(KEY["d"])), "the same list_iterator, which can be"),
    "two lists of labels": (lambda: LABELS, "expected entities as lists"),
    "a corpus": (lambda: (KEY, RESPONSE), "expected entities as lists"),
    "paths": (lambda: ("key.conll", "response.conll"), "cannot read 'key.conll': expected {a b}"),
    "a batch": (lambda: same(lambda: [[((0, 0), (1, 1))]]), "key: entity 1 has the mention"),
}


def updated(*given):
    scorer = Scorer("muc")
    scorer.update(*given)
    return scorer.compute().total["muc"]


def test_both_doors_of_a_document_do_alike(folder):
    pytest.importorskip("duckdb", reason="DuckDB is not installed")
    for name, make in DOCUMENTS.items():
        assert metric("muc")(*make()) == updated(*make()) == SCORE, name
    for name, (make, words) in NO_DOCUMENTS.items():
        messages = []
        for door in (metric("muc"), updated):
            with pytest.raises(CorefError) as raised:
                door(*make())
            messages.append(str(raised.value).removeprefix("document 0: "))
        assert words in messages[0] and messages[0] == messages[1], (name, messages)


@pytest.mark.parametrize("asked", [{}, {"repeated": "each"}, {"like": "e2e"}])
def test_tables_beside_entities_are_refused_by_any_rules(asked):
    with pytest.raises(CorefError, match="document 0: a table has both sides"):
        Scorer("muc", **asked).update(KEY["d"], from_labels(*LABELS))


# One file


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: corefeval.read("key.conllu"), 'match="exact"'),
        (lambda: corefeval.read("key.conllu", match="head"), "match='head' needs two files"),
        (lambda: corefeval.read("unproved.jsonl"), "--offsets inclusive"),
        (lambda: corefeval.read("key.conll", "left"), "expected 'key' or 'response'"),
        (
            lambda: corefeval.read("key.conll", offsets="inclusive"),
            "is for files of JSON lines, and not for key.conll",
        ),
        (lambda: corefeval.read("no.conll"), "no.conll: cannot read it"),
        (lambda: corefeval.evaluate("key.jsonl", KEY, pairs="order"), "needs two files"),
        (
            lambda: corefeval.evaluate("key.conll", KEY, zero_match="linear"),
            "is for files of CorefUD, and not for key.conll",
        ),
        (lambda: corefeval.explain(KEY, KEY, match="head"), "concerns the reading of files"),
    ],
)
def test_what_one_file_cannot_tell_is_refused(call, words, folder):
    with pytest.raises(CorefError) as raised:
        call()
    assert words in str(raised.value)


def test_the_ends_of_a_file_may_be_told(folder):
    read = corefeval.read("unproved.jsonl", offsets="exclusive")
    assert read == {"d": Partition([[(0, 0), (2, 3)]])}


def test_a_file_of_corefud_without_entities(folder):
    Path("none.conllu").write_text("# newdoc id = d\n1\tw\t_\t_\t_\t_\t0\t_\t_\t_\n\n")
    with pytest.raises(CorefError, match=r"none\.conllu"):
        corefeval.read("none.conllu", match="exact")


def test_repeated_mentions_of_one_file(folder):
    Path("twice.conll").write_text(conll("(0) (0)|(1) (1)"))
    with pytest.raises(CorefError, match=r"twice.conll, line 3: .*--repeated first"):
        corefeval.read("twice.conll")
    first = corefeval.read("twice.conll", repeated="first")
    assert first["e; part 000"] == Partition([[(0, 0), (1, 1)], [(2, 2)]])
    both = corefeval.read("twice.conll", repeated="each")
    report = corefeval.evaluate(both, both, "muc", repeated="each")
    assert report.total == corefeval.evaluate(
        "twice.conll", "twice.conll", "muc", repeated="each"
    ).total  # fmt: skip
