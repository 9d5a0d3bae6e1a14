"""The same examples in every run, however slow the machine; what has moved is an error."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from corefeval.cli import main

# What they assert is shown as what a test asserts.
pytest.register_assert_rewrite("alike", "messages")

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


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """A worker takes a file at a time, since its tests share their setup; pages go one by one."""
    from xdist.scheduler import LoadScopeScheduling

    def unfinished(work):
        """The scopes that have a test to run: with an empty one a worker would wait for ever."""
        return {scope: tests for scope, tests in work.items() if not all(tests.values())}

    class Dealt(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file = nodeid.partition("::")[0]
            return nodeid if file.endswith("test_walks.py") else file

        def remove_node(self, node):
            """A test that stopped its worker has failed: the next worker goes on behind it."""
            left = unfinished(self.assigned_work.pop(node))
            if not left:
                return None
            tests = next(iter(left.values()))
            stopped = next(test for test, done in tests.items() if not done)
            tests[stopped] = True
            self.workqueue.update(unfinished(left))
            for other in self.assigned_work:
                self._reschedule(other)
            return stopped

    return Dealt(config, log)


def pytest_collection_modifyitems(items):
    """What is tried before a release alone, such as a stranger's clone, may take its time."""
    for item in items:
        if item.get_closest_marker("release"):
            item.add_marker(pytest.mark.timeout(0))


@pytest.fixture
def without_scipy(monkeypatch):
    """As in the browser: who asks SciPy for an alignment is told that it is not there."""

    def absent(*_):
        raise ModuleNotFoundError("No module named 'numpy'")

    monkeypatch.setattr("corefeval.overlap.alignment._by_scipy", absent)
    monkeypatch.setattr("corefeval.overlap.alignment.EXACT_SIZE", 0)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Messages name files as they were given: a file name alone is short to test."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys):
    """Run the command in this process: exit code, standard output, standard error."""

    def run(*arguments: object) -> tuple[int, str, str]:
        code = main([*map(str, arguments)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def files(folder):
    """Writes a key and a response; their names."""

    def files(key, response):
        Path("key").write_bytes(key.encode())
        Path("response").write_bytes(response.encode())
        return "key", "response"

    return files
