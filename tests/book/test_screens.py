"""How long the built chapters are, and what fills them, as a browser first shows them."""

import nbformat
import pytest
from screens import HEIGHT, WIDTH, Extent, explained, extent, prose, total


@pytest.fixture
def page(tab):
    return tab(viewport={"width": WIDTH, "height": HEIGHT})


def test_an_open_fold_counts_as_what_it_holds(page, tmp_path):
    cell = "<div class='cell'><div class='cell_input'>{}</div></div>"
    body = "<article style='display:block'>{}<figure style='height: 100px'></figure></article>"
    evidence = cell.format("<pre>evidence('x')</pre><p style='height: 300px'></p>")
    (tmp_path / "made.html").write_text(body.format(evidence + cell.format("<pre>x = 1</pre>")))
    found = extent(page, "made", tmp_path)
    assert found.evidence > 300 and found.pictures == 100
    assert 0 < found.code < 100


def test_what_counts_as_a_picture_and_as_evidence(page, tmp_path):
    """Tables with colours are pictures, folded tables evidence; answers are neither."""
    cell = "<div class='cell {}'><div class='cell_output'>{}</div></div>"
    table = "<table style='height: 100px'><tr><td style='{}'>1</td></tr></table>"
    parts = [
        cell.format("", table.format("background-color: red")),
        cell.format("", table.format("text-align: right")),
        cell.format("tag_hide-cell", table.format("background-color: red")),
        cell.format("tag_hide-cell tag_answer", table.format("text-align: right")),
        cell.format("", "<iframe style='display: block; border: 0; height: 50px'></iframe>"),
    ]
    article = f"<!doctype html><article>{''.join(parts)}</article>"
    (tmp_path / "made.html").write_text(article)
    found = extent(page, "made", tmp_path)
    assert (found.count, found.pictures, found.evidence) == (2, 150, 100)


def test_chapters_add_up():
    assert total([Extent(900, 90, 9, 0), Extent(900, 0, 9, 9)]) == (1800, 90, 18, 9, 0, 0, 0)
    assert total([Extent(900), Extent(450)]).screens == 1.5
    assert Extent(900, 90).share("pictures") == 0.1
    assert total([Extent(count=1), Extent(count=2)]).count == 3


def test_words_of_explanation_are_the_prose_in_sight(tmp_path):
    new = nbformat.v4
    text = "# Title\n\nFor example, we see $x + y$ here.\n\n| a | b |\n|---|---|\n| so many words |"
    solution = ":::{solution} ex-1\n:class: dropdown\nNot to be seen at once.\n:::"
    cells = [
        new.new_markdown_cell(text),
        new.new_code_cell("x = 1\ny = 2"),
        new.new_code_cell("hidden = 3", metadata={"tags": ["hide-input"]}),
        new.new_markdown_cell(solution),
    ]
    nbformat.write(new.new_notebook(cells=cells), tmp_path / "made.ipynb")
    assert prose("made", tmp_path) == (2, 6, 1, 1, 0, 1)
    assert explained(text) == ["For example, we see formula here."]
