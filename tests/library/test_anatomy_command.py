"""`corefeval anatomy` as a user types it."""

import csv
import io
import json
from pathlib import Path

import pytest
from test_cli import document

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"
PAIR = [str(EXAMPLES / f"sredni-vashtar.{name}.conll") for name in ("key", "own-mentions")]


@pytest.fixture
def files(folder):
    Path("key.conll").write_text(document("(0) (0) (0) (1) (1) -"))
    Path("response.conll").write_text(document("(7) (7) (8) (8) - (8)"))
    return ["anatomy", "key.conll", "response.conll"]


# Key {0 1 2} {3 4}, response {0 1} {2 3 5}. B³ by hand: of the 5 mentions of the key 0 and 1 lose
# 1/3 each, 2 loses 2/3, 3 loses 1/2, 4 all of it; of the 5 of the response 2 and 3 lose 2/3, 5 all.
TABLE = """\
entities equal on both sides: 0; missing and spurious mentions that overlap one another: 0

     entities  whole  partial  split  missed  mentions missed
key         2      0        1      1       0                1

          entities  pure  padded  merged  invented  mentions invented
response         2     1       0       1         0                  1

lost  recall  precision
b3     56.67      46.67

the entities that cost most by b3, in points of a hundred
cost   of         side      entity  size
46.67  precision  response  8       3     merged: 1 in 0, 1 in 1, 1 invented
30.00  recall     key       1       2     partial: 1 in 8, 1 missed
26.67  recall     key       0       3     split: 2 in 7, 1 in 8

"""


def test_table(files, run):
    code, out, _ = run(*files, "--metric", "b3")
    assert code == 0
    table, signature = out[: len(TABLE)], out[len(TABLE) :]
    assert table == TABLE
    assert signature.endswith("metrics=b3 documents=1 defaults\n")


def test_the_list_is_by_the_measure_that_is_asked_for(files, run):
    _, out, _ = run(*files, "-m", "lea")
    assert "the entities that cost most by lea" in out
    _, out, _ = run(*files, "--metric", "muc", "--measure", "b3")
    assert "cost most by b3" in out and "metrics=muc,b3" in out


def test_twelve_entities_at_most(run):
    _, out, _ = run("anatomy", *PAIR, "--metric", "b3")
    _, _, listed = out.partition("cost   of ")
    assert len(listed.split("\n\n")[0].splitlines()) == 1 + 12


def test_json(files, run):
    _, out, _ = run(*files, "--format", "json")
    content = json.loads(out)
    assert content["totals"]["split"] == 1 and content["totals"]["missed_mentions"] == 1
    (found,) = content["documents"].values()
    assert found["key"][1]["missed"] == [[4, 4]]
    assert found["key"][1]["cost"]["b3"] == pytest.approx(0.3)


def test_csv(files, run):
    _, out, _ = run(*files, "--format", "csv", "--metric", "b3")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["entity"] for row in rows] == ["0", "1", "7", "8"]
    assert rows[3]["kinds"] == "merged" and rows[3]["signature"].startswith("corefeval=")
    assert float(rows[0]["b3"]) == pytest.approx(4 / 15)


def test_repairs(files, run):
    _, out, _ = run(*files, "--repairs", "--metric", "muc")
    assert "then splits joined             100.00" in out
    _, out, _ = run(*files, "--repairs", "--format", "json")
    assert json.loads(out)["steps"][-1]["so_far"]["lea"] == 1
    _, out, _ = run(*files, "--repairs", "--format", "csv", "--metric", "muc")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert (rows[0]["repair"], rows[0]["how"], rows[-1]["f1"]) == ("", "as it is", "1.0")


def test_it_takes_conventions_scorers_and_folders(files, run, tmp_path):
    for side in ("key", "response"):
        folder = tmp_path / side
        folder.mkdir()
        Path(f"{side}.conll").rename(folder / "a.conll")
    code, out, _ = run("anatomy", "key", "response", "--twinless", "complete")
    assert code == 0 and "twinless=complete" in out
    code, out, _ = run("anatomy", "key", "response", "--like", "coval")
    assert code == 0 and "like=coval" in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--metric", "conll"], "losses of 'conll' cannot be attributed to entities; expected men"),
        (["-m", "conll"], "; try -m muc, -m b3, -m ceafe, of which it is the mean\n"),
        (["--average", "mean"], "average='mean' does not add up documents' counts"),
        (["--format", "xml"], "invalid choice: 'xml'"),
    ],
)
def test_errors(files, run, arguments, told):
    code, out, err = run(*files, *arguments)
    assert (code, out) == (2, "")
    assert told in err


def test_tables_of_labels(run, tmp_path):
    pytest.importorskip("duckdb")
    path = tmp_path / "labels.csv"
    path.write_text("k,r,d\n1,1,a\n1,2,a\n2,2,a\n1,1,b\n")
    code, out, _ = run("anatomy", path, "--columns", "k", "r", "--document", "d", "-m", "b3")
    assert code == 0 and "merged: 1 in 1, 1 in 2  a" in out


def test_a_page_that_was_written_is_told(files, run, tmp_path):
    code, out, err = run(*files, "--html", "errors.html", "--metric", "b3")
    assert (code, err) == (0, "corefeval: wrote errors.html\n")
    assert out.startswith("entities equal on both sides: 0") and (
        tmp_path / "errors.html"
    ).read_text("utf-8")
    code, out, err = run(*files, "--html", "no/errors.html")
    assert (code, out) == (2, "") and "wrote" not in err


def test_a_page_is_never_written_over_what_is_scored(files, run, tmp_path):
    key, response = map(Path, files[1:3])
    before = key.read_bytes(), response.read_bytes()
    (tmp_path / "link").symlink_to(response)
    for name in (key, response, tmp_path / "link"):
        code, out, err = run(*files, "--html", name)
        assert (code, out) == (2, "") and "is what is scored; give the page another name" in err
    assert (key.read_bytes(), response.read_bytes()) == before


def test_an_older_page_stays_if_the_new_one_cannot_be_written(files, run, tmp_path, monkeypatch):
    page = tmp_path / "errors.html"
    page.write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    code, out, err = run(*files, "--html", page)
    assert (code, out) == (2, "") and "No space left on device" in err
    assert page.read_text() == "old" and sorted(tmp_path.glob("*.tmp")) == []


def test_an_empty_name_of_a_page_is_refused(files, run):
    code, out, err = run(*files, "--html", "")
    assert (code, out) == (2, "") and "cannot write it" in err
