"""tools/real_counts.py: small archives of either form, counted by hand."""

import hashlib
from pathlib import Path

import py7zr
import pytest
import real_counts
import real_sources
from companion.studies import real

from corefeval.errors import CorefError

README = Path(__file__).parents[2] / "data" / "real" / "README.md"


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """A folder for counts of its own."""
    folder = tmp_path / "stored"
    folder.mkdir()
    monkeypatch.setattr(real, "FOLDER", folder)
    return folder


def written(folder, files):
    for name, lines in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


# Two documents, {1 2} {3} and {4} {5 6}; the response feature.0 has {1 2} {3} and {4 5} {6}.
ROWS = [(0, 1, 0), (0, 2, 0), (0, 3, 1), (1, 4, 2), (1, 5, 3), (1, 6, 3)]
FEATURE = [0, 0, 1, 2, 2, 3]


def columns(folder):
    """cdcr-corpora as columns of labels, the same for each of its corpora."""
    rows = [
        f"{d},{m},{k},{n},{f}" for n, ((d, m, k), f) in enumerate(zip(ROWS, FEATURE, strict=True))
    ]
    files = {f"{name}.csv": ["document,mention,key,lemma,feature.0", *rows]
             for name in ("fcc", "gvc", "ecbp")}  # fmt: skip
    barhom = ["document,sentence,first,last,key,barhom2019.gold", "0,0,1,1,0,0"]
    files |= {f"barhom2019-{name}.csv": barhom
              for name in ("fcct", "gvc", "ecbp")}  # fmt: skip
    head = "corpus,response,documents,measure,f1,precision,recall"
    files["printed.csv"] = [head, "fcc,feature.0,within_doc,bcub,0.777778,0.777778,0.777778"]
    files["barhom2019-printed.csv"] = ["corpus,response,measure,recall,precision,f1"]
    return written(folder, files)


def packed(folder):
    """The same, of one corpus, as feature-based.7z has it."""
    table = [
        "metric f1 precision recall",
        "---",
        "bcub 0.777778 0.777778 0.777778",
        "conll 0.5 nan nan",
    ]
    files = {}
    for name in ("fcc", "gvc", "ecbp"):
        for run, labels in (
            (f"feature-based/{name}_lemma_baselines/lemma", range(6)),
            *((f"feature-based/{name}_evaluate_clustering/{s}", FEATURE) for s in range(5)),
        ):
            gold = [f"doc{d}_{m}\t({k})" for d, m, k in ROWS]
            answer = [f"metadoc_doc{d}_{m}\t({n})"
                      for (d, m, _), n in zip(ROWS, labels, strict=True)]  # fmt: skip
            files[f"{run}/within_doc/gold.conll"] = ["#begin document(doc0);", *gold]
            files[f"{run}/cross_doc/gold.conll"] = [f"metadoc_{line}" for line in gold]
            files[f"{run}/cross_doc/system.conll"] = answer
            for scope in ("within_doc", "cross_doc"):
                files[f"{run}/{scope}/eval_{scope}.txt"] = table
    written(folder / "unpacked", files)
    archive = folder / "feature-based.7z"
    with py7zr.SevenZipFile(archive, "w") as made:
        made.writeall(folder / "unpacked" / "feature-based", "feature-based")
    return archive


def numbers(archive, **place):
    (found,) = [
        line.numbers
        for line in real.lines(archive)
        if all(getattr(line, name) == value for name, value in place.items())
    ]
    return found


def test_columns_are_counted_compared_and_found_to_differ(tmp_path, stored, capsys):
    folder = columns(tmp_path / "columns")
    assert real_counts.main(["cdcr-corpora", str(folder), "--write"]) == 0
    place = {"corpus": "fcc", "scope": "documents", "conventions": "", "response": "feature.0"}
    # Within document 1: {4} {5 6} against {4 5} {6}; B³ recall is 1 + ½ + ½, precision the same.
    assert numbers("cdcr-corpora", **place, document="1", measure="b3") == "2 3 2 3"
    assert numbers("cdcr-corpora", **place, document="0", measure="muc") == "1 1 1 1"
    assert numbers("cdcr-corpora", **place, measure="entities.key") == "4 2 2"
    assert numbers("cdcr-corpora", **place, measure="printed.b3") == "0.777778 0.777778 0.777778"
    # Without singletons document 1 keeps {5 6} against {4 5}.
    dropped = place | {"conventions": "singletons=drop"}
    assert numbers("cdcr-corpora", **dropped, document="1", measure="b3") == "1/2 2 1/2 2"

    assert real_counts.main(["cdcr-corpora", str(folder)]) == 0
    assert "rows are as stored" in capsys.readouterr().out
    (folder / "gvc.csv").write_text((folder / "fcc.csv").read_text().replace("1,5,3,", "1,5,1,"))
    assert real_counts.main(["cdcr-corpora", str(folder)]) == 1
    assert "gvc documents  feature.0" in capsys.readouterr().out


def test_an_archive_has_the_same_counts_as_its_columns(tmp_path, stored, monkeypatch, capsys):
    archive = packed(tmp_path)
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    monkeypatch.setitem(real_sources.SHA256, archive.name, digest)
    assert real_counts.main(["cdcr-corpora", str(archive), "--write"]) == 0
    of_archive = set(real.lines("cdcr-corpora"))
    assert real_counts.main(["cdcr-corpora", str(columns(tmp_path / "c")), "--write"]) == 0
    counts = {
        line
        for line in real.lines("cdcr-corpora")
        if not line.corpus.startswith("barhom") and not line.measure.startswith("printed")
    }
    assert len(counts) > 200
    assert counts <= of_archive
    assert real_counts.main(["cdcr-corpora", str(tmp_path / "unpacked"), "--write"]) == 0
    assert set(real.lines("cdcr-corpora")) == of_archive


def test_another_version_of_an_archive_is_refused(tmp_path, stored, capsys):
    archive = packed(tmp_path)
    assert real_counts.main(["cdcr-corpora", str(archive)]) == 2
    assert "its sha256 is" in capsys.readouterr().err


def test_columns_without_a_key_are_refused(tmp_path, stored, capsys):
    folder = columns(tmp_path / "columns")
    (folder / "fcc.csv").write_text("document,mention,gold\n0,1,0\n")
    assert real_counts.main(["cdcr-corpora", str(folder)]) == 2
    assert "expected the columns document, ..., key" in capsys.readouterr().err


SPANS = ["document,first,last,entity", "0,4,4,1", "0,7,8,1", "0,7,8,2"]


def test_a_file_a_side(tmp_path, stored):
    """A span in two entities is in the first; the key's other mention is missing."""
    sides = ("gum", "ontogum", "xrenner-gum", "xrenner-ontonotes")
    files = dict.fromkeys((f"{side}.csv" for side in sides), SPANS)
    files["gum.csv"] = ["document,first,last,entity", "0,7,8,1", "0,1,1,1"]
    folder = written(tmp_path / "gum", files)
    assert real_counts.main(["gum", str(folder), "--write"]) == 0
    place = {"corpus": "gum", "conventions": "repeated=first", "response": "ontogum"}
    assert numbers("gum", **place, measure="mentions") == "1 2 1 2"
    assert numbers("gum", **place, measure="anatomy") == "0 0 0 0 0 0 0 1 1"


def test_marks_of_files():
    cells = [((0, 1), "(5|(6)"), ((0, 2), "5"), ((0, 3), "5)"), ((0, 4), "(a-1(a-2)a-1)")]
    assert real_sources.marked(cells) == [
        ((0, 1, 1), "6"),
        ((0, 1, 3), "5"),
        ((0, 4, 4), "a-1"),
        ((0, 4, 4), "a-2"),
    ]


@pytest.mark.parametrize("name", real_sources.SHA256)
def test_the_readme_names_what_is_downloaded(name):
    text = README.read_text(encoding="utf-8")
    assert f"| `{name}` | {real_sources.SHA256[name]} |" in text


def test_what_is_stored_is_small_and_names_no_document():
    files = sorted(path for path in real.FOLDER.iterdir() if path.suffix == ".xz")
    assert [path.name for path in files] == sorted(f"{name}.csv.xz" for name in real.ARCHIVES)
    assert sum(path.stat().st_size for path in files) <= 500_000
    for archive in real.ARCHIVES:
        assert all(not line.document or line.document.isdigit() for line in real.lines(archive))


def test_documents_that_entities_join():
    side = [
        ((0, 1), "a"),
        ((1, 1), "b"),
        ((2, 1), "a"),
        ((3, 1), "c"),
        ((3, 2), "b"),
        ((4, 1), "d"),
    ]
    assert real_sources.joined(side) == {0: "0", 2: "0", 1: "1", 3: "1", 4: "2"}


def test_units_of_a_key_that_is_numbered_in_another_way():
    """Documents 1 and 2 look the same; 0 is told from 3 by what its entity has elsewhere."""
    key = [((0, 1), "a"), ((1, 1), "a"), ((2, 1), "a"), ((1, 2), "b"), ((2, 2), "b"), ((3, 1), "c"),
           ((4, 1), "c")]  # fmt: skip
    other = [((9 - document, place), entity + "'") for (document, place), entity in key]
    units = {9: "x", 8: "x", 7: "x", 6: "y", 5: "y"}
    assert real_sources.units_by_key(key, other[::-1], units) == {
        0: "x", 1: "x", 2: "x", 3: "y", 4: "y"
    }  # fmt: skip
    with pytest.raises(CorefError, match="two documents look the same"):
        real_sources.units_by_key(key, other, units | {7: "y"})
    with pytest.raises(CorefError, match="a document looks like none of the other's"):
        real_sources.units_by_key(key[1:], other, units)


def test_units_are_stored_with_the_counts(tmp_path, stored):
    folder, other = columns(tmp_path / "columns"), tmp_path / "other"
    rows = ["document,first,last,key", *(f"{1 - d},{m},{m},{k}" for d, m, k in ROWS)]
    names = ["document,subtopic", "0,7_1", "1,7_1"]
    written(other, {f"{name}.csv": rows for name in ("ecbp", "gvc", "fcct")})
    written(other, {f"{name}.documents.csv": names for name in ("ecbp", "gvc", "fcct")})
    command = ["cdcr-corpora", str(folder), "--subtopics", str(other), "--write"]
    assert real_counts.main(command) == 0
    place = {"corpus": "ecbp", "document": "0", "response": ""}
    assert numbers("cdcr-corpora", **place, measure="unit.subtopics") == "0"
    assert numbers("cdcr-corpora", **place, measure="unit.topics") == "0"
    # Entity 1 is of document 0 alone, and no entity is in both documents.
    assert numbers("cdcr-corpora", **place | {"document": "1"}, measure="unit.joined") == "1"
