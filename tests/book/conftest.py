"""The book as a site and in a browser. Without a book of these sources one test says so, in a line,
and those of its pages are left out.

A file that is named on the command line is run nevertheless.
"""

import os
import shutil
from contextlib import ExitStack
from functools import cache

import built
import pytest
from serving import served

fault = cache(built.fault)
CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
# Without these Chromium looks up its maker's hosts at every start.
QUIET = ["background-networking", "component-update", "sync", "quic"]


def pytest_ignore_collect(collection_path):
    other = collection_path.suffix == ".py" and collection_path.name != "test_built.py"
    return True if other and fault() else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """What a browser says takes half of all the time: by day it says one thing of some pages."""
    for item in items:
        if "browser" not in getattr(item, "fixturenames", ()):
            continue
        item.add_marker("browser")
        if not item.get_closest_marker("by_day") and not item.get_closest_marker("release"):
            item.add_marker("proof")
    # Pages are dealt one by one, so that all workers are done at the same time if pages come last.
    items.sort(key=lambda item: item.path.name == "test_walks.py")


@pytest.fixture(scope="session")
def site():
    with served() as address:
        yield address


class Tabs:
    """Opens pages as tabs of one window: what they share is asked for and compiled once.

    A tab that has options of its own, such as a touch screen, has a window of its own.
    """

    def __init__(self, chromium, site: str) -> None:
        self.chromium = chromium
        self.window = chromium.new_context()
        # While it is open, the process that has compiled the scripts stays.
        self.first = self.window.new_page()
        self.first.goto(f"{site}_static/logo.svg")

    def new_page(self, viewport=None, reduced_motion=None, **others):
        if others:
            given = {"viewport": viewport, "reduced_motion": reduced_motion} | others
            return self.chromium.new_page(
                **{name: value for name, value in given.items() if value is not None}
            )
        self.forget()
        page = self.window.new_page()
        page.emulate_media(reduced_motion=reduced_motion)
        if viewport:
            page.set_viewport_size(viewport)
        return page

    def forget(self) -> None:
        """Each test begins as a reader does who was never here."""
        self.first.evaluate("localStorage.clear()")
        self.window.clear_permissions()
        self.window.clear_cookies()


@pytest.fixture(scope="session")
def browser(site):
    if not CHROMIUM and "CI" not in os.environ:
        pytest.skip("no Chromium on this machine: the pages are not looked at in a browser")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=30_000)  # five seconds are few on a busy machine
    arguments = ["--no-sandbox", *(f"--disable-{each}" for each in QUIET)]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield Tabs(chromium, site)
        chromium.close()


@pytest.fixture
def tab(browser):
    """Opens an address in a tab of its own, which is closed after the test."""
    with ExitStack() as opened:

        def tab(address=None, **options):
            page = browser.new_page(**options)
            opened.callback(page.close)
            if address:
                page.goto(address)
            return page

        yield tab
