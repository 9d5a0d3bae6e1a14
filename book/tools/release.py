"""Write what one deposits and cites into dist/: wheel, sources, the book, what was reproduced.

Run `make release`, which builds the book first. The book becomes one archive whose bytes depend on
its pages alone; another one has the scripts that made data/real, from the commit that its README
names; ``reproduced.json`` has the version, the commit and each row of the ledger; and
``SHA256SUMS`` is what ``sha256sum --check`` reads.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import subprocess
import sys
import tarfile
from collections import Counter
from pathlib import Path

from corefbook import ledger
from corefbook.__main__ import FIELDS

import corefeval

ROOT = Path(__file__).parents[2]
HTML = ROOT / "book" / "_build" / "html"
DIST = ROOT / "dist"
# Rights of files as git has them, whatever this machine prefers.
TAR = ("-c", "tar.umask=0022")
SUMS = "SHA256SUMS"
PROVENANCE = re.compile(r"^git (archive --prefix=(\S+)/ ([0-9a-f]{40}) .*?) \|", re.M)
"""The command of data/real/README.md: its arguments, its folder, its commit."""


def git(*arguments: str) -> str:
    """What git prints for these arguments in this checkout."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, text=True, capture_output=True, check=True)
    return done.stdout.strip()


def reproduced() -> dict[str, object]:
    """The state, how often each verdict was given, and each figure with its verdict."""
    rows = ledger.rows()
    return {
        "version": corefeval.__version__,
        "commit": git("rev-parse", "HEAD"),
        "verdicts": Counter(row.verdict for row in rows),
        "figures": [{name: getattr(row, name) for name in ("id", *FIELDS)} for row in rows],
    }


def archive_book(archive: Path, pages: Path) -> None:
    """Pack the pages in the order of their names, without times and owners."""
    folder = archive.name.removesuffix(".tar.gz")
    with (
        gzip.GzipFile(archive, "wb", mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w") as book,
    ):
        for page in sorted(path for path in pages.rglob("*") if path.is_file()):
            entry = tarfile.TarInfo(f"{folder}/{page.relative_to(pages).as_posix()}")
            entry.size = page.stat().st_size
            with page.open("rb") as content:
                book.addfile(entry, content)


def archive_scripts(folder: Path) -> None:
    """Pack what made data/real, by the command that its README shows."""
    command, name, commit = provenance()
    archive = ["git", *TAR, *command.split()]
    done = subprocess.run(archive, cwd=ROOT, capture_output=True, check=True)
    with gzip.GzipFile(folder / f"{name}-{commit[:7]}.tar.gz", "wb", mtime=0) as packed:
        packed.write(done.stdout)


def provenance() -> tuple[str, str, str]:
    """The arguments with which git archives the scripts, their folder, and their commit."""
    (shown,) = PROVENANCE.findall((ROOT / "data" / "real" / "README.md").read_text("utf-8"))
    return shown


def lacks_scripts() -> str:
    """Why this clone cannot pack them, and what to do; nothing if it can."""
    *_, commit = provenance()
    asked = ["git", "cat-file", "-e", f"{commit}^{{commit}}"]
    if not subprocess.run(asked, cwd=ROOT, capture_output=True).returncode:
        return ""
    lacking = f"this clone lacks commit {commit}, whose scripts made data/real"
    if git("rev-parse", "--is-shallow-repository") == "true":
        return f"{lacking}, because it is shallow: git fetch --unshallow"
    return f"{lacking}: fetch the whole history of the project"


def sums(folder: Path) -> str:
    """A line for each file of a folder, as sha256sum writes it."""
    files = sorted(path for path in folder.iterdir() if path.name != SUMS)
    hashes = [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]
    return "".join(f"{digest}  {path.name}\n" for digest, path in zip(hashes, files, strict=True))


def main() -> int:
    """Write dist/ anew from a clean checkout, and print the hashes; returns the exit code."""
    if changes := git("status", "--porcelain"):
        print(f"commit these changes first, or undo them:\n{changes}", file=sys.stderr)
        return 2
    if not HTML.exists():
        print("there is no built book: make book", file=sys.stderr)
        return 2
    if reason := lacks_scripts():
        print(reason, file=sys.stderr)
        return 2
    DIST.mkdir(exist_ok=True)
    for old in DIST.iterdir():
        old.unlink()
    build = [sys.executable, "-m", "build", "--no-isolation"]
    subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    archive_book(DIST / f"corefeval-book-{corefeval.__version__}.tar.gz", HTML)
    archive_scripts(DIST)
    report = json.dumps(reproduced(), indent=1, ensure_ascii=False)
    (DIST / "reproduced.json").write_text(f"{report}\n", "utf-8")
    (DIST / SUMS).write_text(sums(DIST), "utf-8")
    print((DIST / SUMS).read_text("utf-8"), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
