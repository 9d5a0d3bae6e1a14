"""Tests of a table: what fails is named, row by row."""

import pytest
from rows import every_row


def test_failing_rows_are_named_and_others_tried():
    tried = []

    @every_row("number, square", lambda: [(1, 1), (2, 5), (3, 9), (4, 15)])
    def wrong(number, square, tried):
        tried.append(number)
        assert number * number == square

    with pytest.raises(AssertionError) as error:
        wrong(tried=tried)
    said = str(error.value)
    assert said.startswith("2 of 4 rows fail:\n(2, 5): AssertionError(")
    assert "\n(4, 15): AssertionError(" in said
    assert "(1, 1)" not in said and "(3, 9)" not in said
    assert tried == [1, 2, 3, 4]


def test_a_table_without_rows_fails():
    @every_row("value", [])
    def never(value):
        raise NotImplementedError

    with pytest.raises(AssertionError, match="the table has no row"):
        never()
