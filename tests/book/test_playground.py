"""The playground: what it shows, the same in Pyodide as here, and its page in a browser."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from html import unescape
from importlib import import_module
from pathlib import Path
from urllib.parse import urlencode
from zipfile import ZipFile

import playground
import pytest
from browsing import RUNS, Form, need
from corefbook import ledger
from corefbook.pages.playground import (
    MOST_MENTIONS,
    OFFERED,
    drawing,
    every_score,
    overlaps,
    reasons,
)
from lxml import html
from playwright.sync_api import expect
from test_book import HTML, ROOT, anchors, parsed

from corefeval import Partition, metric
from corefeval.published.intervals import RULES
from corefeval.registry import MEASURES, SUITES

OURS = ROOT / "book" / "playground"
INSTALLED = OURS / "node_modules" / "pyodide"
WALK_THROUGH = ("{a b c} {d e f g}", "{a b} {c d} {f g h i}")


def drawn(rng: random.Random) -> dict:
    """A request: a key and a response of up to twelve mentions, and conventions, all at random."""

    def side() -> str:
        labels = {m: rng.randrange(6) for m in "abcdefghijkl"[: rng.randint(0, 12)]}
        kept = {m: label for m, label in labels.items() if rng.random() < 0.9}
        return str(Partition.from_labels(kept))

    conventions = {name: rng.choice([*choices]) for name, choices in OFFERED.items()}
    return {"key": side(), "response": side(), "conventions": conventions}


def requests(count: int) -> list[dict]:
    rng = random.Random(1995)
    return [drawn(rng) for _ in range(count)]


# What is shown


def table(shown: str) -> dict[str, list[str]]:
    """The cells of a measure's row, by its name."""
    page = html.fromstring(f"<div>{shown}</div>")
    return {
        row.get("data-measure"): [" ".join(cell.itertext()) for cell in row.xpath("td")]
        for row in page.xpath("//tr[@data-measure]")
    }


def overlap_rows(key: str, response: str) -> list[list[str]]:
    page = html.fromstring(f"<div>{overlaps(key, response).html}</div>")
    return [[cell.text_content() for cell in row] for row in page.xpath("//tr[position() > 0]")][1:]


def test_the_walk_through_has_its_papers_fractions():
    answer = every_score(*WALK_THROUGH)
    rows = table(answer.html)
    assert list(rows)[: len(SUITES["standard"])] == list(SUITES["standard"])
    assert {*rows} == {*MEASURES}
    # 0.65 and 0.43333 in Pradhan et al. 2014, section 4.3.2.
    assert rows["ceafe"][0].split()[:2] == ["65.00%", "13/20"]
    assert rows["ceafe"][1].split()[:2] == ["43.33%", "13/30"]
    assert rows["muc"][0].endswith("2 of 5")
    assert rows["conll"][:2] == ["—", "—"] and rows["conll"][2].startswith("45.82%")
    assert rows["kappa"] == ["-60.00%  -3/5  value"] and "/" not in rows["h"][2]


@pytest.mark.parametrize(("column", "name"), [(-2, "ceafm"), (-1, "ceafe")])
def test_the_marked_pairs_are_ceafs_alignment(column, name):
    for one in requests(60):
        here = one["key"], one["response"]
        *rows, sums = overlap_rows(*here)
        chosen = [row for row in rows if row[column].startswith("✓")]
        total = sum(Fraction(row[column].removeprefix("✓ ")) for row in chosen)
        counted = metric(name)(*here).counts.recall.hits
        assert total == Fraction(sums[column]) == counted
        for side in (0, 1):
            assert len({row[side] for row in chosen}) == len(chosen)


def test_a_row_of_the_overlap_table():
    *_, last, sums = overlap_rows(*WALK_THROUGH)
    assert last == ["K2", "R3", "f g", "2", "4", "4", "✓ 2", "✓ 1/2"]
    assert sums[-2:] == ["4", "13/10"]


def test_each_side_has_its_own_error():
    answer = every_score("{a b", "{a} {a}")
    key, response = answer.told.splitlines()
    assert answer.state == "refused" and not answer.html
    assert key.startswith("key: ") and "expected {a b} {c}" in key
    assert response.startswith("response: ") and "in entity 1 and again in entity 2" in response
    for other in (drawing, reasons, overlaps):
        assert other("{a b", "{a}") == ("", "", "said")


def test_sides_without_a_common_mention_are_noted():
    shown = every_score("{a}", "{b}").html
    assert "share no mention" in shown and "'a'" in unescape(shown)
    for sides in (("{a}", "{a b}"), ("{a}", ""), ("", "")):
        assert "share no mention" not in every_score(*sides).html


def test_a_convention_that_does_not_exist_is_refused():
    assert "is not a choice" in every_score("{a}", "{a}", zero="two").told


def test_a_measure_that_cannot_follow_says_so():
    rows = table(every_score(*WALK_THROUGH, twinless="stoyanov_0").html)
    assert "kappa" in rows["kappa"][0]
    assert len(rows["b3"]) == 3


def test_errors_say_what_to_do():
    key, response = every_score('{"the man" he}', "{a b} {b c}").told.splitlines()
    assert "Write the_man" in key
    assert 'repeated="first" keeps it in the first' in response


def test_conventions_are_followed():
    rows = overlap_rows("{a} {b c}", "{a} {b c}")
    assert [row[0] for row in rows] == ["K1", "K2", "sum, ✓"]
    shown = overlaps("{a} {b c}", "{a} {b c}", singletons="drop").html
    assert "K1" in shown and "K2" not in shown
    assert "singletons=drop" in every_score("{a} {b c}", "{a} {b c}", singletons="drop").html


def test_the_signature_names_the_scored_measures():
    def measures(**chosen: str) -> list[str]:
        shown = every_score(*WALK_THROUGH, **chosen).html
        words = re.findall("<code>(corefeval=.*?)</code>", shown)[0].split()
        assert "documents=1" in words
        return words[1].removeprefix("metrics=").split(",")

    assert {*measures()} == {*MEASURES}
    assert {*MEASURES} - {*measures(twinless="stoyanov_0")} >= {"kappa"}


def test_the_terms_are_of_the_chosen_measure():
    assert "35/12" in reasons(*WALK_THROUGH, "b3").html
    assert reasons(*WALK_THROUGH, "").html == reasons(*WALK_THROUGH, "x").html == ""


def zigzag(mentions: int) -> tuple[str, str]:
    """One component with as many entities as so many mentions can join."""
    names = [str(number) for number in range(mentions)]
    key = [names[at : at + 2] for at in range(0, mentions, 2)]
    response = [names[:1], *(names[at : at + 2] for at in range(1, mentions, 2))]
    return str(Partition(key)), str(Partition(response))


def test_what_is_accepted_needs_no_scipy(monkeypatch):
    def refuse(*_):
        raise AssertionError("SciPy is not in the browser")

    monkeypatch.setattr("corefeval.overlap.alignment._by_scipy", refuse)
    assert every_score(*zigzag(MOST_MENTIONS)).state == "said"
    too_large = zigzag(MOST_MENTIONS + 2)
    refusals = every_score(*too_large).told.splitlines()
    assert [each.partition(":")[0] for each in refusals] == ["key", "response"]
    monkeypatch.setattr("corefbook.pages.playground.MOST_MENTIONS", MOST_MENTIONS + 2)
    with pytest.raises(AssertionError, match="SciPy"):
        overlaps(*too_large)


def test_what_is_typed_is_not_taken_for_markup():
    marked = "{<img/src=x/onerror=alert(1)> <script>alert(1)</script> a}"
    for function in (drawing, every_score, overlaps):
        shown = function(marked, "{a}").html
        assert "<img" not in shown and "<script" not in shown
    assert "&lt;img" in drawing(marked, "{a}").html


# The extension of the book


def test_a_partial_interpreter_is_not_installed(tmp_path):
    folder = tmp_path / "node_modules" / "pyodide"
    folder.mkdir(parents=True)
    for part in playground.PYODIDE_PARTS:
        assert playground.pyodide(tmp_path) is None
        (folder / part).touch()
    assert playground.pyodide(tmp_path) == folder


def test_every_example_is_read_as_it_was_meant():
    examples_of = {paper["name"]: paper["examples"] for paper in playground.papers()}
    assert {"vilain1995", "baldwin1998", "luo2005", "pradhan2014", "popescubelis"} <= {*examples_of}
    for examples in examples_of.values():
        for example in examples:
            assert Partition.parse(str(example.key)) == example.key
            assert Partition.parse(str(example.response)) == example.response


NOT_BUILT = "What runs on this page is not in this book"


def built_page(tmp_path: Path) -> str:
    """A book of one page, built with ``tmp_path / "book" / "playground"``."""
    source = tmp_path / "book"
    source.mkdir(exist_ok=True)
    (source / "index.rst").write_text(
        "Form\n====\n\n.. form:: practice\n\n"
        "   {% set first = exercise() %}\n"
        "   {{ status(first, 'corefeval score KEY') }}{{ first.html | safe }}\n"
    )
    subprocess.run(
        [sys.executable, "-m", "sphinx", "-qWC", "-D", "extensions=playground", source,
         tmp_path / "html"],
        env=os.environ | {"PYTHONPATH": str(ROOT / "book" / "_ext")},
        check=True,
    )  # fmt: skip
    return (tmp_path / "html" / "index.html").read_text("utf-8")


def test_without_the_interpreter_the_page_says_so(tmp_path):
    page = built_page(tmp_path)
    assert NOT_BUILT in page and "ask.js" not in page
    assert "In a terminal: corefeval score KEY" in re.sub(r"<[^>]*>", "", page)
    assert "<svg" in page  # the example stands there nevertheless, and nothing can be typed
    assert "<fieldset disabled>" in page
    assert not (tmp_path / "html" / "_static" / "playground").exists()


def test_with_the_interpreter_the_page_is_complete(tmp_path):
    ours = shutil.ignore_patterns("node_modules")
    source = tmp_path / "book" / "playground"
    shutil.copytree(OURS, source, ignore=ours)
    folder = source / "node_modules" / "pyodide"
    folder.mkdir(parents=True)
    for part in playground.PYODIDE_PARTS:
        (folder / part).write_text(part)
    (source / "compile.mjs").write_text("")  # which would start the interpreter
    page = built_page(tmp_path)
    assert NOT_BUILT not in page and "_static/playground/ask.js" in page
    static = tmp_path / "html" / "_static" / "playground"
    assert {path.name for path in static.iterdir()} == {
        *playground.page_parts(OURS), *playground.SAMPLES, playground.SECOND,
        "pyodide", "corefeval.zip",
    }  # fmt: skip
    assert {path.name for path in (static / "pyodide").iterdir()} == {*playground.PYODIDE_PARTS}


@pytest.mark.parametrize("name", ["package.json", "package-lock.json"])
def test_no_address_of_a_registry(name):
    assert "://" not in (OURS / name).read_text("utf-8")


def test_the_interpreter_has_one_version():
    package, lock = (
        json.loads((OURS / name).read_text("utf-8"))
        for name in ("package.json", "package-lock.json")
    )
    assert lock["packages"]["node_modules/pyodide"]["version"] == package["dependencies"]["pyodide"]


# The same in Pyodide


MANY = 300 if "CI" in os.environ else 30


@pytest.mark.proof
def test_pyodide_gives_what_cpython_gives(tmp_path):
    need(shutil.which("node") and INSTALLED.is_dir(), "no npm: the interpreter is not installed")
    sources, file = tmp_path / "corefeval.zip", tmp_path / "requests.json"
    playground.write_sources(sources)
    asked = [
        *requests(MANY),
        *({"key": str(e.key), "response": str(e.response), "conventions": paper["conventions"]}
          for paper in playground.papers() for e in paper["examples"]),
        {"key": "{a", "response": "{a}", "conventions": {}},
    ]  # fmt: skip
    questions = [
        ("playground", name, {"key": one["key"], "response": one["response"]} | one["conventions"])
        for one in asked
        for name in ("every_score", "drawing", "overlaps")
    ] + [("row", "verdict", row) for row in rows()]
    file.write_text(json.dumps(questions), encoding="utf-8")
    command = ["node", Path(__file__).with_name("playground_in_node.mjs"), sources, file]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr[-2000:]
    answers = json.loads(done.stdout)
    assert len(answers) == len(questions)
    for (module, name, values), answer in zip(questions, answers, strict=True):
        here = getattr(import_module(f"corefbook.pages.{module}"), name)(**values)
        assert answer == json.loads(json.dumps(here)), (name, values)


def rows() -> list[dict]:
    """Requests of the row checker: printed rows, as they are and with a cell changed or missing."""
    every = []
    for text in (text for paper in playground.result_tables() for text in paper["rows"].values()):
        lines, _, average = text.rpartition(" ")
        for cell in (average, "–", "12.3", "x"):
            every += [{"row": f"{lines} {cell}", "rule": rule} for rule in RULES]
    return every


def test_sources_come_with_their_compiled_form():
    need(RUNS and shutil.which("node"), "the book was built without npm or without node")
    folder = HTML / "_static" / "playground"
    for name in ("corefeval.zip", "chapters.zip", "pyodide/python_stdlib.zip"):
        with ZipFile(folder / name) as archive:
            names = archive.namelist()
        assert len(names) == len({*names})
        sources = {each for each in names if each.endswith(".py")}
        compiled = {re.sub(r"__pycache__/(\w+)\.cpython-\d+\.pyc$", r"\1.py", n) for n in names}
        assert sources == {n.removesuffix("c") for n in compiled if n.endswith((".py", ".pyc"))}
        assert sum(each.endswith(".pyc") for each in names) == len(sources) > 20


# The page


@pytest.fixture(scope="module")
def opened(site, browser):
    with Form(browser, f"{site}playground.html") as opened:
        yield opened


@pytest.fixture
def page(opened):
    """The page as it begins; Python is started once for all tests."""
    opened.begin_again()
    return opened


def shows(page: Form, key: str, response: str, **chosen: str) -> None:
    """Wait until all that is shown belongs to this key and response."""
    for answer in (drawing, every_score, overlaps):
        page.shows(answer.__name__, answer(key=key, response=response, **chosen))


def test_it_begins_with_the_walk_through(page):
    expect(page.field("key")).to_have_value(WALK_THROUGH[0])
    expect(page.field("response")).to_have_value(WALK_THROUGH[1])
    shows(page, *WALK_THROUGH)
    expect(page.view.locator("tr[data-measure=dmt]")).to_be_hidden()
    page.view.get_by_text("The other 11 measures").click()
    expect(page.view.locator("tr[data-measure=dmt]")).to_be_visible()
    page.field("key").fill("{a b}")
    shows(page, "{a b}", WALK_THROUGH[1])
    expect(page.view.locator("tr[data-measure=dmt]")).to_be_visible()  # the fold stays open


def test_each_name_leads_to_its_definition(page):
    links = page.view.locator("tr[data-measure] th a")
    expect(links).to_have_count(len(MEASURES))
    addresses = [link.get_attribute("href") for link in links.all()]
    pages = [address.partition("#") for address in addresses]
    assert all(page == "measures.html" and at in anchors(page) for page, _, at in pages)


def test_why_shows_terms_and_stays_in_the_address(page):
    page.field("why").select_option("b3")
    page.shows("reasons", reasons(*WALK_THROUGH, "b3"))
    expect(page.place("reasons").locator("table")).to_have_count(4)
    page.field("key").fill("{a b c}")
    page.shows("reasons", reasons("{a b c}", WALK_THROUGH[1], "b3"))
    page.view.wait_for_function("location.hash.endsWith('&why=b3')")


def test_the_last_of_many_changes_wins(page):
    page.view.evaluate("""() => {
        const field = document.querySelector('form [name=response]');
        for (let size = 1; size <= 40; size++) {
            field.value = '{a b ' + [...Array(size).keys()].join(' ') + '}';
            field.dispatchEvent(new Event('input', {bubbles: true}));
        }
    }""")
    shows(page, WALK_THROUGH[0], f"{{a b {' '.join(map(str, range(40)))}}}")


def test_wrong_notation_takes_old_scores_away(page):
    page.field("response").fill("{a b} {c")
    expect(page.status).to_have_text(every_score(WALK_THROUGH[0], "{a b} {c").told)
    for name in ("drawing", "every_score", "overlaps"):
        expect(page.place(name)).to_be_empty()
    page.field("response").fill("")
    page.field("key").fill("")
    expect(page.place("drawing")).to_have_text("There is no mention to draw.")
    shows(page, "", "")


def test_an_example_brings_its_papers_conventions(page):
    page.field("example").select_option("popescubelis/sample")
    example = ledger.load("popescubelis").examples["sample"]
    expect(page.field("zero")).to_have_value("one")
    shows(page, str(example.key), str(example.response), zero="one")
    page.field("example").select_option("recasens2010/F")
    example = ledger.load("recasens2010").examples["F"]
    shows(page, str(example.key), str(example.response))
    page.view.locator("summary", has_text="Conventions").click()
    expect(page.field("zero")).to_be_visible()
    page.assert_fits()


# Links


def test_a_link_with_key_response_and_conventions(page, site):
    chosen = {"singletons": "drop", "twinless": "complete", "repeated": "first"}
    state = {"key": "{x y} {z}", "response": "{x} {y}", **chosen}
    page.view.goto(f"{site}playground.html#{urlencode(state)}")
    shows(page, "{x y} {z}", "{x} {y}", **chosen)
    page.has(page.first | {"example": ""} | state)
    # Another link, of default choices by their names, and one that is not offered.
    state = {"key": "{x}", "response": "{x}", "singletons": "keep", "zero": "two"}
    page.view.goto(f"{site}playground.html#{urlencode(state)}")
    expect(page.field("key")).to_have_value("{x}")
    shows(page, "{x}", "{x}")


def test_a_link_opened_while_typing_wins(page):
    """The page writes what is typed into its address a moment later: here just after the link."""
    state = urlencode({"key": "{p q}", "response": "{p}"})
    page.view.evaluate(
        """state => {
            setTimeout(() => { location.hash = state; }, 299);
            const field = document.querySelector('form [name=key]');
            field.value = '{typed}';
            field.dispatchEvent(new Event('input', {bubbles: true}));
            for (const begin = performance.now(); performance.now() < begin + 400;);
        }""",
        state,
    )
    expect(page.field("key")).to_have_value("{p q}")
    shows(page, "{p q}", "{p}")
    page.view.wait_for_function("state => location.hash === '#' + state", arg=state)


def test_what_a_chapter_draws_opens_by_its_link(page):
    key, response = "{A B C} {D E F G}", "{A B} {C D} {F G H}"
    chapter = page.view.locator(".drawn-examples details", has_text=f"{key} against {response}")
    chapter.first.locator("summary").click()
    chapter.first.get_by_role("link", name=f"{key} against {response}").first.click()
    expect(page.field("key")).to_have_value(key)
    shows(page, key, response)


def test_a_ledger_link_brings_its_papers_conventions(page, site):
    [link] = {
        link
        for link in parsed("ledger.html").xpath("//*[@id='figures']//a/@href")
        if "example=popescubelis/sample&why=muc" in link
    }
    page.view.goto(f"{site}{link}")
    example = ledger.load("popescubelis").examples["sample"]
    expect(page.field("example")).to_have_value("popescubelis/sample")
    shows(page, str(example.key), str(example.response), zero="one")
    page.shows("reasons", reasons(str(example.key), str(example.response), "muc", zero="one"))
