"""The same examples in every run, however slow the machine; what has moved is an error."""

import os
import sys

import pytest
from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "proof",
    derandomize=True,
    deadline=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow],
)
# Where everything has to be proved nothing is left out; see "markers" in pyproject.toml.
settings.register_profile("quick", settings.get_profile("proof"), max_examples=25)
settings.load_profile("proof" if os.environ.get("CI") else "quick")
# book/tools/mutants.py wants to know that an example fails, not which is the smallest.
settings.register_profile("mutants", settings.get_profile("proof"), phases=[Phase.generate])

# Kernels that nbval starts read it: see corefbook.checks.
os.environ["COREFEVAL_BOOK"] = "strict"

# jsonschema would build a grammar of addresses, a second in each process; no schema here asks.
sys.modules.setdefault("rfc3987_syntax", None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """A worker takes a file at a time, since its tests share their setup; pages go one by one."""
    from xdist.scheduler import LoadScopeScheduling

    class Dealt(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file = nodeid.partition("::")[0]
            return nodeid if file.endswith("test_walks.py") else file

    return Dealt(config, log)


@pytest.fixture
def without_scipy(monkeypatch):
    """As in the browser: who asks SciPy for an alignment is told that it is not there."""

    def absent(*_):
        raise ModuleNotFoundError("No module named 'numpy'")

    monkeypatch.setattr("corefeval.alignment._by_scipy", absent)
    monkeypatch.setattr("corefeval.alignment.EXACT_SIZE", 0)
