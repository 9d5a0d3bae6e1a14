"""Tests of a table: one test tries every row, and names each row that fails.

ROWS=ceaf in the environment tries those rows alone that have this word; without one, a test is
skipped.
"""

import inspect
import os
from functools import wraps

import pytest


def every_row(names, rows):
    """Call a test with each row of a table, as `pytest.mark.parametrize` does, but in one test.

    ``names``: what the test calls the columns; of a single column a row is the value itself.
    ``rows``: the table, or a function that makes it, which is called when the test is run. There
    `pytest.param` gives a row an id. A fixture is made once for all rows. An empty table fails.
    """
    columns = names.split(", ")

    def of_one_row(test):
        @wraps(test)
        def of_all(**fixtures):
            table = [*(rows() if callable(rows) else rows)]
            assert table, "the table has no row"
            failed = []
            wanted = os.environ.get("ROWS", "")
            tried = [row for row in table if wanted in str(row)]
            if not tried:
                pytest.skip(f"no row has {wanted}")
            for row in tried:
                if isinstance(row, type(pytest.param())):
                    row, values = row.id or row.values, row.values
                else:
                    values = [row] if len(columns) == 1 else row
                try:
                    test(**dict(zip(columns, values, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception) as error:
                    failed.append((row, error))
            if failed:
                said = [f"{row}: {error!r}" for row, error in failed]
                message = "\n".join([f"{len(failed)} of {len(table)} rows fail:", *said])
                raise AssertionError(message) from failed[0][1]

        signature = inspect.signature(test)
        fixtures = [each for name, each in signature.parameters.items() if name not in columns]
        of_all.__signature__ = signature.replace(parameters=fixtures)
        return of_all

    return of_one_row
