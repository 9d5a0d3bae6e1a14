"""Without a book of these sources one test fails, in a line, and those of its pages are left out.

A file that is named on the command line is run nevertheless.
"""

from functools import cache

import built

fault = cache(built.fault)


def pytest_ignore_collect(collection_path):
    other = collection_path.suffix == ".py" and collection_path.name != "test_built.py"
    return True if other and fault() else None
