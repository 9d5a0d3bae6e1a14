"""What one deposits: the same pages give the same bytes, and the report is the ledger.

If one of these failed, a hash that was cited would name no state, or a verdict another one.
"""

import hashlib
import os
import re
import subprocess
import tarfile
from collections import Counter
from pathlib import Path

import pytest
import release
from corefbook import ledger

import corefeval

ROOT = Path(__file__).parents[2]


def pages(folder: Path, time: int) -> Path:
    """Three pages, written in an order and at a time of their own."""
    for name in ("muc.html", "index.html", "_static/custom.css"):
        page = folder / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"content of {name}")
        os.utime(page, (time, time))
    return folder


def test_the_same_pages_give_the_same_archive(tmp_path):
    archives = []
    for time in (1, 1_000_000_000):
        archive = tmp_path / str(time) / "book-1.tar.gz"
        html = pages(archive.parent / "html", time)
        release.archive_book(archive, html)
        archives.append(archive)
    first, second = (archive.read_bytes() for archive in archives)
    assert first == second
    with tarfile.open(archives[0]) as book:
        assert book.getnames() == [
            "book-1/_static/custom.css",
            "book-1/index.html",
            "book-1/muc.html",
        ]


def test_sums_are_those_of_sha256sum(tmp_path):
    (tmp_path / "b").write_text("two")
    (tmp_path / "a").write_text("one")
    (tmp_path / release.SUMS).write_text("old")
    expected = [
        f"{hashlib.sha256(text).hexdigest()}  {name}\n"
        for name, text in (("a", b"one"), ("b", b"two"))
    ]
    assert release.sums(tmp_path) == "".join(expected)


def history_is_here() -> bool:
    """Neither the sources' own archive nor a shallow clone has it."""
    return (ROOT / ".git").exists() and not release.lacks_scripts()


@pytest.mark.skipif(not history_is_here(), reason="it needs the history of the project")
def test_scripts_of_data_real_pack_alike(tmp_path):
    packed = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        release.archive_scripts(tmp_path / name)
        packed += (tmp_path / name).iterdir()
    first, second = packed
    assert first.name == second.name and first.read_bytes() == second.read_bytes()
    with tarfile.open(first) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    scripts = re.findall(
        r"^\| `(\w+\.py)`", (ROOT / "data/real/README.md").read_text("utf-8"), re.M
    )
    assert len(scripts) == 7
    assert {*scripts} <= {name.rpartition("/")[2] for name in names}
    assert "corefeval/corpus.py" in names and "data/real/scorers.csv" in names


@pytest.mark.skipif(not history_is_here(), reason="it needs the history of the project")
def test_a_shallow_clone_says_what_to_do(tmp_path, monkeypatch):
    clone = ["git", "clone", "--quiet", "--depth", "1", f"file://{ROOT}", tmp_path / "clone"]
    subprocess.run(clone, check=True, capture_output=True)
    monkeypatch.setattr(release, "ROOT", tmp_path / "clone")
    reason = release.lacks_scripts()
    assert release.provenance()[2] in reason and reason.endswith("git fetch --unshallow")


@pytest.mark.proof
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="it needs a git checkout")
def test_the_report_has_every_figure_with_its_address():
    report = release.reproduced()
    rows = ledger.rows()
    assert report["version"] == corefeval.__version__
    assert len(report["commit"]) == 40
    assert report["verdicts"] == Counter(row.verdict for row in rows)
    assert [figure["id"] for figure in report["figures"]] == [row.id for row in rows]
