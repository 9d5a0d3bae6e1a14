"""The playground: what it shows, the same in Pyodide as here, and its page in a browser."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit
from zipfile import ZipFile

import pytest
from browsing import RUNS, RunningPage, need
from companion import ledger
from companion.pages.playground import MOST_MENTIONS, OFFERED, drawing, scores
from companion.pages.row_check import RULES
from playwright.sync_api import expect
from test_book import HTML, ROOT, parsed

import playground
from corefeval import CorefError, Partition, metric
from corefeval.registry import MEASURES, SUITES

INSTALLED = ROOT / "playground" / "node_modules" / "pyodide"
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


def test_the_walk_through_has_the_fractions_that_its_paper_gives():
    rows = {row["name"]: row for row in scores(*WALK_THROUGH)["measures"]}
    shown = {
        part: [rows["ceafe"][part][form] for form in ("percent", "exact")]
        for part in ("recall", "precision")
    }
    assert list(rows)[: len(SUITES["standard"])] == list(SUITES["standard"])
    assert {*rows} == {*MEASURES}
    # 0.65 and 0.43333 in Pradhan et al. 2014, section 4.3.2.
    assert shown == {"recall": ["65.00", "13/20"], "precision": ["43.33", "13/30"]}
    assert rows["muc"]["recall"]["counts"] == "2 of 5"
    assert rows["muc"]["value"] is None
    assert rows["conll"]["recall"] is rows["conll"]["value"] is None
    assert rows["kappa"]["value"]["exact"] == "-3/5"
    assert rows["h"]["f1"]["exact"] == ""


@pytest.mark.parametrize(("number", "name"), [(0, "ceafm"), (1, "ceafe")])
def test_the_marked_pairs_are_the_alignment_that_ceaf_counts(number, name):
    for one in requests(60):
        here = one["key"], one["response"]
        found = scores(*here)
        chosen = [row for row in found["overlap"] if row["similarities"][number]["chosen"]]
        total = sum(Fraction(row["similarities"][number]["exact"]) for row in chosen)
        counted = metric(name)(*here).counts.recall.hits
        assert total == Fraction(found["alignments"][number]["sum"]) == counted
        for side in ("key", "response"):
            entities = [row[side] for row in chosen]
            assert len(set(entities)) == len(entities)


def test_a_row_of_the_overlap_table():
    *_, last = scores(*WALK_THROUGH)["overlap"]
    assert (last["key"], last["response"], last["shared"]) == ("K2", "R3", ["f", "g"])
    assert (last["n"], last["k"], last["r"]) == (2, 4, 4)


def test_each_side_has_its_own_error():
    found = scores("{a b", "{a} {a}")
    assert list(found) == ["errors"]
    assert "expected {a b} {c}" in found["errors"]["key"]
    assert "in entity 1 and again in entity 2" in found["errors"]["response"]
    assert drawing("{a b", "{a}") == ""


def test_sides_without_a_common_mention_are_noted():
    note = scores("{a}", "{b}")["note"]
    assert "'a'" in note and "'b'" in note
    for sides in (("{a}", "{a b}"), ("{a}", ""), ("", "")):
        assert scores(*sides)["note"] == ""


def test_a_convention_that_does_not_exist_is_an_error():
    with pytest.raises(CorefError, match="is not a choice"):
        scores("{a}", "{a}", zero="two")


def test_a_measure_that_cannot_follow_a_choice_says_so_and_the_others_are_there():
    rows = {row["name"]: row for row in scores(*WALK_THROUGH, twinless="stoyanov_0")["measures"]}
    assert "kappa" in rows["kappa"]["refused"]
    assert rows["b3"]["precision"]["percent"]


def test_what_goes_wrong_is_said_in_the_words_of_the_page():
    found = scores('{"the man" he}', "{a b} {b c}")["errors"]
    assert "Write the_man" in found["key"]
    assert "choose" not in found["response"]
    assert "“repeated: first” under Conventions keeps it in the first" in found["response"]
    for message in found.values():
        assert "repeated=" not in message and "--" not in message


def test_conventions_are_followed():
    found = scores("{a} {b c}", "{a} {b c}", singletons="drop")
    assert [row["key"] for row in found["overlap"]] == ["K1"]
    assert "singletons=drop" in found["signature"]


def test_the_signature_names_the_measures_that_have_a_score():
    def measures(**chosen: str) -> list[str]:
        found = scores(*WALK_THROUGH, **chosen)["signature"].split()
        assert "documents=1" in found
        return found[1].removeprefix("metrics=").split(",")

    assert {*measures()} == {*MEASURES}
    assert {*MEASURES} - {*measures(twinless="stoyanov_0")} >= {"kappa"}


def zigzag(mentions: int) -> tuple[str, str]:
    """One component with as many entities as so many mentions can join."""
    names = [str(number) for number in range(mentions)]
    key = [names[at : at + 2] for at in range(0, mentions, 2)]
    response = [names[:1], *(names[at : at + 2] for at in range(1, mentions, 2))]
    return str(Partition(key)), str(Partition(response))


def test_what_is_accepted_needs_no_scipy(monkeypatch):
    def refuse(*_):
        raise AssertionError("SciPy is not in the browser")

    monkeypatch.setattr("corefeval.alignment._by_scipy", refuse)
    assert "errors" not in scores(*zigzag(MOST_MENTIONS))
    too_large = zigzag(MOST_MENTIONS + 2)
    assert [*scores(*too_large)["errors"]] == ["key", "response"]
    monkeypatch.setattr("companion.pages.playground.MOST_MENTIONS", MOST_MENTIONS + 2)
    with pytest.raises(AssertionError, match="SciPy"):
        scores(*too_large)


def test_what_is_typed_is_not_taken_for_markup():
    svg = drawing("{<img/src=x/onerror=alert(1)> a}", "{a}")
    assert "&lt;img" in svg and "<img" not in svg


# The extension of the book


def test_the_interpreter_counts_as_installed_only_if_it_is_whole(tmp_path):
    folder = tmp_path / "node_modules" / "pyodide"
    folder.mkdir(parents=True)
    for part in playground.PYODIDE_PARTS:
        assert playground.pyodide(tmp_path) is None
        (folder / part).touch()
    assert playground.pyodide(tmp_path) == folder


def test_every_example_is_read_as_it_was_meant():
    found = {paper["name"]: paper["examples"] for paper in playground.papers()}
    assert {"vilain1995", "baldwin1998", "luo2005", "pradhan2014", "popescubelis"} <= {*found}
    for examples in found.values():
        for example in examples:
            assert Partition.parse(str(example.key)) == example.key
            assert Partition.parse(str(example.response)) == example.response


def built_page(tmp_path: Path) -> str:
    """A book of one page, built beside ``tmp_path / "playground"``."""
    source = tmp_path / "book"
    source.mkdir()
    (source / "index.rst").write_text(
        "Playground\n==========\n\n.. playground:: pradhan2014 walk-through\n"
        ".. score-files::\n.. which-scorer::\n"
    )
    subprocess.run(
        [sys.executable, "-m", "sphinx", "-qWC", "-D", "extensions=playground", source,
         tmp_path / "html"],
        env=os.environ | {"PYTHONPATH": str(ROOT / "book" / "_ext")},
        check=True,
    )  # fmt: skip
    return (tmp_path / "html" / "index.html").read_text("utf-8")


def test_without_the_interpreter_the_page_says_that_it_was_not_built(tmp_path):
    page = built_page(tmp_path)
    assert playground.NOT_BUILT in page
    assert '<form id="playground-form"' not in page
    for command in (playground.SCORE, playground.EXPLAIN):
        assert command in re.sub(r"<[^>]*>", "", page)
    assert not (tmp_path / "html" / "_static" / "playground").exists()


def test_with_the_interpreter_the_page_has_all_that_it_needs(tmp_path):
    ours = shutil.ignore_patterns("node_modules")
    shutil.copytree(ROOT / "playground", tmp_path / "playground", ignore=ours)
    folder = tmp_path / "playground" / "node_modules" / "pyodide"
    folder.mkdir(parents=True)
    for part in playground.PYODIDE_PARTS:
        (folder / part).write_text(part)
    (tmp_path / "playground" / "compile.mjs").write_text("")  # which would start the interpreter
    page = built_page(tmp_path)
    assert playground.NOT_BUILT not in page
    assert '<form id="playground-form"' in page
    static = tmp_path / "html" / "_static" / "playground"
    assert {path.name for path in static.iterdir()} == {
        *playground.page_parts(ROOT / "playground"), *playground.SAMPLES, "pyodide", "corefeval.zip"
    }  # fmt: skip
    assert {path.name for path in (static / "pyodide").iterdir()} == {*playground.PYODIDE_PARTS}


@pytest.mark.parametrize("name", ["package.json", "package-lock.json"])
def test_no_address_of_a_registry(name):
    assert "://" not in (ROOT / "playground" / name).read_text("utf-8")


def test_the_interpreter_has_one_version():
    package, lock = (
        json.loads((ROOT / "playground" / name).read_text("utf-8"))
        for name in ("package.json", "package-lock.json")
    )
    assert lock["packages"]["node_modules/pyodide"]["version"] == package["dependencies"]["pyodide"]


# The same in Pyodide


@pytest.mark.parametrize("count", [30, pytest.param(300, marks=pytest.mark.proof)])
def test_pyodide_gives_what_cpython_gives(count, tmp_path):
    need(shutil.which("node") and INSTALLED.is_dir(), "no npm: the interpreter is not installed")
    sources, file = tmp_path / "corefeval.zip", tmp_path / "requests.json"
    playground.write_sources(sources)
    asked = [
        *requests(count),
        *({"key": str(e.key), "response": str(e.response), "conventions": paper["conventions"]}
          for paper in playground.papers() for e in paper["examples"]),
        {"key": "{a", "response": "{a}", "conventions": {}},
    ]  # fmt: skip
    questions = [
        ("playground", name, {"key": one["key"], "response": one["response"]} | one["conventions"])
        for one in asked
        for name in ("scores", "drawing", "why")
    ] + [("row", "verdict", row) for row in rows()]
    file.write_text(json.dumps(questions), encoding="utf-8")
    command = ["node", Path(__file__).with_name("playground_in_node.mjs"), sources, file]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr[-2000:]
    answers = json.loads(done.stdout)
    assert len(answers) == len(questions)
    for (module, name, values), answer in zip(questions, answers, strict=True):
        here = getattr(import_module(f"companion.pages.{module}"), name)(**values)
        assert answer == json.loads(json.dumps(here)), (name, values)


def rows() -> list[dict]:
    """Requests of the row checker: printed rows, as they are and with a cell changed or missing."""
    every = []
    for text in (text for paper in playground.tables() for text in paper["rows"].values()):
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


class Playground(RunningPage):
    """The form, and what it shows."""

    def fill(self, key: str, response: str) -> None:
        self.view.fill("#playground-key", key)
        self.view.fill("#playground-response", response)

    def fields(self) -> tuple[str, str]:
        return tuple(self.view.input_value(f"#playground-{side}") for side in ("key", "response"))

    def text(self, name: str) -> str:
        return self.view.locator(f"#playground-{name}").inner_text()

    def wait(self, condition: str, argument: object = None) -> None:
        self.view.wait_for_function(condition, arg=argument)

    def wait_for_drawing(self, key: str, response: str) -> None:
        """Until what is shown belongs to this key and response."""
        title = drawing(key, response).partition("<title>")[2].partition("</title>")[0]
        self.wait(
            "title => document.querySelector('#playground-drawing title')?.textContent === title",
            title,
        )

    def measures(self) -> dict[str, list[list[str]]]:
        return self.view.evaluate("""Object.fromEntries(
            [...document.querySelectorAll('#playground-results tr[data-measure]')].map(row => [
                row.querySelector('th code').textContent,
                [...row.querySelectorAll('td')].map(
                    cell => [...cell.childNodes].map(each => each.textContent))]))""")

    def overlap(self) -> list[list[str]]:
        return self.view.evaluate("""
            [...document.querySelectorAll('#playground-overlap tr')].map(
                row => [...row.children].map(cell => cell.textContent))""")


def shown(row: dict) -> list[list[str]]:
    """A measure's cells as the page has them."""

    def texts(part: dict | None) -> list[str]:
        if part is None:
            return ["—"]
        return [text for text in (f"{part['percent']}%", part["exact"], part["counts"]) if text]

    if "refused" in row:
        return [[row["refused"]]]
    if row["value"]:
        return [[*texts(row["value"]), "value"]]
    return [texts(row[part]) for part in ("recall", "precision", "f1")]


def assert_shows(page: Playground, key: str, response: str, **chosen: str) -> None:
    found = scores(key, response, **chosen)
    assert page.measures() == {row["name"]: shown(row) for row in found["measures"]}
    assert page.overlap() == [
        [
            *(str(row[column]) for column in ("key", "response")),
            " ".join(row["shared"]),
            *(str(row[column]) for column in ("n", "k", "r")),
            *(("✓ " if each["chosen"] else "") + each["exact"] for each in row["similarities"]),
        ]
        for row in found["overlap"]
    ]
    assert page.text("signature") == found["signature"]
    assert page.text("note") == found["note"]


@pytest.fixture(scope="module")
def opened(site, browser):
    """The page once the first result is there; the tests below use it one after another."""
    with Playground(browser, f"{site}playground.html") as page:
        page.wait_for_drawing(*WALK_THROUGH)
        yield page


@pytest.mark.by_day
def test_the_first_result_is_that_of_the_example(opened):
    assert opened.fields() == WALK_THROUGH
    assert_shows(opened, *WALK_THROUGH)
    assert "corefeval" in opened.text("status")


def test_the_table_has_recall_precision_and_f1_of_the_standard_suite_first(opened):
    rows = opened.view.locator("#playground-measures tr[data-measure]")
    assert [each.get_attribute("data-measure") for each in rows.all()] == [*SUITES["standard"]]
    # Pradhan et al. 2014, section 4.3.2.
    cells = opened.view.locator("tr[data-measure=ceafe] td").all_inner_texts()
    assert [cell.split("%")[0] for cell in cells] == ["65.00", "43.33", "52.00"]
    assert not opened.view.locator("#playground-others").is_visible()
    assert opened.view.locator("#playground-others tr[data-measure]").count() == len(
        {*MEASURES} - {*SUITES["standard"]}
    )


def test_each_name_leads_to_its_definition(opened):
    links = opened.view.locator("#playground-results tr[data-measure] th a").all()
    assert len(links) == len(MEASURES)
    assert all((HTML / link.get_attribute("href")).is_file() for link in links)


def test_why_opens_the_terms_and_stays_open(opened):
    button = opened.view.locator("[aria-controls=why-b3]")
    assert button.get_attribute("aria-expanded") == "false"
    button.focus()
    opened.view.keyboard.press("Enter")
    tables = opened.view.locator("#why-b3 table")
    expect(tables).to_have_count(4)
    expect(tables.first).to_be_visible()
    text = tables.first.inner_text()
    assert "K1 ∩ R1 n = 2, k = 3, r = 2" in text and "4/3" in text and "35/12" in text
    opened.fill("{a b c}", "{a b}")
    opened.wait_for_drawing("{a b c}", "{a b}")
    opened.view.locator("#why-b3 td strong", has_text="4/3").wait_for()
    opened.view.locator("[aria-controls=why-b3]").click()
    expect(opened.view.locator("#why-b3")).to_be_hidden()
    opened.fill(*WALK_THROUGH)
    opened.wait_for_drawing(*WALK_THROUGH)


def test_the_results_follow_what_is_typed_and_the_last_of_many_changes_wins(opened):
    opened.fill("{a b c d}", "{a}")
    opened.view.evaluate("""() => {
        const field = document.getElementById('playground-response');
        for (let size = 1; size <= 40; size++) {
            field.value = '{a b ' + [...Array(size).keys()].join(' ') + '}';
            field.dispatchEvent(new Event('input'));
        }
    }""")
    last = f"{{a b {' '.join(map(str, range(40)))}}}"
    opened.wait_for_drawing("{a b c d}", last)
    assert_shows(opened, "{a b c d}", last)


def test_wrong_notation_gets_a_message_beside_its_field(opened):
    opened.fill(*WALK_THROUGH)
    opened.wait_for_drawing(*WALK_THROUGH)
    opened.fill(WALK_THROUGH[0], "{a b} {c")
    told = scores("", "{a b} {c")["errors"]["response"]
    expect(opened.view.locator("#playground-response-error")).to_have_text(told)
    expect(opened.view.locator("#playground-key-error")).to_have_text("")
    stale = opened.view.locator(".playground-stale")
    expect(stale).to_be_visible()
    assert_shows(opened, *WALK_THROUGH)

    opened.fill(WALK_THROUGH[0], "{a b} {c}")
    opened.wait_for_drawing(WALK_THROUGH[0], "{a b} {c}")
    expect(opened.view.locator("#playground-response-error")).to_have_text("")
    expect(stale).to_be_hidden()


def test_an_example_brings_its_papers_conventions(opened):
    example = ledger.load("popescubelis").examples["sample"]
    key, response = str(example.key), str(example.response)
    opened.view.select_option("#playground-example", "popescubelis/sample")
    opened.wait_for_drawing(key, response)
    assert opened.fields() == (key, response)
    assert_shows(opened, key, response, zero="one")


@pytest.mark.by_day
def test_the_link_carries_the_state(opened, browser):
    opened.fill("{a b} {c}", "{a} {b c}")
    opened.view.locator("#playground-zero").evaluate(
        "select => { select.value = 'one'; select.dispatchEvent(new Event('change')); }"
    )
    # The page writes its address a moment later; until then it may be that of the test before.
    state = urlencode({"key": "{a b} {c}", "response": "{a} {b c}", "zero": "one"})
    opened.wait("state => location.hash === '#' + state", state)
    address = opened.address()
    assert urlsplit(address).fragment == state

    with Playground(browser, address) as other:
        other.wait_for_drawing("{a b} {c}", "{a} {b c}")
        assert other.fields() == ("{a b} {c}", "{a} {b c}")
        assert_shows(other, "{a b} {c}", "{a} {b c}", zero="one")


def test_another_link_changes_the_page(opened, site):
    state = urlencode({"key": "{x y}", "response": "{x} {y}", "singletons": "drop"})
    opened.view.goto(f"{site}playground.html#{state}")
    opened.wait_for_drawing("{x y}", "")
    assert_shows(opened, "{x y}", "{x} {y}", singletons="drop")
    state = urlencode({"key": WALK_THROUGH[0], "response": WALK_THROUGH[1]})
    opened.view.goto(f"{site}playground.html#{state}")
    opened.wait_for_drawing(*WALK_THROUGH)


def test_a_link_that_is_opened_while_one_types_wins(opened):
    """The page writes what is typed into its address a moment later: here just after the link."""
    state = urlencode({"key": "{p q}", "response": "{p}"})
    opened.view.evaluate(
        """state => {
            setTimeout(() => { location.hash = state; }, 299);
            const field = document.getElementById('playground-key');
            field.value = '{typed}';
            field.dispatchEvent(new Event('input'));
            for (const begin = performance.now(); performance.now() < begin + 400;);
        }""",
        state,
    )
    opened.wait_for_drawing("{p q}", "{p}")
    assert opened.fields() == ("{p q}", "{p}")
    opened.wait("state => location.hash === '#' + state", state)


def test_the_link_can_be_copied(opened):
    opened.view.context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened.view.click("#playground-copy")
    opened.wait("document.getElementById('playground-copied').textContent")
    copied = opened.view.evaluate("navigator.clipboard.readText()")
    assert copied == opened.address()
    assert parse_qs(urlsplit(copied).fragment)["key"] == [opened.fields()[0]]


def test_a_key_without_mentions_is_shown_too(opened):
    opened.fill("", "")
    opened.wait("!document.querySelector('#playground-drawing svg')")
    assert_shows(opened, "", "")


def test_a_long_example_fits_a_narrow_screen(opened):
    example = ledger.load("recasens2010").examples["F"]
    opened.view.select_option("#playground-example", "recasens2010/F")
    opened.wait_for_drawing(str(example.key), str(example.response))
    opened.view.locator(".playground-conventions summary").click()
    opened.assert_fits()


def test_markup_in_a_link_stays_text(opened, site):
    mention = "<img/src=x/onerror=document.title='taken'>"
    state = urlencode({"key": f"{{{mention} b}}", "response": f"{{{mention}}}"})
    opened.view.goto(f"{site}playground.html#{state}")
    opened.wait("document.getElementById('playground-drawing').textContent.includes('<img')")
    assert opened.view.locator("#playground-results img").count() == 0
    assert "corefeval" in opened.view.title()


# Links


def test_what_a_chapter_draws_opens_by_its_link(opened):
    key, response = "{A B C} {D E F G}", "{A B} {C D} {F G H}"
    chapter = opened.view.locator(".drawn-examples details", has_text=f"{key} against {response}")
    chapter.first.locator("summary").click()
    chapter.first.get_by_role("link", name=f"{key} against {response}").first.click()
    opened.wait_for_drawing(key, response)
    assert opened.fields() == (key, response)
    expect(opened.view.locator("#playground-key")).to_be_visible()


def test_a_link_opens_the_terms_of_a_measure_that_is_folded(opened, site):
    state = urlencode({"key": "{x y}", "response": "{x} {y}", "why": "dmt"})
    opened.view.goto(f"{site}playground.html#{state}")
    opened.wait_for_drawing("{x y}", "{x} {y}")
    expect(opened.view.locator("#why-dmt")).to_be_visible()
    opened.view.locator("[aria-controls=why-dmt]").click()
    opened.wait("!location.hash.includes('why')")
    opened.view.locator("[aria-controls=why-xc]").click()
    opened.wait("location.hash.endsWith('why=xc')")


def test_a_link_of_the_ledger_opens_an_example_with_its_papers_conventions(opened, site):
    [link] = {
        link
        for link in parsed("ledger.html").xpath("//*[@id='figures']//a/@href")
        if "example=popescubelis/sample&why=muc" in link
    }
    opened.view.goto(f"{site}{link}")
    example = ledger.load("popescubelis").examples["sample"]
    opened.wait_for_drawing(str(example.key), str(example.response))
    assert opened.view.input_value("#playground-example") == "popescubelis/sample"
    expect(opened.view.locator("#why-muc")).to_be_visible()
    assert_shows(opened, str(example.key), str(example.response), zero="one")
