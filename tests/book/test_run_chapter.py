"""Chapters that run where they stand: which ones, with what, and the page in a browser."""

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from urllib.parse import urlencode
from zipfile import ZipFile

import nbformat
import playground
import pytest
import run_chapter
from browsing import RunningPage, settled
from nbclient import NotebookClient
from page_rules import inaccessible
from playwright.sync_api import expect
from stored import BOOK, CHAPTERS, code_cells, parts, some_by_day
from test_book import ROOT, parsed

NAMES = [path.stem for path in CHAPTERS]
MISSING = {
    "rewards": "numpy",
    "errors": "numpy",
    "significance": "numpy",
    "real-systems": "numpy",
    "lost-text": "numpy",
    "records": "pandas",
}
"""What the browser lacks of the packages that a chapter needs."""
RUNNABLE = [name for name in NAMES if name not in MISSING]


# The others show in the proof what they give without an installed package, and in a browser before
# a release: it takes half a minute each.
IN_BROWSER = ["muc", "tables"]


def code(name: str) -> list[nbformat.NotebookNode]:
    return code_cells(BOOK / f"{name}.ipynb")


# Which chapters


def test_ten_chapters_run_whole():
    assert {*dict(parts())["Part I: How scores work"]} <= {*RUNNABLE}
    assert len(RUNNABLE) >= 10


@pytest.mark.proof
def test_chapters_that_need_more_are_known():
    tried = {name: run_chapter.missing(BOOK / f"{name}.ipynb") for name in NAMES}
    first = {name: next(filter(None, packages), "") for name, packages in tried.items()}
    assert {name: package for name, package in first.items() if package} == MISSING


@pytest.mark.proof
@pytest.mark.parametrize("name", ["errors", "lost-text"])
def test_as_many_cells_run_as_the_bar_says(name, unpacked):
    left = [bool(package) for package in run_chapter.missing(BOOK / f"{name}.ipynb")]
    outputs_of = ran(unpacked, name)
    failed = [any(each["output_type"] == "error" for each in outputs) for outputs in outputs_of]
    assert failed == left


def test_a_cell_that_needs_omitted_ones_is_omitted(tmp_path):
    sources = ["import pandas as pd\na = b = 1", "c = a", "b = 2", "b", "[a for a in 'x']", "c"]
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "a.ipynb")
    lacking = ["pandas", "pandas", "", "", "", "pandas"]
    assert run_chapter.missing(tmp_path / "a.ipynb") == lacking


@pytest.mark.parametrize(
    ("source", "package"),
    [
        ("import json, corefeval", ""),
        ("from corefbook import draw, ledger\nfrom IPython.display import Markdown", ""),
        ("def f():\n    import numpy.linalg", "numpy"),
        ("from pandas import DataFrame", "pandas"),
        ("from corefbook import nothing_of_that_name", "corefbook"),
    ],
)
def test_missing_packages_are_found_by_trying(source, package, tmp_path):
    cells = [nbformat.v4.new_code_cell("%time 1"), nbformat.v4.new_code_cell(source)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "a.ipynb")
    assert run_chapter.missing(tmp_path / "a.ipynb") == ["", package]


# The same outputs without an installed package

IN_TURN = """
import json, os, sys
os.chdir(sys.argv[1])
sys.path[:0] = [sys.argv[1], os.path.dirname(sys.argv[1])]
from corefbook.pages.cells import run
print(json.dumps([run(source) for source in json.load(sys.stdin)]))
"""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """What the page's worker unpacks."""
    folder = tmp_path_factory.mktemp("unpacked")
    for module in (playground, run_chapter):
        module.write_sources(folder / "sources.zip")
        with ZipFile(folder / "sources.zip") as archive:
            archive.extractall(folder)
    return folder


def in_turn(folder: Path, sources: list[str]) -> list[list[dict]]:
    """The outputs of cells, in an interpreter that has the archives and no installed package."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", IN_TURN, folder / "book"],
        input=json.dumps(sources), capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


@cache
def ran(folder: Path, name: str) -> list[list[dict]]:
    """The outputs of a chapter's cells there: it is run once for all that is asked of it."""
    return in_turn(folder, [cell.source for cell in code(name)])


def comparable(outputs: list) -> list[dict]:
    """Without what a notebook adds: counts and metadata."""
    return [
        {name: part for name, part in each.items() if name not in ("execution_count", "metadata")}
        for each in outputs
    ]


@some_by_day("name", RUNNABLE, ["coreference"])
def test_the_outputs_stored_by_the_kernel_come_out(name, unpacked):
    cells = code(name)
    outputs_of = ran(unpacked, name)
    assert [comparable(each) for each in outputs_of] == [comparable(cell.outputs) for cell in cells]


TAGGED = [name for name in NAMES if run_chapter.tagged(BOOK / f"{name}.ipynb")]


@pytest.mark.proof
@pytest.mark.parametrize("name", TAGGED)
def test_a_tagged_cell_needs_what_its_tag_says(name, unpacked):
    tags = [[t for t in cell.metadata.get("tags", []) if "needs-" in t] for cell in code(name)]
    for tagged, outputs in zip(tags, ran(unpacked, name), strict=True):
        lacking = [each["evalue"] for each in outputs if each.get("ename", "")[:6] == "Module"]
        assert lacking == [f"No module named '{tag.removeprefix('needs-')}'" for tag in tagged]


@pytest.mark.proof
def test_outputs_follow_the_rules_of_the_kernel(unpacked):
    """Those of the chapters, and more: compared with a kernel's own."""
    sources = [
        "1\n2",
        "3;",
        "x = 1",
        "print('a', end='')\nprint('b')",
        "from IPython.display import Markdown as M, display\nprint(1)\ndisplay(M('a'))\nprint(2)",
        "class Both:\n    def _repr_html_(self): return '<b>1</b>'\n    __repr__ = lambda _: '1'",
        "Both()",
        "import inspect\nprint(inspect.getsource(Both))",
        "Both()\nNone",
        "_",
        "def divide(a):\n    return 1 / a",
        "import sys\nprint('out')\nprint('err', file=sys.stderr)\ndivide(0)",
        "x +",
        "nothing",
    ]
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, kernel_name="python3", allow_errors=True).execute()
    in_browser = in_turn(unpacked, sources)
    for source, cell, outputs in zip(sources, notebook.cells, in_browser, strict=True):
        assert errors_apart(comparable(outputs)) == errors_apart(comparable(cell.outputs)), source


def errors_apart(outputs: list[dict]) -> list[dict]:
    """Without colours, and without the file of a syntax error, which the kernel names anew."""
    for output in outputs:
        if output["output_type"] == "error":
            output["traceback"] = re.sub(r"\x1b\[[\d;]*m", "", "\n".join(output["traceback"]))
            output["evalue"] = output["evalue"].partition(" (")[0]
    return outputs


@pytest.mark.parametrize("module", [playground, run_chapter])
def test_an_archive_has_the_same_bytes_each_time(module, tmp_path):
    one, two = tmp_path / "one.zip", tmp_path / "two.zip"
    module.write_sources(one)
    module.write_sources(two)
    assert one.read_bytes() == two.read_bytes()


def test_the_archives_have_every_source_and_licence(unpacked):
    for path in [*(ROOT / "corefeval").rglob("*.py"), ROOT / "data" / "vilain1995.toml"]:
        assert (unpacked / path.relative_to(ROOT)).read_bytes() == path.read_bytes()
    names = [path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*LICENSE*")]
    for package in run_chapter.KERNEL:
        assert [name for name in names if name.lower().startswith(package.lower())]


# The page


class Chapter(RunningPage):
    """A chapter's page in a browser."""

    def press(self, name: str) -> None:
        self.view.get_by_role("button", name=name, exact=True).click()

    def focus(self, number: int) -> None:
        """Put the cursor into a cell's code."""
        self.view.get_by_role("textbox", name=f"Code of cell {number}", exact=True).focus()

    def run_all(self) -> None:
        """Press the button, and wait until all has run."""
        self.press("Run this chapter")
        self.wait_for_the_end()

    def wait_for_the_end(self) -> None:
        ended = "/It took|failed|could not/.test(document.getElementById('run-status').textContent)"
        self.view.wait_for_function(ended)

    @property
    def status(self):
        return self.view.locator("#run-status")

    def expect_as_in_the_book(self, same: int, count: int) -> None:
        summary = rf"^{same} of {count} outputs are as in the book\b"
        expect(self.status).to_have_text(re.compile(summary))

    def cell(self, number: int):
        return self.view.locator("article div.cell").nth(number - 1)

    def both(self, number: int):
        """The book's output of a cell, and the one made here."""
        return self.cell(number).locator(".run-both > section")

    def mark(self, number: int):
        """What stands beside a cell: whether its output is the book's."""
        return self.cell(number).locator(".run-mark")

    def here(self, number: int):
        """The output of a cell that was made here, beside the book's."""
        return self.both(number).nth(1)

    def type(self, number: int, source: str) -> None:
        """Replace the code of a cell, from the keyboard."""
        self.focus(number)
        self.view.keyboard.press("Control+A")
        for at, line in enumerate(source.split("\n")):
            if at:
                self.view.keyboard.press("Enter")
            self.view.keyboard.insert_text(line)

    def run_typed(self) -> None:
        """Press Shift+Enter, and wait until that has run."""
        self.forget()
        self.view.keyboard.press("Shift+Enter")
        self.wait_for_the_end()

    def forget(self) -> None:
        """Take away what was said of the run before, which would pass for the next one's end."""
        self.view.evaluate("document.getElementById('run-status').textContent = ''")


@some_by_day("name", RUNNABLE, [], IN_BROWSER)
def test_every_output_is_as_in_the_book(name, site, browser):
    count = len(code(name))
    with Chapter(browser, f"{site}{name}.html") as page:
        # Python starts when somebody is about to press the button, and once.
        assert page.view.workers == []
        with page.view.expect_worker():
            page.view.hover("#run-all")
        page.run_all()
        page.expect_as_in_the_book(count, count)
        marks = page.view.locator("article div.cell .run-mark")
        expect(marks).to_have_text(["✓ As in the book."] * count)
        assert len(page.view.workers) == 1


WATCH = """() => {
    window.seen = [];
    const all = document.getElementById('run-all');
    new MutationObserver(() => seen.push(all.textContent)).observe(all, {childList: true});
}"""


@pytest.fixture(scope="module")
def opened(site, browser):
    """A chapter that was run; each test below types what it needs."""
    with Chapter(browser, f"{site}b-cubed.html") as page:
        page.view.evaluate(WATCH)
        page.run_all()
        yield page


def test_a_changed_cell_shows_both_outputs(opened):
    opened.type(4, "print('mine')\nif True:\nprint('indented')")
    expect(opened.mark(4)).to_have_text("Changed: no longer the book's. Not run yet.")
    opened.run_typed()
    expect(opened.status).to_contain_text("as in the book, code changed: cell 4.")
    expect(opened.mark(4)).to_contain_text("Changed: no longer the book's. ≠")
    expect(opened.both(4).first).to_contain_text("0.8571 (6/7)")
    expect(opened.here(4).locator("pre")).to_have_text(re.compile(r"^\s*mine\s+indented\s*$"))


def test_an_error_is_shown_as_jupyter_shows_it(opened):
    opened.type(4, "1 / 0")
    opened.run_typed()
    traceback = re.compile(r"Cell In\[\d+\], line 1\s+----> 1 1 / 0\s+ZeroDivisionError: division")
    expect(opened.cell(4).locator(".run-both .traceback")).to_have_text(traceback)


def test_what_is_printed_is_not_taken_for_markup(opened):
    opened.type(4, "print('<img src=x onerror=\"document.title = 1\">')")
    opened.run_typed()
    expect(opened.here(4)).to_contain_text("<img src=x")
    expect(opened.here(4).locator("img")).to_have_count(0)


def test_a_changed_example_changes_later_outputs(opened):
    opened.type(7, code("b-cubed")[6].source.replace("key", '"{1 2}"'))
    opened.run_typed()
    expect(opened.both(7).first).to_contain_text("recall 1, precision 9/10")
    expect(opened.here(7)).to_contain_text("recall 1, precision 1/10")


def test_a_changed_drawing_opens_in_the_playground_too(opened):
    picture = 'draw.row([draw.overlap("{a b}", "{a} {b}"), draw.overlap("{c}", "")], ["A", "B"])'
    opened.type(4, f"from corefbook import draw\n{picture}")
    opened.run_typed()
    links = opened.cell(4).locator(".run-both .to-playground a")
    expect(links).to_have_text(["A", "B"])
    for at, sides in enumerate([("{a b}", "{a} {b}"), ("{c}", "")]):
        state = urlencode({"key": sides[0], "response": sides[1]})
        expect(links.nth(at)).to_have_attribute("href", f"playground.html#{state}")


def test_a_reset_cell_is_the_books_again(opened):
    opened.type(7, "print('mine')")
    opened.run_typed()
    expect(opened.here(7)).to_contain_text("mine")
    opened.press("Reset cell 7")
    expect(opened.mark(7)).to_have_text("✓ As in the book.")
    expect(opened.both(7)).to_have_count(0)


def test_an_endless_loop_can_be_stopped(opened):
    opened.type(4, "while True: pass")
    opened.view.keyboard.press("Shift+Enter")
    expect(opened.mark(4)).to_contain_text("Runs.")
    opened.view.evaluate("document.title = 'the page answers'")
    opened.press("Stop")
    expect(opened.status).to_contain_text("Stopped")
    expect(opened.mark(4)).to_contain_text("Not run.")
    expect(opened.view.locator("#run-all")).to_be_focused()

    opened.press("Reset")
    expect(opened.mark(4)).to_have_text("")
    expect(opened.view.locator(".run-both")).to_have_count(0)
    # A single cell of a new session is run after those that it needs.
    opened.focus(4)
    opened.run_typed()
    opened.expect_as_in_the_book(4, len(code("b-cubed")))
    for number in (1, 2, 3, 4):
        expect(opened.mark(number)).to_have_text("✓ As in the book.")
    expect(opened.mark(5)).to_have_text("")


def test_the_running_page_is_accessible_and_narrow(opened):
    opened.type(4, "print('mine' * 99)")
    opened.run_typed()
    expect(opened.here(4)).to_contain_text("minemine")
    assert inaccessible(opened.view) == []
    opened.assert_fits()


def test_a_falsified_output_is_seen(site, browser):
    def falsified(route):
        answer = route.fetch()
        assert "0.8571 (6/7)" in answer.text()
        route.fulfill(response=answer, body=answer.text().replace("0.8571 (6/7)", "0.7143 (5/7)"))

    count = len(code("b-cubed"))
    different = f"{count - 1} of {count} outputs are as in the book, different: cell 4."
    with Chapter(browser, f"{site}index.html") as page:
        page.view.route(re.compile(r"b-cubed\.(html|ipynb)$"), falsified)
        page.view.goto(f"{site}b-cubed.html")
        page.run_all()
        expect(page.status).to_contain_text(different)
        expect(page.both(4).first).to_contain_text("0.7143 (5/7)")
        expect(page.here(4)).to_contain_text("0.8571 (6/7)")


@pytest.mark.proof
@pytest.mark.parametrize("name", MISSING)
def test_a_chapter_says_what_it_needs(name):
    packages = run_chapter.missing(BOOK / f"{name}.ipynb")
    left = sum(map(bool, packages))
    page = parsed(f"{name}.html")
    if 2 * left > len(packages):
        (said,) = page.xpath("//p[@class='run-chapter-not']")
        reason = f"{left} of the {len(packages)} cells of this chapter need {MISSING[name]}"
        assert said.text_content().startswith(reason) and not page.xpath("//*[@id='run-all']")
        return
    (bar,) = page.xpath("//*[@id='run-chapter']")
    assert bar.get("data-lacks") == MISSING[name]
    said = f"Runs {len(packages) - left} of {len(packages)} cells"
    assert said in bar.text_content() and f"the others need {MISSING[name]}" in bar.text_content()


MOSTLY = ["rewards", "errors", "lost-text"]


@some_by_day("name", MOSTLY, ["errors"], [])
def test_only_cells_that_need_more_are_omitted(name, site, browser):
    packages = run_chapter.missing(BOOK / f"{name}.ipynb")
    count, left = len(packages), sum(map(bool, packages))
    assert 0 < left < count
    marks_of = [f"Left out: it needs {p}, " if p else "✓ As in the book." for p in packages]
    with Chapter(browser, f"{site}{name}.html") as page:
        expect(page.status).to_contain_text(f"Runs {count - left} of {count} cells in your browser")
        page.run_all()
        marks = page.view.locator("article div.cell .run-mark")
        expect(marks).to_have_text([re.compile(f"^{each}") for each in marks_of])
        page.expect_as_in_the_book(count - left, count)
        expect(page.status).to_contain_text(f"as in the book, {left} left out. It took")


def test_cells_below_a_changed_one_run_too(opened):
    opened.press("Reset")
    opened.focus(4)
    opened.run_typed()
    opened.forget()
    opened.press("Run from cell 4 on")
    opened.wait_for_the_end()
    count = len(code("b-cubed"))
    opened.expect_as_in_the_book(count, count)


def expect_code(view, cell, source: str) -> None:
    """Wait until a cell's code is this, its blanks and lines, too."""
    view.wait_for_function(
        "([cell, source]) => cell.innerText.trimEnd() === source.trimEnd()",
        arg=[cell.element_handle(), source],
    )


def test_colons_in_comments_and_texts_do_not_indent(opened):
    opened.type(4, "# the scores:\nx = 'a:'  # so:\nif x:\ny = 1")
    pre = opened.cell(4).locator(".cell_input pre")
    expect_code(opened.view, pre, "# the scores:\nx = 'a:'  # so:\nif x:\n    y = 1")


def test_the_bar_counts_the_cells_that_are_done(opened):
    """What it said while the chapter was run for the first time."""
    count = len(code("b-cubed"))
    counts = [f"{done} of {count} cells done" for done in range(1, count + 1)]
    wanted = [*counts, "Run all again"]
    assert settled(opened.view, f"seen.slice(1, {count + 2})", wanted) == wanted


def test_typed_code_has_the_books_colours(opened):
    # The page indents the line below a colon, a comment behind it or not.
    opened.type(4, "def f(x):  # why\nreturn 'text' + str(12)")
    opened.view.get_by_role("button", name="Run cell 1", exact=True).focus()
    pre = opened.cell(4).locator(".cell_input pre")
    expect_code(opened.view, pre, "def f(x):  # why\n    return 'text' + str(12)")
    words_of = {"k": ["def", "return"], "s2": ["'text'"], "mi": ["12"], "c1": ["# why"]}
    for kind, words in words_of.items():
        expect(pre.locator(f".{kind}")).to_have_text(words)


PRINTABLE = "".join(map(chr, range(32, 127)))


def pressed(page: Chapter, *keys: str) -> None:
    for key in keys:
        page.view.keyboard.press(key)


def test_every_key_reaches_a_cell(opened):
    """With a click and one key after another: what sets the text passes by the page's shortcuts."""
    cell = opened.view.locator("article div.cell .cell_input pre:visible").first
    cell.click()
    pressed(opened, "Control+A", "Delete")
    for sign in PRINTABLE:
        opened.view.keyboard.type(sign)
    expect_code(opened.view, cell, PRINTABLE)
    pressed(opened, "Control+A", "Backspace")
    opened.view.keyboard.type("if 1/2:")
    pressed(opened, "Enter")
    opened.view.keyboard.type("y = 3 / 4")
    pressed(opened, "Home", "Delete", "Delete", "End", "Backspace")
    opened.view.keyboard.type("8")
    expect_code(opened.view, cell, "if 1/2:\n  y = 3 / 8")
    pressed(opened, "ArrowUp", "End", "ArrowLeft", "Backspace")
    opened.view.keyboard.type("5")
    pressed(opened, "Shift+ArrowLeft", "Control+X", "Control+V", "Control+V")
    expect_code(opened.view, cell, "if 1/55:\n  y = 3 / 8")
    pressed(opened, "Control+Z")
    expect_code(opened.view, cell, "if 1/5:\n  y = 3 / 8")


def test_a_division_that_is_typed_is_run(opened):
    opened.cell(4).locator(".cell_input pre").click()
    pressed(opened, "Control+A")
    opened.view.keyboard.type("from fractions import Fraction\nprint(1/8, Fraction(3) / 4, 7 // 2)")
    opened.run_typed()
    expect(opened.here(4).locator("pre")).to_have_text(re.compile(r"^\s*0\.125 3/4 3\s*$"))
