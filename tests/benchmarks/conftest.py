"""What was kept of earlier runs, printed beside what a run measures; KEEP=1 keeps the run."""

import json
import os
import platform
from pathlib import Path

import pytest

import corefeval

KEPT = Path(__file__).parents[2] / "data" / "costs" / "results.json"
MEASURED: dict[str, dict[str, float]] = {}
"""CPU seconds, and peak MB of what is a process of its own, by cost."""


@pytest.fixture(autouse=True)
def measured(benchmark):
    """Remember what a test took."""
    yield
    if benchmark.stats:
        seconds = {"cpu": round(benchmark.stats.stats.median, 6)}
        MEASURED[benchmark.params["cost"]] = seconds | benchmark.extra_info


def pytest_terminal_summary(terminalreporter):
    """A line a cost: now, and as kept."""
    if not MEASURED:
        return
    kept = json.loads(KEPT.read_text("utf-8"))
    terminalreporter.section("CPU seconds and peak MB, each with its ratio to what was kept")
    for name, found in MEASURED.items():
        before = kept["costs"].get(name, {})
        told = "".join(beside(found[part], before.get(part)) for part in found)
        terminalreporter.line(f"{name:<46}{told}")
    if os.environ.get("KEEP") == "1":
        kept["costs"] |= {name: {**found, "on": machine()} for name, found in MEASURED.items()}
        KEPT.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", "utf-8")
        terminalreporter.line("These are kept.")
    else:
        terminalreporter.line("Nothing was written: KEEP=1 keeps these.")


def beside(now: float, before: float | None) -> str:
    """A value, and how many times the kept one it is.

    >>> beside(3.0, 2.0), beside(3.0, None)
    ('     3.000 × 1.50', '     3.000 (new)')
    """
    return f"{now:>10.3f} × {now / before:.2f}" if before else f"{now:>10.3f} (new)"


def machine() -> str:
    """What the figures depend on; nothing that names this computer."""
    from cpuinfo import get_cpu_info

    cpu = get_cpu_info().get("brand_raw", platform.machine())
    return f"{cpu}, Python {platform.python_version()}, corefeval {corefeval.__version__}"
