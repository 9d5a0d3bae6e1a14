"""The workloads are what they say, and what is kept can be compared. Nothing here is timed."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import generate
import numpy as np
import pytest
import speed

from corefeval import Partition, evaluate
from corefeval.conventions import Conventions
from corefeval.readers import read_pair

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "data" / "costs" / "results.json"
RESULTS = json.loads(KEPT.read_text("utf-8"))


@pytest.fixture(scope="module")
def corpus():
    return generate.ontonotes_like()


def mentions(documents, side):
    return [span for each in documents for spans in getattr(each, side).values() for span in spans]


# Workloads


def test_the_corpus_is_as_large_as_stated(corpus):
    assert len(corpus) == len({each.name for each in corpus}) == 348
    assert sum(each.tokens for each in corpus) == 170_000
    assert sum(len(each.key) for each in corpus) == 4_500
    assert len(mentions(corpus, "key")) == 20_000
    assert 19_000 < len(mentions(corpus, "response")) < 21_000


def test_small_documents_are_as_small_as_stated():
    documents = generate.small_documents()
    assert len({each.name for each in documents}) == 3_000
    assert {(len(each.key), len(mentions([each], "key"))) for each in documents} == {(7, 30)}


@pytest.mark.parametrize("side", ["key", "response"])
def test_the_corpus_has_no_singletons_nor_repeats(corpus, side):
    for each in corpus:
        entities = getattr(each, side).values()
        assert min(map(len, entities)) >= 2
        spans = [span for entity in entities for span in entity]
        assert len(spans) == len(set(spans))
        assert all(0 <= begin <= end < each.tokens for begin, end in spans)


def test_the_response_is_wrong_here_and_there(corpus):
    found = sum(
        len({*mentions([each], "key")} & {*mentions([each], "response")}) for each in corpus
    )
    assert 0.85 < found / 20_000 < 0.95
    assert any(each.key != each.response for each in corpus)


def test_workloads_are_functions_of_the_seed(corpus):
    assert generate.ontonotes_like() == corpus != generate.ontonotes_like(seed=1)
    one, again = generate.arrays(1_000), generate.arrays(1_000)
    assert all(map(np.array_equal, one, again))
    assert not np.array_equal(one[0], generate.arrays(1_000, seed=1)[0])


def test_files_read_back_are_the_corpus(corpus, tmp_path):
    sides = read_pair(*generate.write(corpus, "conll", tmp_path))
    for side, documents in zip(("key", "response"), sides, strict=True):
        for each, partition in zip(corpus, documents.values(), strict=True):
            assert partition == Partition(getattr(each, side).values())


@pytest.mark.proof
def test_folders_read_back_are_the_files(corpus, tmp_path):
    whole = evaluate(*generate.write(corpus, "conll", tmp_path), "conll").total
    parts = evaluate(*speed.folders(tmp_path / "folders"), "conll").total
    assert parts["conll"].exact.value == whole["conll"].exact.value


def test_json_lines_read_back_are_the_corpus(corpus, tmp_path):
    often = generate.ontonotes_often(times=2)
    assert len({each.name for each in often}) == 2 * len(corpus)
    assert [each.key for each in often[: len(corpus)]] == [each.key for each in corpus]
    documents = often[:2] + often[-2:]
    sides = read_pair(*generate.write(documents, "jsonl", tmp_path), Conventions())
    for side, found in zip(("key", "response"), sides, strict=True):
        assert found == {each.name: Partition(getattr(each, side).values()) for each in documents}


def test_corefud_files_are_the_corpus_but_heads(tmp_path):
    documents = [generate.document(f"d{n}", 400, 60, 15, np.random.default_rng(n)) for n in (1, 2)]
    paths = generate.write(documents, "conllu", tmp_path)
    key = evaluate(paths[0], paths[0], "mentions").total["mentions"].counts
    assert key.recall.total == len(mentions(documents, "key"))
    by_words, by_heads = (
        evaluate(*paths, "mentions", match=how).total["mentions"].counts
        for how in ("exact", "head")
    )
    expected = sum(
        len({*mentions([each], "key")} & {*mentions([each], "response")}) for each in documents
    )
    assert by_words.recall.hits < by_heads.recall.hits == expected


@pytest.mark.parametrize("mentions, tail", [(10_000, 2.0), (100_000, 0.9)])
def test_one_document(mentions, tail):
    (document,) = generate.one_document(mentions, tail=tail)
    sizes = [*map(len, document.key.values())]
    assert (sum(sizes), min(sizes)) == (mentions, 2)
    assert (max(sizes) > mentions / 10) == (tail < 1)  # a heavy tail


def test_noise_is_local():
    key, response = generate.arrays(10_000)
    changed = np.flatnonzero(key != response)
    assert 0 < len(changed) <= 1_100
    assert all(response[i] in key[max(i - generate.NEAR, 0) : i] for i in changed)


# What is kept


@pytest.mark.proof
def test_a_cost_is_printed_and_changes_no_file():
    before = KEPT.read_bytes()
    command = [sys.executable, "-m", "pytest", "-q", "-o", "addopts=", "-n", "0", "-p", "no:nbval"]
    # Where tests are dealt to workers, which these names say, nothing is timed.
    alone = {name: value for name, value in os.environ.items() if "XDIST" not in name}
    told = subprocess.run(
        [*command, "-k", "import", "tests/benchmarks/speed.py"],
        cwd=ROOT, env=alone, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    (line,) = [line for line in told.splitlines() if line.startswith("import corefeval ")]
    seconds, memory = re.findall(r"([\d.]+) × [\d.]+", line)
    assert 0 < float(seconds) < 60 and 5 < float(memory) < 1_000
    assert "KEEP=1" in told and KEPT.read_bytes() == before


def test_what_is_kept_is_what_is_measured():
    """But for the costs that are newer than what was kept."""
    costs = {*speed.COMMANDS, *speed.IN_MEMORY, "import corefeval"}
    assert RESULTS["costs"].keys() <= costs
    new = {"score, folders of CoNLL files", "from_labels, ten million numbers"}
    assert costs - RESULTS["costs"].keys() <= new


def test_the_results_name_no_place():
    text = json.dumps(RESULTS)
    assert not any(word in text for word in ("/home/", "/tmp/", str(Path.home()), "\\Users"))


def test_other_scorers_have_figures_or_a_reason():
    others = tomllib.loads((KEPT.parent / "others.toml").read_text("utf-8"))
    for each in others["scorer"]:
        assert {"title", "version", "reads"} <= {*each}
        assert ("why" in each) != ({"ratio", "memory"} <= {*each})
