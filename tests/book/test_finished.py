"""Short entities and names of tables are marked: the style sheet keeps each on one line."""

import finished


def test_short_entities_of_tables_are_marked():
    cell = "<td>{a b} {the_doctor his_opinion}</td>"
    marked = '<td><span class="entity">{a b}</span> {the_doctor his_opinion}</td>'
    for table in (
        '<table class="dataframe">{}</table>',
        '<table class="dataframe ledger">{}</table>',
    ):
        before, after = table.replace("{}", cell), table.replace("{}", marked)
        assert finished.kept_whole(before) == after


def test_names_with_a_number_are_kept_on_one_line():
    table = '<table class="dataframe"><td>{}</td><td>two-part words</td></table>'
    marked = table.format('<span class="entity">sara-3</span>')
    assert finished.kept_whole(table.format("sara-3")) == marked


def test_nothing_else_is():
    for html in ("<p>{a b}</p>", '<table class="docutils"><td>{a b}</td></table>'):
        assert finished.kept_whole(html) == html
