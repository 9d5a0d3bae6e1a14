"""The built book, page by page: links, images, headings, and what a browser says of it."""

import os
import re
import shutil
import threading
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import lxml.html
import pytest

HTML = Path(__file__).parent.parent / "book" / "_build" / "html"
PAGES = sorted(
    p.relative_to(HTML).as_posix() for p in HTML.rglob("*.html") if "_static" not in p.parts
)
CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)

every_page = pytest.mark.parametrize("page", PAGES)


@cache
def parsed(page: str) -> lxml.html.HtmlElement:
    return lxml.html.parse(HTML / page, lxml.html.HTMLParser(encoding="utf-8")).getroot()


@cache
def anchors(page: str) -> set[str]:
    return {*parsed(page).xpath("//@id"), *parsed(page).xpath("//a/@name")}


def is_elsewhere(address: str) -> bool:
    return bool(re.match(r"(?!data:)[a-z][a-z0-9+.-]*:|//", address))


def broken(page: str, address: str) -> bool:
    """Whether a relative address leads to no file or to no anchor."""
    url = urlsplit(address)
    target = (HTML / page).parent / unquote(url.path) if url.path else HTML / page
    if not target.is_file():
        return True
    name = target.resolve().relative_to(HTML.resolve()).as_posix()
    return bool(
        url.fragment and name.endswith(".html") and unquote(url.fragment) not in anchors(name)
    )


def test_the_book_is_built():
    assert "index.html" in PAGES, "run `make book` first"


@every_page
def test_internal_links_and_images_resolve(page):
    addresses = {*parsed(page).xpath("//a/@href | //link/@href | //*/@src | //object/@data")}
    inside = [
        a for a in addresses if not is_elsewhere(a) and not a.startswith("data:") and a != "#"
    ]
    assert [a for a in inside if broken(page, a)] == []


@every_page
def test_no_page_takes_anything_from_another_site(page):
    resources = parsed(page).xpath("//link/@href | //*/@src | //*/@srcset | //object/@data")
    assert [a for a in resources if is_elsewhere(a)] == []


@pytest.mark.parametrize("sheet", sorted(HTML.rglob("*.css")), ids=lambda path: path.name)
def test_no_style_sheet_takes_anything_from_another_site(sheet):
    text = sheet.read_text("utf-8")
    assert re.findall(r"""(?:url\(|@import)\s*["']?(?:https?:)?//[^)"']*""", text) == []


@every_page
def test_every_image_has_an_alternative_text(page):
    assert [
        image.get("src")
        for image in parsed(page).iter("img")
        # Where there is none, docutils writes the path of the image.
        if (image.get("alt") or "").strip() in ("", image.get("src"))
    ] == []


@every_page
def test_one_main_heading_and_one_title(page):
    # The theme repeats the heading for paper, where it hides the other.
    headings = parsed(page).xpath("//h1[not(ancestor::*[@id='jb-print-docs-body'])]")
    assert len(headings) == 1
    assert "corefeval" in parsed(page).findtext(".//title")


@pytest.fixture(scope="module")
def site():
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=HTML))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser():
    if not CHROMIUM and "CI" not in os.environ:
        pytest.skip("no Chromium on this machine: the pages are not looked at in a browser")
    from playwright.sync_api import sync_playwright

    # Without these Chromium looks up its maker's hosts at every start.
    quiet = [
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
    ]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", *quiet]
        )
        yield chromium
        chromium.close()


@every_page
def test_a_browser_finds_nothing_wrong_on_a_narrow_screen(page, site, browser):
    said, asked = [], []
    view = browser.new_page(viewport={"width": 360, "height": 740})
    view.on(
        "console", lambda message: said.append(message.text) if message.type == "error" else None
    )
    view.on("pageerror", lambda error: said.append(str(error)))
    view.on("request", lambda request: asked.append(request.url))
    view.goto(site + page, wait_until="networkidle")
    width = view.evaluate("document.documentElement.scrollWidth")
    math_errors = view.locator("mjx-merror").count()
    view.close()

    assert said == []
    assert [url for url in asked if not url.startswith((site, "data:", "blob:"))] == []
    assert math_errors == 0
    assert width <= 360
