"""What a page of the built book costs a reader: kilobytes, and how far its text jumps on a phone.

python book/tools/weights.py [PAGE …] prints a line a page: the kilobytes of all its requests,
packed as a server sends them, without Python, which a page loads once it is asked to compute; the
largest of these requests; and the shift of its layout (CLS) on a phone with a slow line.
"""

from __future__ import annotations

import gzip
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Playwright, Request, sync_playwright

HTML = Path(__file__).parents[1] / "_build" / "html"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PAGES = ("index", "muc", "errors", "measures/b3", "one-page", "ledger", "score-files", "search")
PACKED = (".html", ".css", ".js", ".mjs", ".json", ".svg", ".csv")
"""The files that servers pack; pictures and fonts are packed already."""
PYTHON = ("/pyodide/", ".zip")
PHONE = {"width": 390, "height": 844}
SLOW = {"latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 90_000, "offline": False}
"""Milliseconds, and bytes a second: a page is in sight for a while before its scripts come."""

# Jumps are added up as browsers do it: those less than a second apart, in at most five seconds.
SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => shifts.push(...list.getEntries()
  .filter(each => !each.hadRecentInput)
  .map(({startTime, value}) => [startTime, value])))
  .observe({type: 'layout-shift', buffered: true});
"""


def launched(playwright: Playwright) -> Browser:
    """The machine's own browser or, without one, Playwright's."""
    own = next(filter(None, map(shutil.which, BROWSERS)), None)
    return playwright.chromium.launch(executable_path=own, args=["--no-sandbox"])


class Packing(SimpleHTTPRequestHandler):
    """A server that packs text, as those do on which books are published."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if path.suffix not in PACKED or not path.is_file():
            return super().do_GET()
        body = gzip.compress(path.read_bytes(), mtime=0)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        return None

    def log_message(self, *_: object) -> None:
        pass


class Quiet(ThreadingHTTPServer):
    """A tab that is closed leaves requests behind."""

    def handle_error(self, *_: object) -> None:
        pass


@contextmanager
def served(folder: Path = HTML) -> Iterator[str]:
    """The address of the built book, from a server that packs."""
    server = Quiet(("127.0.0.1", 0), partial(Packing, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


class Weight(NamedTuple):
    """Kilobytes, how many requests, and the largest of them."""

    kilobytes: float
    requests: int
    largest: list[str]


def is_python(request: Request) -> bool:
    return any(part in urlsplit(request.url).path for part in PYTHON)


def weight(browser: Browser, address: str) -> Weight:
    """What a first visit asks for; nothing is in the browser's memory."""
    tab = browser.new_page()
    asked: list[Request] = []
    tab.on("requestfinished", lambda request: asked.append(request))
    tab.goto(address, wait_until="networkidle")
    sizes = {
        urlsplit(each.url).path: each.sizes()["responseBodySize"] / 1000
        for each in asked
        if each.url.startswith("http") and not is_python(each)
    }
    tab.close()
    by_size = sorted(sizes, key=lambda path: -sizes[path])
    largest = [f"{Path(path).name} {sizes[path]:.0f}" for path in by_size[:4]]
    return Weight(sum(sizes.values()), len(sizes), largest)


def shift(browser: Browser, address: str) -> float:
    """How far what is in sight is pushed about while the page loads on a phone."""
    tab = browser.new_page(viewport=PHONE, is_mobile=True, device_scale_factor=2)
    tab.add_init_script(SHIFTS)
    line = tab.context.new_cdp_session(tab)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", SLOW)
    tab.goto(address, wait_until="load")
    tab.wait_for_timeout(1000)
    found = tab.evaluate("shifts")
    tab.close()
    return largest_burst(found)


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


def main(chosen: list[str]) -> None:
    print(f"{'':24}{'KB':>7}{'requests':>10}{'shift':>8}  largest")
    with sync_playwright() as playwright, served() as site:
        browser = launched(playwright)
        for page in chosen or PAGES:
            found = weight(browser, f"{site}{page}.html")
            moved = shift(browser, f"{site}{page}.html")
            largest = ", ".join(found.largest)
            print(f"{page:24}{found.kilobytes:7.0f}{found.requests:10}{moved:8.3f}  {largest}")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
