"""The benchmarks measure what they say. Nothing here is timed."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from corefeval import Partition, evaluate
from corefeval.conventions import Conventions
from corefeval.readers import read_pair
from corefeval.readers.conll import documents as read
from corefeval.registry import MEASURES, SUITES
from corefeval.scorers.bundles import find_scorer

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.append(str(BENCHMARKS))

import barest  # noqa: E402
import bench  # noqa: E402
import costs  # noqa: E402
import generate  # noqa: E402
import scorers  # noqa: E402
import tables  # noqa: E402
import yardstick  # noqa: E402

RESULTS = json.loads((BENCHMARKS / "results.json").read_text("utf-8"))


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
def test_the_corpus_has_no_singletons_and_no_mention_twice(corpus, side):
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
    for name in generate.RESPONSES:
        one, again = generate.arrays(name, 1_000), generate.arrays(name, 1_000)
        assert all(map(np.array_equal, one, again))
        assert not np.array_equal(one[0], generate.arrays(name, 1_000, seed=1)[0])


def test_files_read_back_are_the_corpus(corpus, tmp_path):
    generate.write(corpus, "a", tmp_path)
    sides = read_pair(tmp_path / "a.key.conll", tmp_path / "a.response.conll")
    for side, documents in zip(("key", "response"), sides, strict=True):
        for each, partition in zip(corpus, documents.values(), strict=True):
            assert partition == Partition(getattr(each, side).values())


def test_the_other_scorers_read_the_same_corpus(tmp_path):
    (document,) = generate.one_document(100)
    generate.write_json([document], "a", tmp_path)
    (line,) = (tmp_path / "a.response.jsonl").read_text().splitlines()
    assert json.loads(line)["clusters"] == json.loads(json.dumps([*document.response.values()]))
    content = json.loads((tmp_path / "a.response" / "0000.json").read_text())
    assert content["type"] == "clusters"
    assert [[*map(len, content["clusters"].values())]] == [[*map(len, document.response.values())]]


def test_json_lines_read_back_are_the_corpus(corpus, tmp_path):
    often = generate.ontonotes_often(times=2)
    assert len({each.name for each in often}) == 2 * len(corpus)
    assert [each.key for each in often[: len(corpus)]] == [each.key for each in corpus]
    documents = often[:2] + often[-2:]
    generate.write_lines(documents, "e2e", tmp_path)
    paths = [tmp_path / f"e2e.{side}.jsonl" for side in ("key", "response")]
    sides = read_pair(*paths, Conventions())
    for side, found in zip(("key", "response"), sides, strict=True):
        assert found == {each.name: Partition(getattr(each, side).values()) for each in documents}
    assert yardstick.load(paths[0]) == (4,)


def test_the_corefud_files_are_the_corpus_but_for_what_heads_match(tmp_path):
    documents = [generate.document(f"d{n}", 400, 60, 15, np.random.default_rng(n)) for n in (1, 2)]
    generate.write_corefud(documents, "f", tmp_path)
    paths = [tmp_path / f"f.{side}.conllu" for side in ("key", "response")]
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
    nodes, begun = yardstick.read_corefud(paths[0])
    assert begun == len(mentions(documents, "key"))
    assert nodes > sum(each.tokens for each in documents)


@pytest.mark.parametrize("name, count", [("b", 10_000), ("c", 100_000)])
def test_one_document(name, count):
    (document,) = generate.CORPORA[name]()
    sizes = [*map(len, document.key.values())]
    assert (sum(sizes), min(sizes)) == (count, 2)
    assert (max(sizes) > count / 10) == (name == "c")  # a heavy tail


def test_noise():
    key, local = generate.arrays("local noise", 10_000)
    _, little = generate.arrays("global noise, 2%", 10_000)
    _, much = generate.arrays("global noise, 20%", 10_000)
    changed = [np.flatnonzero(key != response) for response in (local, little, much)]
    assert 0 < len(changed[1]) <= 300 < len(changed[0]) <= 1_100 < len(changed[2]) <= 2_200
    assert all(local[i] in key[max(i - generate.NEAR, 0) : i] for i in changed[0])
    assert not all(much[i] in key[max(i - generate.NEAR, 0) : i] for i in changed[2])


@pytest.mark.parametrize(
    "name, entities", [("all singletons", 10_000), ("one giant entity", 1), ("identical", 2_500)]
)
def test_extreme_responses(name, entities):
    key, response = generate.arrays(name, 10_000)
    assert len(np.unique(key)) == 2_500
    assert len(np.unique(response)) == entities
    assert np.array_equal(key, response) == (name == "identical")


# Yardsticks


def test_the_file_yardstick_counts_tokens_and_mentions(corpus, tmp_path):
    generate.write(corpus[:3], "a", tmp_path)
    path = tmp_path / "a.response.conll"
    tokens = sum(each.tokens for each in corpus[:3])
    assert yardstick.read(path) == (tokens, len(mentions(corpus[:3], "response")))
    assert sum(len(list(each.mentions())) for each in read(path)) == yardstick.read(path)[1]


def test_the_barest_program_finds_the_lines_with_mentions(corpus, tmp_path):
    generate.write(corpus[:3], "a", tmp_path)
    ends = {
        (each.name, token)
        for each in corpus[:3]
        for span in mentions([each], "key")
        for token in span
    }
    begins = 2 * 3  # lines of #begin and #end are no tokens, but it does not look
    assert barest.marked(tmp_path / "a.key.conll") == len(ends) + begins


def test_the_array_yardstick_counts_pairs():
    codes, counts = yardstick.pair_codes(np.array([0, 0, 1, 1]), np.array([0, 2, 2, 2]))
    assert (codes.tolist(), counts.tolist()) == ([0, 2, 5], [1, 1, 2])


# Measuring


def stages(*arguments):
    return costs.by_stage(costs.stages(*arguments))


@pytest.mark.proof
def test_every_measure_is_a_stage():
    samples = stages("arrays", "local noise", 1_000, 2)
    assert {*samples} == {"yardstick", "table", "table and suite", *MEASURES}
    assert all(len(runs) == 2 for runs in samples.values())


@pytest.mark.proof
def test_stages_of_files(tmp_path):
    generate.write(generate.one_document(100), "b", tmp_path)
    samples = stages("files", tmp_path / "b.key.conll", tmp_path / "b.response.conll")
    assert [*samples] == ["read", "table", *SUITES["standard"], "standard", "SciPy"]


@pytest.mark.proof
def test_stages_of_alignments():
    samples = stages("dense", 20, 10_000)
    assert samples["largest component"][0]["entities"] == [20, 20]


def test_what_does_not_end_is_cut_off():
    assert [*costs.stages("arrays", "local noise", 1_000, 1, limit=0.001)] == []


def test_a_process_has_costs_and_must_succeed():
    cost = costs.process([sys.executable, "-c", "pass"])
    assert cost["wall"] > 0 and 1 < cost["memory"] < 1_000
    with pytest.raises(subprocess.CalledProcessError):
        costs.process([sys.executable, "-c", "raise SystemExit(3)"])


def test_medians_and_ratios_go_by_pairs():
    assert costs.median([3, 1, 2]) == 2
    assert costs.ratio([2, 6, 1], [1, 2, 4]) == 2
    assert costs.target("x", 2.5, 2.5, "×")["met"]
    assert not costs.target("x", 2.501, 2.5, "×")["met"]


def test_scorers_have_choices_of_their_own_or_none():
    for scorer in scorers.SCORERS.values():
        chosen = find_scorer(scorer["like"]).measures if "like" in scorer else MEASURES
        assert {*scorer["names"].values()} <= {*chosen}


def test_other_scorers_have_figures_or_a_reason():
    for each in tables.OTHERS["scorer"]:
        assert {"title", "version", "reads"} <= {*each}
        assert ("why" in each) != ({"ratio", "memory"} <= {*each})


# What is kept


@pytest.fixture
def one_part(tmp_path, monkeypatch):
    """The benchmarks with one part that takes no time; the folder of the files that they keep."""
    others = {"parts": {"files": {"rows": [], "targets": [], "machine": bench.machine()}}}
    (tmp_path / "results.json").write_text(json.dumps(others))
    (tmp_path / "README.md").write_text("<!-- results -->\nold\n<!-- end of results -->\n")
    monkeypatch.setattr(bench, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(tables, "README", tmp_path / "README.md")
    monkeypatch.setattr(bench, "write_corpora", lambda: None)
    part = {"rows": [{"stage": "nothing", "wall": 0.5, "cpu": 0.5, "memory": 20}], "targets": []}
    monkeypatch.setitem(bench.PARTS, "start-up", lambda: part)
    monkeypatch.delenv("KEEP", raising=False)
    return tmp_path


def kept(folder: Path) -> list[str]:
    return [(folder / name).read_text("utf-8") for name in ("results.json", "README.md")]


def test_a_run_prints_its_tables_and_changes_no_file(one_part, capsys):
    before = kept(one_part)
    bench.main(["start-up"])
    assert kept(one_part) == before
    printed = capsys.readouterr()
    assert "| nothing | 500 | 500 | 20 |" in printed.out and "KEEP=1" in printed.err


def test_what_is_asked_to_be_kept_is_kept_beside_the_other_parts(one_part, monkeypatch):
    monkeypatch.setenv("KEEP", "1")
    bench.main(["start-up"])
    results, readme = kept(one_part)
    assert [*json.loads(results)["parts"]] == ["start-up", "files"]
    assert "| nothing | 500 | 500 | 20 |" in readme and "old" not in readme


def test_a_verdict_is_what_its_figures_say():
    for part in RESULTS["parts"].values():
        for each in part["targets"]:
            assert each["met"] == (each["measured"] <= each["limit"])


def test_the_results_name_no_place():
    text = json.dumps(RESULTS)
    assert not any(word in text for word in ("/home/", "/tmp/", str(Path.home()), "\\Users"))


def test_the_readme_shows_the_results():
    shown = tables.BLOCK.search(tables.README.read_text("utf-8"))
    assert shown and shown[0].strip() == tables.tables(RESULTS).strip()
