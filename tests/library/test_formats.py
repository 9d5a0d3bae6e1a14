"""What systems write is read as it is: their own keys, files without names, folders, two formats."""

import numpy as np
import pytest

from corefeval import CorefError, Partition


def test_mentions_that_are_lists_or_rows_of_an_array_become_tuples():
    right = Partition([[(0, 5), (39, 42)], [(7, 7)]])
    assert Partition([[[0, 5], [39, 42]], [[7, 7]]]) == right
    assert Partition([np.array([[0, 5], [39, 42]]), np.array([[7, 7]])]) == right
    assert Partition([[[0, 5], [39, 42]], [(7, 7)]]) == right
    # The depth is what it is: two entities of two numbers each.
    assert Partition([[0, 5], [39, 42]]).sizes == [2, 2]
    assert Partition(np.array([[0, 5], [39, 42]])).sizes == [2, 2]
    for deep in ([[[0, [1]]]], [[[]], [[]]]), np.array([[[[0]]]]):
        with pytest.raises(CorefError):
            Partition(deep)
