"""A chapter is a notebook: it shows all that its page shows, and it can be changed."""

import ast
import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import nbformat
import pytest
from corefbook.checks import DIGITS, SHARES, WORDS
from corefbook.evidence.fold import file_of
from lxml import html
from nbconvert import HTMLExporter
from rows import every_row
from stored import BOOK, CHAPTERS, code_cells, names, stored
from test_book import HTML

LEAST_VISIBLE = 0.85
HIDDEN = {"hide-input", "hide-cell", "remove-input", "remove-cell"}


class Chapter(NamedTuple):
    """A notebook's cells, by what a reader sees of them."""

    name: str
    text: list[str]
    visible: list[str]
    code: list[str]
    answers: list[str]
    captions: list[str]


def read(notebook: nbformat.NotebookNode, name: str) -> Chapter:
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return Chapter(
        name,
        [cell.source for cell in notebook.cells if cell.cell_type == "markdown"],
        [cell.source for cell in code if not HIDDEN & {*cell.metadata.get("tags", [])}],
        [cell.source for cell in code],
        [cell.source for cell in code if "answer" in cell.metadata.get("tags", [])],
        [piece for cell in code[:-1] for piece in captions(cell)],
    )


LEAST_WORDS = 3
"""A shorter text of a cell may stand in its caption by chance."""
CAPTIONS = ".//figcaption | .//caption | .//p/strong"


def captions(cell: nbformat.NotebookNode) -> list[str]:
    """What is typed in a cell of the captions and titles that it shows; the rest is computed."""
    shown = [each.data["text/html"] for each in cell.outputs if "text/html" in each.get("data", {})]
    marked = [
        " ".join(node.text_content().split())
        for page in shown
        for node in html.fromstring(f"<div>{page}</div>").xpath(CAPTIONS)
    ]
    constants = [
        node.value
        for node in sorted(filter(is_text, ast.walk(ast.parse(cell.source))), key=place)
        if len(node.value.split()) >= LEAST_WORDS
    ]
    typed = [words for words in (" ".join(each.split()) for each in constants) if words]
    pieces = (" ".join(each for each in typed if each in caption) for caption in marked)
    return [piece for piece in pieces if piece]


def place(node: ast.AST) -> tuple[int, int]:
    return node.lineno, node.col_offset


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@cache
def load(path: Path) -> Chapter:
    return read(stored(path), path.stem)


def made(*cells: str | tuple[str, str]) -> Chapter:
    """A chapter for the tests of the tests: texts begin with #, hidden code is a pair."""
    new = nbformat.v4
    nodes = [
        new.new_code_cell(cell[0], metadata={"tags": [cell[1]]})
        if isinstance(cell, tuple)
        else new.new_markdown_cell(cell)
        if cell.startswith("#")
        else new.new_code_cell(cell)
        for cell in cells
    ]
    return read(new.new_notebook(cells=nodes), "made")


each_chapter = every_row("path", CHAPTERS)


# Nothing that only the book's builder understands


ROLE = re.compile(r"\{([\w:-]+)\}`|^\s*(?::::+|```+)\{([\w:-]+)\}", re.MULTILINE)
UNDERSTOOD = {"exercise", "solution", "admonition", "note", "tip", "important"}


def unresolved(chapter: Chapter) -> set[str]:
    texts = [re.sub(r"(?<!\})`[^`\n]+`", "", text) for text in chapter.text]  # inline code
    roles = {name for text in texts for match in ROLE.findall(text) for name in match}
    glued = {"glue"} if any("glue" in source for source in chapter.code) else set()
    return roles - UNDERSTOOD - {""} | glued


@each_chapter
def test_no_role_is_left_unresolved(path):
    assert unresolved(load(path)) == set()


@pytest.mark.parametrize(
    "cell", ["# {glue:text}`x`", "# See {ref}`x`", "#\n```{table}\n```", "from myst_nb import glue"]
)
def test_an_unresolved_role_is_noticed(cell):
    assert unresolved(made(cell))


# What is folded


EVIDENCE = "evidence"
"""The call that proves and does not teach."""
PRESENTS = {
    "Table",
    "scores",
    "matrix",
    "compared",
    "ledger.ticked",
    "ledger.as_printed",
    "beside_printed",
}
"""Calls that make a table of what is there; `draw` and charts make pictures."""
PICTURES = ("draw", "drawing", "living", "pyplot", "axes", "figure", "Picture", "story")


def called(node: ast.AST) -> str:
    """The dotted name that an expression begins with, calls between its parts left out."""
    if isinstance(node, ast.Call):
        return called(node.func)
    if isinstance(node, ast.Attribute):
        return f"{called(node.value)}.{node.attr}".lstrip(".")
    return node.id if isinstance(node, ast.Name) else ""


def last_call(source: str) -> str:
    statements = ast.parse(source).body
    last = statements[-1] if statements else None
    return called(last.value) if isinstance(last, ast.Expr) else ""


def proves(source: str) -> bool:
    return last_call(source) == EVIDENCE


def only_shows(source: str) -> bool:
    """Whether a cell makes a table or a picture, and scores and defines nothing."""
    last = last_call(source)
    calls = {called(n) for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Call)}
    defines = any(isinstance(n, ast.FunctionDef) for n in ast.walk(ast.parse(source)))
    picture = last.startswith(PICTURES)
    return (last in PRESENTS or picture) and not defines and not calls & {"metric", "evaluate"}


def tried(source: str) -> bool:
    return last_call(source) == "attempt"


def visible_share(chapter: Chapter) -> float:
    """Of the lines that define, derive or score, how many are in sight."""
    teach = [x for x in chapter.code if not (proves(x) or only_shows(x) or x in chapter.answers)]
    lines = {source: sum(bool(x.strip()) for x in source.splitlines()) for source in teach}
    return sum(lines[x] for x in teach if x in chapter.visible) / (sum(lines.values()) or 1)


@each_chapter
def test_little_that_derives_is_folded(path):
    assert visible_share(load(path)) >= LEAST_VISIBLE


@each_chapter
def test_a_fold_holds_evidence_display_or_an_answer(path):
    chapter = load(path)
    folded = [x for x in chapter.code if x not in [*chapter.visible, *chapter.answers]]
    assert [x for x in folded if not (proves(x) or only_shows(x))] == []


@each_chapter
def test_evidence_is_folded(path):
    assert [source for source in load(path).visible if proves(source)] == []


def folds(chapter: Chapter) -> int:
    return sum(map(proves, chapter.code))


@each_chapter
def test_a_chapter_ends_with_its_evidence(path):
    chapter = load(path)
    call = f'evidence("{chapter.name}", globals())'
    assert chapter.code[-1] == f"from corefbook.evidence import evidence\n\n{call}"
    assert folds(chapter) == 1


def test_a_second_fold_is_noticed():
    assert folds(made("x = 1", "evidence('made')", "evidence('made', sentences=[])")) == 2


def test_a_fold_that_derives_is_noticed():
    deriving = "def muc(key):\n    return 1\nTable([muc(key)])"
    for source in ("x = 1", deriving, "metric('muc')(key, response)"):
        assert not proves(source) and not only_shows(source)
    assert only_shows("rows = [1]\nTable(rows)") and only_shows("draw.overlap(a, b).captioned('c')")
    assert proves("x = 1\nevidence('muc')")
    assert visible_share(made("a = 1", ("b = 2\nc = 3", "hide-input"))) == 1 / 3


# Answers


def in_exercises(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """The code cells between the heading of the exercises and the next one."""
    inside, cells = False, []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for heading in re.findall(r"^## (.*)$", cell.source, re.MULTILINE):
                inside = heading == "Exercises"
        elif inside:
            cells.append(cell)
    return cells


@each_chapter
def test_answers_are_hidden_and_stubs_are_visible(path):
    for cell in in_exercises(stored(path)):
        tags = cell.metadata.get("tags", [])
        assert tried(cell.source) or {"hide-cell", "answer"} <= {*tags}, cell.source


@each_chapter
def test_a_stub_is_stored_as_not_yet_right(path):
    for cell in (each for each in code_cells(path) if tried(each.source)):
        assert cell.outputs[0].data["text/plain"].startswith("Not yet")


def from_hidden(chapter: Chapter) -> set[str]:
    """The names that a visible cell takes from hidden ones."""
    hidden = [source for source in chapter.code if source not in chapter.visible]
    only_hidden = set().union(*(names(source)[0] for source in hidden))
    taken = set()
    for source in chapter.visible:
        binds, uses = names(source)
        only_hidden -= binds
        taken |= uses & only_hidden
    return taken


@each_chapter
def test_no_visible_cell_needs_a_hidden_one(path):
    assert from_hidden(load(path)) == set()


def test_a_name_of_hidden_cells_alone_is_noticed():
    hidden = ("import math as m\nfrom a import b as c\nd = 1\ndef e(): pass", "hide-input")
    assert from_hidden(made(hidden, "m.pi + c", "d", "e()")) == {"m", "c", "d", "e"}
    assert from_hidden(made(hidden, "import m", "d = c = 2", "m.pi + c", "[d for d in c]")) == set()
    assert from_hidden(made(hidden, "d", "d = 1")) == {"d"}


RUN = """
import json, sys
space = {"__name__": "__main__", "display": print}
for source in json.load(sys.stdin):
    exec(compile(source, "cell", "exec"), space)
"""


def fault(cells: list[str]) -> str:
    """What stops the cells, run one after the other, or nothing."""
    environment = {name: value for name, value in os.environ.items() if name != "COREFEVAL_BOOK"}
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        input=json.dumps(cells),
        cwd=BOOK,
        env=environment | {"MPLBACKEND": "agg"},
        text=True,
        capture_output=True,
    )
    return done.stderr if done.returncode else ""


def test_a_name_from_a_hidden_cell_is_noticed():
    chapter = made(("a = 1", "hide-input"), "print(a)")
    assert "NameError" in fault(chapter.visible)
    assert fault(chapter.code) == ""


# Examples can be changed


EXAMPLE = re.compile(r"(\{)([^{}\n\"':]+)(\})")


def changed(cells: list[str]) -> list[str]:
    """The cells with one more mention in the first entity that is typed in them."""
    for number, source in enumerate(cells):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                new = EXAMPLE.sub(r"\1\2 another\3", node.value, count=1)
                if new != node.value and node.value in source:
                    return [*cells[:number], source.replace(node.value, new), *cells[number + 1 :]]
    return cells


def with_an_example(wanted: bool) -> list[Path]:
    """The chapters whose visible cells have an example to change, or those that have none."""
    return [
        path for path in CHAPTERS if wanted == (load(path).visible != changed(load(path).visible))
    ]


@pytest.mark.proof
@every_row("path", lambda: with_an_example(True))
def test_visible_cells_run_alone_with_a_changed_example(path):
    assert fault(changed(load(path).visible)) == ""


# No visible cell takes a name from a hidden one, as is seen above without a run.
@pytest.mark.release
@every_row("path", lambda: with_an_example(False))
def test_visible_cells_without_an_example_run_alone(path):
    assert fault(load(path).visible) == ""


@pytest.mark.release
@each_chapter
def test_a_changed_example_does_not_stop_the_chapter(path):
    assert fault(changed(load(path).code)) == ""


def test_the_change_is_one():
    assert changed(["x = 1", 'key = "{a b} {c}"']) == ["x = 1", 'key = "{a b another} {c}"']
    assert "AssertionError" in fault(changed(['key = "{a}"', 'assert key == "{a}"']))


# Numbers in sentences


PIECES = [
    r"(?s)```.*?```|~~~.*?~~~",  # code
    r"`[^`]*`",
    r"(?s)\$\$.*?\$\$|\$[^$]*\$",  # formulas
    r"\[[^][]*(?:\[\d{4}\])?\]\(bibliography\.md#[^)]*\)",  # author and year
    r"\]\([^)]*\)",  # addresses
    r"“[^”]*”",  # quotations
    r"^>.*$",
    r"^#+ .*$",  # headings
    r"^:::+\{.*$|^:\w+:.*$",  # directives and their options
    r"\b(?:DEF|PROP|Figures?|Columns?|Table|Tables|Section|section|sections|row|rows|criterion|footnote"
    r"|page|pages|version|CoNLL|MUC|Python)[ .‑–-]*\d[\d.]*(?:(?:,| and| to|–) ?\d[\d.]*)*",
]
LONGEST_OBVIOUS = 12
"""A whole number up to this may stand in a sentence by itself."""


def held(chapter: Chapter) -> list[str]:
    """The pieces of sentences that the chapter's file holds against computed values.

    A chapter that a test has made has no file: it says in its last cell what is held.
    """
    file = BOOK / file_of(chapter.name)
    source = file.read_text("utf-8") if file.is_file() else chapter.code[-1]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.keyword) and node.arg == "sentences":
            assert isinstance(node.value, ast.List)
            return [sentence.elts[0].value for sentence in node.value.elts]
    return []


def plain(text: str) -> str:
    """Markdown as a reader sees it, with one blank between words."""
    text = re.sub(r"\]\([^)]*\)", "]", text)
    return " ".join(re.sub(r"[*_`\[\]]", "", text).split())


def whole(piece: str) -> re.Pattern[str]:
    """A piece as it stands in a text: no number at its end goes on."""
    return re.compile(rf"(?<!\d)(?<!\d[.,/]){re.escape(plain(piece))}(?!\d|[.,/]\d|%)")


def missing_pieces(chapter: Chapter) -> list[str]:
    """Held pieces that neither the text nor a text in a cell has, word for word."""
    in_cells = [
        node.value
        for source in chapter.code[:-1]
        for node in ast.walk(ast.parse(source))
        if is_text(node)
    ]
    text = plain("\n\n".join([*chapter.text, *chapter.captions, *in_cells]))
    return [piece for piece in held(chapter) if not whole(piece).search(text)]


def loose_numbers(chapter: Chapter) -> list[str]:
    """Numbers in sentences that nothing holds."""
    text = not_held("\n\n".join(chapter.text), chapter)
    digits = [number for number in DIGITS.findall(text) if not obvious(number)]
    return digits + SHARES.findall(text)


def not_held(text: str, chapter: Chapter) -> str:
    """What is left of a text without the pieces that are held, and what counts nothing."""
    for pattern in PIECES:
        text = re.sub(pattern, " ", text, flags=re.MULTILINE)
    text = plain(text)
    for piece in sorted(held(chapter), key=len, reverse=True):
        text = whole(piece).sub(" ", text)
    return text


NO_COUNT = {"one", "none", "single", "0/0"}
"""Words that mostly count nothing, and the name of a case."""


def loose_counts(chapter: Chapter) -> list[str]:
    """Counts in captions that nothing holds: a caption has few, so that none is obvious."""
    counts = []
    for caption in chapter.captions:
        text = not_held(caption, chapter)
        counts += [each for each in DIGITS.findall(text) + WORDS.findall(text)]
    return [each for each in counts if each.lower() not in NO_COUNT]


def obvious(number: str) -> bool:
    digits = number.strip("-−,")
    if digits == "0/0":  # no number, but the name of a case
        return True
    return digits.isdigit() and (int(digits) <= LONGEST_OBVIOUS or 1880 <= int(digits) <= 2030)


@each_chapter
def test_every_held_sentence_stands_in_the_chapter(path):
    assert held(load(path)) and missing_pieces(load(path)) == []


@each_chapter
def test_every_number_in_a_sentence_is_held(path):
    assert loose_numbers(load(path)) == []


@each_chapter
def test_every_count_in_a_caption_is_held(path):
    assert loose_counts(load(path)) == []


def test_a_loose_count_in_a_caption_is_noticed():
    source = "Table(head, rows, 'Two people, ' f'and {number} mentions.')"
    shown = "<table><caption>Two people, and 4 mentions.</caption></table>"
    cell = nbformat.v4.new_code_cell(source)
    cell.outputs = [nbformat.v4.new_output("display_data", {"text/html": shown})]

    def with_fold(fold: str) -> Chapter:
        cells = [cell, nbformat.v4.new_code_cell(fold)]
        return read(nbformat.v4.new_notebook(cells=cells), "made")

    assert loose_counts(with_fold("evidence('made')")) == ["Two"]
    held_now = with_fold("evidence('made', sentences=[('Two people', 2)])")
    assert loose_counts(held_now) == missing_pieces(held_now) == []


def test_a_loose_number_is_noticed():
    cells = (
        "# T\n\nIts recall is 3/4, its *precision* 0.5.",
        "evidence('made', sentences=[('is 3/4', 1)])",
    )
    assert loose_numbers(made(*cells)) == ["0.5"]
    assert missing_pieces(made(*cells)) == []
    assert missing_pieces(made("# T", cells[1])) == ["is 3/4"]
    folded = "evidence('made', sentences=[('is 3/4', 1)], listings=[len])"
    assert loose_numbers(made(cells[0], folded)) == ["0.5"]
    assert missing_pieces(made("# T", folded)) == ["is 3/4"]
    assert missing_pieces(made("# T", "title = 'It is 3/4.'", folded)) == []


def test_a_loose_share_is_noticed_an_ordinal_not():
    text = "# T\n\nA tenth of 3 is lost, or two thirds; it is more than a fifth, twice what a dozen"
    text += " costs. A third person reads a third favourite twice, in the third of five parts."
    fold = "evidence('made', sentences=[('A tenth', 1), ('two thirds', 1)])"
    assert loose_numbers(made(text, fold)) == ["a fifth", "twice", "dozen"]


def test_a_number_that_goes_on_is_another():
    fold = "evidence('made', sentences=[('is 3/4', 1), ('0.05', 1)])"
    assert missing_pieces(made("# T\n\nIt is 3/40, or 0.053.", fold)) == ["is 3/4", "0.05"]
    assert loose_numbers(made("# T\n\nIt is 3/40, or 0.053.", fold)) == ["3/40", "0.053"]
    assert missing_pieces(made("# T\n\nIt is 3/4. And 0.05, too.", fold)) == []


def test_formulas_code_and_quotations_are_no_loose_numbers():
    text = "# 1.5\n\n$3/4$ `0.5` “drops to 0.333” Table 14 in 1995, DEF. 11 and [x](a.html#b-13)"
    text += " [Luo [1723]](bibliography.md#luo-2005)"
    assert loose_numbers(made(text, "1")) == []


# The page and the notebook


NUMBER = re.compile(r"\d+(?:[.,/]\d+)*%?")


def numbers(text: str) -> set[str]:
    return set(NUMBER.findall(text))


def page_text(name: str) -> str:
    page = html.parse(HTML / f"{name}.html").getroot()
    (article,) = page.xpath("//article")
    for node in article.xpath(
        ".//script | .//style | .//*[contains(@class, 'headerlink')] | .//*[contains(@class,"
        " 'section-number')] | .//*[@class='citation'] | .//*[contains(@class, 'bibtex')]"
        " | .//*[contains(@class, 'reference internal')]"
        " | .//*[contains(@class, 'admonition-title')] | .//*[@id='run-chapter']"
        " | .//*[@class='run-chapter-not']"
    ):
        node.drop_tree()
    return article.text_content()


@cache
def exporter() -> HTMLExporter:
    return HTMLExporter(template_name="basic", exclude_input=True)  # colouring code takes long


def notebook_text(path: Path) -> str:
    body, _ = exporter().from_notebook_node(stored(path))
    code = [cell.source for cell in code_cells(path)]
    return "\n".join([html.fromstring(body).text_content(), *code])


@pytest.mark.proof
@each_chapter
def test_the_notebook_has_every_number_of_the_page(path):
    assert numbers(page_text(path.stem)) - numbers(notebook_text(path)) == set()


def test_a_number_that_the_notebook_lacks_is_noticed():
    assert numbers("recall 5/6, and 77.8%") - numbers("precision 5/6") == {"77.8%"}
