"""The recipes of the book lead from what systems write to their scores.

If one of these failed, the book would tell people to run lines that do not work.
"""

import ast
import doctest
import pickle
import random
import re
import traceback
import warnings
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest

from corefeval import CorefError, anatomy, evaluate, explain
from corefeval.cli import main
from corefeval.readers.recipes import lines_for, recipes

WHOLE = Path(__file__).parents[3].joinpath("book", "recipes.md").read_text(encoding="utf-8")
PAGE = WHOLE.partition("\n## Recipes for other files\n")[2]
SAMPLES = dict(re.findall(r"```{code-block} \w+\n:caption: (\S+)\n(.*?)```", PAGE, re.DOTALL))
RECIPES = {
    "Other tokens",
    "s2e",
    "Stanza",
    "CoreNLP",
    "xCoRe",
    "The lists of Hugging Face's coval",
    "OntoNotes in rows",
    "CorefUD beside another format",
    "BookNLP",
    "brat",
    "WebAnno and INCEpTION",
    "A list of mentions",
}
KEYS_OF_PAGE = [[(0, 0), (2, 2), (7, 7)], [(2, 3), (5, 5)]]
SCORE = "recall 2/3, precision 1, f1 4/5"
"""By hand: the key needs 2 + 1 links, the response makes 1 + 1, all of which are right."""


def blocks(text: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


@pytest.fixture
def names(tmp_path, monkeypatch):
    """What the examples before have defined; the files beside them."""
    monkeypatch.chdir(tmp_path)
    for name, text in SAMPLES.items():
        Path(name).write_text(text, encoding="utf-8")
    return {}


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # lines to read, not to run for long
def test_every_recipe_gives_the_score(names):
    start, *sections = re.split(r"^### (.*)\n", PAGE, flags=re.MULTILINE)
    sections = {"start": start, **dict(zip(sections[::2], sections[1::2], strict=True))}
    assert set(sections) == RECIPES | {"start"}
    for title, text in sections.items():
        typed = "".join(blocks(text))
        examples = doctest.DocTestParser().get_doctest(typed, names, title, title, 0)
        runner = doctest.DocTestRunner()
        assert examples.examples[-1].want == f"{SCORE}\n", title
        assert runner.run(examples, clear_globs=False).failed == 0, title
        if title == "start":  # a recipe is copied alone: it may not need what another imports
            names.update(examples.globs)


REFUSED = {
    "s2e": "preds.jsonl",
    "CoreNLP": "d.txt.json",
    "xCoRe, across documents": "d.cross.json",
    "Hugging Face's conll2012_ontonotesv5": "rows.jsonl",
    "Hugging Face's coval": "d.json",
    "Stanza": "stanza.conllu",
    "BookNLP": "d.entities",
    "brat": "d.ann",
    "LitBank, for brat": "d.litbank.ann",
    "WebAnno or INCEpTION, as TSV": "d.tsv",
    "DWIE, a list of mentions": "d.dwie.json",
    "LitBank, a table of mentions": "d.table.ann",
    "entities, each with its mentions": "d.mentions.jsonl",
    "spans as start and end": "d.spans.jsonl",
    "spans under entities' names": "d.named.jsonl",
    "documents by their names": "authors.json",
}
OF_TWO = {
    "CorefUD, beside another format": ("d.conllu", ""),
    "other tokens": ("d.response.conll", "d.key.conll"),
}
"""Recipes that no sign of a file leads to, but two files that do not go together."""
OF_PLACES = {"d": [[(0, 3), (9, 12), (26, 29)], [(9, 16), (18, 20)]]}
CHARACTERS = [["0 3", "9 12", "27 30"], ["9 16", "19 21"]]
KEYS = {
    "d.cross.json": {"d": [[(0, 0, 0), (0, 2, 2), (1, 2, 2)], [(0, 2, 3), (1, 0, 0)]]},
    "rows.jsonl": {"d; part 000": KEYS_OF_PAGE},
    "stanza.conllu": "ann.conllu",
    "d.ann": {"d": CHARACTERS},
    "d.litbank.ann": {"d": CHARACTERS},
    "d.dwie.json": OF_PLACES,
    "d.mentions.jsonl": OF_PLACES,
    "d.spans.jsonl": OF_PLACES,
    "d.table.ann": {
        "d": [[(0, 0, 0, 0), (0, 2, 0, 2), (1, 2, 1, 2)], [(0, 2, 0, 3), (1, 0, 1, 0)]]
    },
    "authors.json": {"d": [["p1", "p2", "p5"], ["p3", "p4"]]},
}
"""The keys that count otherwise than the page's."""


def ran(lines):
    """The response that lines make which were printed."""
    scope: dict = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # lines to read, not to run for long
        exec("\n".join(lines), scope)
    return scope["response"]


def test_the_page_has_the_lines_that_refuse():
    typed = ["\n".join(line[4:] for line in block.split("\n")) for block in blocks(PAGE)]
    of_one = {system: (file, "") for system, file in REFUSED.items()}
    for system, files in {**of_one, **OF_TWO}.items():
        lines = "\n".join(lines_for(system, *files))
        for file in files:
            lines = lines.replace(f" = {file!r}\n", f' = "{file}"\n')
        assert any(lines in block for block in typed), system
        assert max(map(len, lines.split("\n"))) <= 100, system


@pytest.mark.parametrize("system", REFUSED)
def test_a_file_with_a_recipe_is_offered_it(system, names, capsys):
    """What is printed can be typed, and gives the page's score."""
    file = REFUSED[system]
    assert {*REFUSED, *OF_TWO} == set(recipes())
    assert main(["score", file, file]) == 2
    told, *lines = capsys.readouterr().err.splitlines()
    assert told == (
        f"corefeval: error: {file}: it looks like a file of {system}, which is not read as it "
        "is; these lines of Python make a response of it, for corefeval.evaluate(key, response):"
    )
    key = KEYS.get(file, {"d": KEYS_OF_PAGE})
    assert str(evaluate(key, ran(lines), "muc").total["muc"]) == SCORE


def test_conll_beside_corefud_is_refused_with_lines(names, capsys):
    key = [("(0)", "-", "(0)|(1", "1)", "-"), ("(1)", "-", "(0)", "-")]
    rows = ["\n".join(f"d\t{n}\t{mark}" for n, mark in enumerate(of)) for of in key]
    text = "\n\n".join(rows)
    Path("key.conll").write_text(f"#begin document (d); part 000\n{text}\n#end document\n")
    assert main(["score", "key.conll", "d.conllu"]) == 2
    told, *lines = capsys.readouterr().err.splitlines()
    assert "key.conll of CoNLL-2012" in told and "d.conllu of CorefUD" in told
    assert str(evaluate("key.conll", ran(lines), "muc").total["muc"]) == SCORE
    Path("d.conllu").write_text(
        SAMPLES["d.conllu"]
        .replace("Entity=(e1)", "Entity=(e1[1/2])", 1)
        .replace(
            "cat\t_\t_\t_\t_\t2\t_\t_\tEntity=e2)", "cat\t_\t_\t_\t_\t2\t_\t_\tEntity=e2)(e1[2/2])"
        )
    )
    with pytest.raises(AssertionError, match="d: a gap or an empty node"):
        ran(lines)


class Spans(dict):
    """A Doc of spaCy with the attributes that the recipes use, and spaCy's rules for them."""

    text = "Ann sees her cat. It sees Ann."
    starts = (0, 4, 9, 13, 16, 18, 21, 26, 29)
    ends = (3, 8, 12, 16, 17, 20, 25, 29, 30)

    def char_span(self, start, end, *, alignment_mode):
        assert alignment_mode == "expand"
        of = [n for n in range(9) if self.starts[n] < end and self.ends[n] > start]
        return SimpleNamespace(start=of[0], end=of[-1] + 1)


def spacy(*entities):
    groups = [[SimpleNamespace(start=a, end=b + 1) for a, b in entity] for entity in entities]
    spans = {f"coref_clusters_{n}": group for n, group in enumerate(groups, 1)}
    return SimpleNamespace(spans=spans | {"coref_head_clusters_1": groups[0], "sc": []})


def fastcoref(*entities):
    doc = Spans()
    places = [[(doc.starts[a], doc.ends[b]) for a, b in entity] for entity in entities]
    doc._ = SimpleNamespace(coref_clusters=places)
    return doc


def stanza(*entities):
    """Two sentences of five and four words, and a zero, whose places are tuples."""
    sentences = [SimpleNamespace(words=[object()] * n) for n in (5, 4)]
    chains = []
    for entity in entities:
        mentions = []
        for a, b in entity:
            first = 0 if a < 5 else 5
            place = {"start_word": a - first, "end_word": b + 1 - first}
            mentions.append(SimpleNamespace(sentence=first // 5, **place))
        chains.append(SimpleNamespace(mentions=mentions))
    zero = SimpleNamespace(sentence=1, start_word=(0, 1), end_word=(0, 1))
    chains[0].mentions.append(zero)
    return SimpleNamespace(sentences=sentences, coref=chains)


def maverick(*entities):
    return SimpleNamespace(predict=lambda tokens: {"clusters_token_offsets": list(entities)})


OBJECTS = {"spaCy": spacy, "fastcoref": fastcoref, "Stanza": stanza, "maverick": maverick}


@pytest.mark.parametrize("library", OBJECTS)
def test_what_a_library_has_in_memory(library):
    part = WHOLE.partition("## From a system's own objects")[2].partition("\n## ")[0]
    text = re.search(rf"^{library} .*?```python\n(.*?)```", part, re.MULTILINE | re.DOTALL)[1]
    assert len(ast.parse(text).body) == 2
    given = OBJECTS[library]([(0, 0), (2, 2)], [(2, 3), (5, 5)])
    scope = {"doc": given, "model": given, "tokens": []}
    exec(text, scope)
    assert scope["response"] == [[(0, 0), (2, 2)], [(2, 3), (5, 5)]]
    assert str(evaluate([KEYS_OF_PAGE], [scope["response"]], "muc")["muc"]) == SCORE


def test_the_mean_over_data_sets(tmp_path, monkeypatch, capsys):
    """Three documents of one set are right, the one of the other is not: 83.33 in all."""
    monkeypatch.chdir(tmp_path)
    for side, of_tr in (("key", "1122"), ("response", "1212")):
        Path(side).mkdir()
        for name, documents in (("cs", ["1122"] * 3), ("tr", [of_tr])):
            text = "# global.Entity = eid\n"
            for number, marks in enumerate(documents):
                text += f"# newdoc id = {name}{number}\n"
                for n, mark in enumerate(marks, 1):
                    text += "\t".join([str(n), "w", *"_______", f"Entity=(e{mark})"]) + "\n"
                text += "\n"
            Path(side, f"{name}.conllu").write_text(text)
    (lines,) = [block for block in blocks(WHOLE) if 'glob("*.conllu")' in block]
    exec(lines, {})
    assert f"{float(capsys.readouterr().out):.2f}" == "66.67"
    with pytest.warns(UserWarning, match="mean over data sets"):
        whole = evaluate("key", "response", "conll", like="corefud_official")["conll"]
    assert f"{float(100 * whole.exact.f1):.2f}" == "83.33"


ODD = 'it\'s {odd} "100%" \\n; import os'


@pytest.mark.proof
@pytest.mark.parametrize("system", ["BookNLP", "brat", "LitBank, for brat", "CoreNLP"])
def test_a_folder_of_odd_names_and_long_files(system, names):
    """The lines are for the folder that was named, whose name is a text and nothing else."""
    file = REFUSED[system]
    Path(ODD).mkdir()
    text = SAMPLES[file]
    # What tells the system from another stands far behind what is looked at first.
    fill = "".join(f"T{n}\tPerson {n} {n + 1}\tx\n" for n in range(100, 6000))
    if file.endswith(".ann"):
        text = f"{fill}{text}"
    for number in range(12):
        Path(ODD, f"{number} {{a}}'\".x").write_text(text, encoding="utf-8")
    with pytest.raises(CorefError, match=f"looks like a file of {system}, which") as refused:
        evaluate(ODD, ODD)
    response = ran(refused.value.lines[1:])
    assert [*response] == sorted(f"{number} {{a}}'\"" for number in range(12))
    key = KEYS.get(file, {"d": KEYS_OF_PAGE})["d"]
    total = evaluate(dict.fromkeys(response, key), response, "muc").total["muc"]
    assert str(total).startswith("recall 2/3, precision 1")
    assert evaluate(response, ran(refused.value.lines[1:]), "muc")["muc"].exact.f1 == 1


def test_a_recipe_that_meets_nothing_says_so(names):
    Path("lone.ann").write_text("T1\tPerson 0 3\tAnn\n", encoding="utf-8")
    with pytest.raises(AssertionError, match=r"lone\.ann: nothing is linked by Coref or Equiv"):
        ran(lines_for("brat", "lone.ann"))
    with pytest.raises(AssertionError, match=r"lone\.ann: no mention has the number"):
        ran(lines_for("LitBank, for brat", "lone.ann"))


@pytest.mark.parametrize("door", [evaluate, explain, anatomy], ids=lambda door: door.__name__)
def test_every_door_refuses_with_the_lines(door, names):
    for system, file in REFUSED.items():
        with pytest.raises(CorefError, match=f"looks like a file of {system}") as raised:
            door(file, file)
        assert "response = " in str(raised.value)
        assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)
        assert "".join(traceback.format_exception(raised.value)).count("Traceback") == 1


def test_a_folder_is_refused_with_the_first_recipe(names):
    Path("folder").mkdir()
    for name in "ba":
        Path("folder", f"{name}.entities").write_text(SAMPLES["d.entities"])
    with pytest.raises(CorefError, match=r"a\.entities: it looks like a file of BookNLP"):
        evaluate("folder", "folder")


def test_a_file_that_only_begins_alike_is_refused(tmp_path):
    path = tmp_path / "a"
    for text, told in [
        ("COREF is a token\t(0)\n", "begins no document"),
        ("T1 is a token\t(0)\n", "begins no document"),
        ('{"d": [[[1, 1]]]}\n{"e": 5}', "document 'e'|line 2|no key that is known"),
    ]:
        path.write_text(text)
        with pytest.raises(CorefError, match=told):
            evaluate(path, path)


def test_two_annotators_agree_alike_whoever_is_the_key():
    part = WHOLE.partition("\n## Two annotators\n")[2].partition("\n## ")[0]
    (block,) = blocks(part)
    test = doctest.DocTestParser().get_doctest(block, {}, "annotators", "recipes.md", 0)
    assert len(test.examples) == 5 and not doctest.DocTestRunner(verbose=False).run(test).failed
    assert "MUC, B³, CEAF and LEA count alike in both directions" in part
    draw = random.Random(1)
    for _ in range(200):
        one, other = (_drawn(draw) for _ in "ab")
        there = evaluate({"d": one}, {"d": other}, SYMMETRIC).total
        back = evaluate({"d": other}, {"d": one}, SYMMETRIC).total
        both_kinds = all(map(_has_links_of_both_kinds, (one, other)))
        for name in SYMMETRIC if both_kinds else SYMMETRIC[:-1]:
            recall, precision, f1, *_ = there[name].exact
            assert (precision, recall, f1) == back[name].exact[:3], (name, one, other)


SYMMETRIC = ["muc", "b3", "ceafm", "ceafe", "lea", "blanc"]


def _drawn(draw: random.Random) -> list[list[str]]:
    """What somebody may have marked in a text of seven mentions."""
    groups: dict[int, list[str]] = {}
    for mention in "abcdefg":
        if draw.random() < 0.85:
            groups.setdefault(draw.randrange(4), []).append(mention)
    return [*groups.values()]


def _has_links_of_both_kinds(entities: list[list[str]]) -> bool:
    return len(entities) > 1 and max(map(len, entities)) > 1


def test_every_mix_with_corefud_is_refused_with_lines(names, capsys):
    """The lines make the side that is of CorefUD, whose counterpart is a file."""
    rows = ["(0)", "-", "(0)|(1", "1)", "-", "(1)", "-", "(0)", "-"]
    text = "\n".join(f"d\t{n}\tw\t{mark}" for n, mark in enumerate(rows))
    Path("other.conll").write_text(f"#begin document (d)\n{text}\n#end document\n")
    Path("other.jsonl").write_text(
        '{"doc_key": "d", "clusters": [[[0, 0], [2, 2], [7, 7]], [[2, 3], [5, 5]]]}'
    )
    Path("response.conllu").write_text(SAMPLES["d.conllu"])
    for other in ("other.conll", "other.jsonl"):
        for files in ((other, "response.conllu"), ("response.conllu", other)):
            assert main(["score", *files]) == 2
            told, *lines = capsys.readouterr().err.splitlines()
            call = told.rpartition("corefeval.")[2].removesuffix(":")
            scope: dict = {"evaluate": evaluate}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ResourceWarning)
                exec("\n".join(lines), scope)
            report = eval(call.removesuffix(")") + ", 'muc')", scope)
            recall, precision, f1 = report["muc"].exact[:3]
            assert f1 == Fraction(4, 5), (files, call)
            turned = files[0] == "response.conllu"
            assert (precision if turned else recall) == Fraction(2, 3), files
