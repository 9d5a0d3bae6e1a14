"""How far the text of a page jumps while it loads."""

import threading
import time

import pytest
from serving import Quiet, served

MOST_SHIFT = 0.1
PHONE = {"width": 390, "height": 844}
LATENCY = 0.15
A_SECOND = 200_000
"""Seconds, and bytes: a page is in sight for a while before its scripts come."""


class Slow(Quiet):
    """A phone's line, which all files share. Chromium's own slow network stands still at times."""

    line = threading.Lock()

    def copyfile(self, source, outputfile):
        time.sleep(LATENCY)
        while part := source.read(A_SECOND // 20):
            with self.line:
                time.sleep(len(part) / A_SECOND)
            outputfile.write(part)


@pytest.fixture
def slow_site():
    with served(Slow) as address:
        yield address


# Jumps are added up as browsers do it: those less than a second apart, in at most five seconds.
SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => shifts.push(...list.getEntries()
  .filter(each => !each.hadRecentInput)
  .map(({startTime, value}) => [startTime, value])))
  .observe({type: 'layout-shift', buffered: true});
"""


def shift(tab, address: str) -> float:
    """How far what is in sight is pushed about while the page loads on a phone."""
    page = tab(viewport=PHONE, is_mobile=True, device_scale_factor=2)
    page.add_init_script(SHIFTS)
    # What a slow network takes is no fault of the page.
    page.goto(address, wait_until="load", timeout=120_000)
    page.wait_for_timeout(1000)
    return largest_burst(page.evaluate("shifts"))


def largest_burst(shifts: list[list[float]]) -> float:
    """The largest sum of jumps that follow each other within a second, in at most five."""
    largest = burst = 0.0
    began = before = -5000.0
    for start, value in shifts:
        if start - before >= 1000 or start - began >= 5000:
            burst, began = 0.0, start
        burst += value
        before = start
        largest = max(largest, burst)
    return largest


def test_text_stays_while_a_phone_loads(tab, slow_site, browser):
    for page in ("index", "muc", "ledger", "score-files"):
        assert shift(tab, f"{slow_site}{page}.html") <= MOST_SHIFT, page


def test_jumps_add_up_while_they_follow_each_other():
    assert largest_burst([]) == 0
    assert largest_burst([[100, 0.1], [900, 0.1], [3000, 0.15]]) == 0.2
    # A burst lasts five seconds at most.
    assert largest_burst([[i * 900, 0.5] for i in range(8)]) == 3
