"""What tests of the pages that take two files begin with."""

import pytest


@pytest.fixture
def without_scipy(monkeypatch):
    """As in the browser: who asks SciPy for an alignment is told that it is not there."""

    def absent(*_):
        raise ModuleNotFoundError("No module named 'numpy'")

    monkeypatch.setattr("corefeval.alignment._by_scipy", absent)
    monkeypatch.setattr("corefeval.alignment.EXACT_SIZE", 0)
