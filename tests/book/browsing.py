"""A page of the book in a browser, and what it takes to look at one.

What an action changes comes a moment later. So nothing that is read at once is asserted after one:
`expect` waits for it, and `settled` for what a script finds.
"""

import os
from typing import Any
from urllib.parse import urljoin

import pytest
from lxml import html
from playwright.sync_api import TimeoutError, expect
from test_book import HTML

NARROW = {"width": 360, "height": 740}
WIDE = {"width": 1200, "height": 900}
RUNS = (HTML / "_static" / "playground" / "corefeval.zip").is_file()
"""Whether pages can run code: npm was there when the book was built."""


def need(there: object = RUNS, reason: str = "the book was built without npm") -> None:
    """Skip where something is absent, but never where everything has to be proved."""
    if not there and "CI" not in os.environ:
        pytest.skip(reason)


READY = """async () => {
  await window.MathJax?.startup?.promise;
  await document.fonts.ready;
}"""


def visit(view, address: str) -> None:
    """Go there and wait until all that the page names has come, and formulas are set."""
    view.goto(address)
    view.evaluate(READY)


PATIENCE = 30_000
"""Milliseconds for what may come late; a page that is quick costs none of them."""


def settled(view, script: str, wanted: Any = ()) -> Any:
    """What a script finds once it finds what is wanted, or after some seconds."""
    same = f"wanted => JSON.stringify({script}) === JSON.stringify(wanted)"
    try:
        view.wait_for_function(same, arg=wanted, timeout=PATIENCE)
    except TimeoutError:
        return view.evaluate(script)
    return [*wanted] if isinstance(wanted, tuple) else wanted


def too_wide(view, width: int = NARROW["width"]) -> list[int]:
    """How wide the page is where it is wider than its screen."""
    widths = f"[document.documentElement.scrollWidth].filter(each => each > {width})"
    return settled(view, widths)


class Page:
    """A page in a browser, with all that it said of errors and all that it asked for.

    At the end of a ``with`` it is closed, and has been quiet if nothing else failed.
    """

    def __init__(self, browser, address: str, **options) -> None:
        self.follow(browser.new_page(**{"viewport": WIDE} | options), address)

    def follow(self, view, address: str) -> None:
        """Go there in a tab, and listen to what happens."""
        self.said, self.asked = [], []
        self.site = urljoin(address, "/")
        self.view = view
        self.view.on("console", lambda m: self.said.append(m.text) if m.type == "error" else None)
        self.view.on("pageerror", lambda error: self.said.append(str(error)))
        self.view.on("request", lambda request: self.asked.append(request.url))
        self.view.goto(address)

    def __enter__(self):
        return self

    def __exit__(self, *raised) -> None:
        self.view.close()
        if not any(raised):
            self.assert_quiet()

    def address(self) -> str:
        """The browser's own: Playwright hears a moment later of one that a script has changed."""
        return self.view.evaluate("location.href")

    def assert_quiet(self) -> None:
        """Nothing went wrong, and no other site was asked."""
        assert self.noise() == []

    def noise(self) -> list[str]:
        """What the browser said of errors, and what it asked of another site."""
        ours = (self.site, "data:", "blob:")
        return self.said + [url for url in self.asked if not url.startswith(ours)]

    def assert_fits(self) -> None:
        """It is no wider than a phone."""
        self.view.set_viewport_size(NARROW)
        assert too_wide(self.view) == []


class RunningPage(Page):
    """A page that runs code: the interpreter may take long to start."""

    def __init__(self, browser, address: str, **options) -> None:
        need()
        super().__init__(browser, address, **options)
        self.view.set_default_timeout(90_000)


VALUES = """() => Object.fromEntries(
    [...new FormData(document.querySelector('form[data-ask]'))]
        .filter(([, value]) => typeof value === 'string')
)"""
# The page would not follow a link that it has already; `again` is no field.
AGAIN = """async values => {
    document.activeElement.blur();
    for (const fold of document.querySelectorAll('article details')) fold.open = false;
    document.documentElement.dataset.theme = 'light';
    const followed = new Promise(done => addEventListener('hashchange', done, {once: true}));
    location.hash = new URLSearchParams({...values, again: performance.now()});
    await followed;
}"""
KEPT = """state => state.every(
    ([name, value]) => new URLSearchParams(location.hash.slice(1)).get(name) === value
)"""


class Form(RunningPage):
    """A page whose form asks Python."""

    def __init__(self, browser, address: str, **options) -> None:
        super().__init__(browser, address, **options)
        self.first = self.values()

    def begin_again(self) -> None:
        """Bring back what was there at first; Python, which takes three seconds, stays."""
        self.view.set_viewport_size(WIDE)
        self.view.evaluate(AGAIN, self.first)

    def field(self, name: str):
        return self.view.locator(f"form [name={name}]")

    def place(self, name: str):
        """Where an answer is shown."""
        return self.view.locator(f"[data-answer={name}]")

    @property
    def status(self):
        return self.view.locator("form [role=status]")

    def values(self) -> dict[str, str]:
        """What stands in the fields, as Python gets it."""
        return self.view.evaluate(VALUES)

    def has(self, values: dict[str, str]) -> None:
        """Wait until this stands in the fields."""
        assert settled(self.view, f"({VALUES})()", values) == values

    def keeps(self, **state: str) -> None:
        """Wait until the address has this of its fields."""
        self.view.wait_for_function(KEPT, arg=[*state.items()])

    def shows(self, name: str, answer) -> None:
        """Wait until an answer stands there, and none to an earlier question."""
        expect(self.place(name)).not_to_have_attribute("aria-busy", "true", timeout=90_000)
        if answer.told:
            expect(self.status).to_have_text(answer.told)
        text = html.fromstring(f"<div>{answer.html}</div>").text_content()
        expect(self.place(name)).to_have_text(text)


class Still(Form):
    """The same before Python is there: its worker is asked for, and never comes.

    What is no answer of Python's need not pay for its start.
    """

    def follow(self, view, address: str) -> None:
        view.route("**/worker.mjs", lambda _: None)
        super().follow(view, address)
