"""The first page: what was recomputed, four doors; the page of the papers' tables behind one."""

import re
from collections import Counter

import pages
import pytest
from browsing import need, too_wide
from corefbook import ledger
from corefbook.studies import people, real, verdicts
from playwright.sync_api import expect
from test_book import HTML, ROOT, parsed, words
from test_browser import figures

from corefeval import metric

NAMES = [
    "Learn the measures",
    "The papers’ tables, recomputed",
    "Score two files",
    "Which scorer printed this number?",
]
SCORE, EXPLAIN = "corefeval score KEY RESPONSE", "corefeval explain KEY RESPONSE --printed 59.6"


@pytest.mark.parametrize("size", [(1440, 900), (360, 740)])
@pytest.mark.parametrize("as_file", [False, True])
def test_four_doors_stand_in_the_first_screen(size, as_file, site, tab):
    address = (HTML / "index.html").as_uri() if as_file else site
    view = tab(address, viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    doors = view.locator(".doors strong")
    expect(doors).to_have_text(NAMES)
    for door in doors.all():
        expect(door).to_be_in_viewport(ratio=1)
    assert too_wide(view, size[0]) == []


def test_heads_and_doors_stand_in_two_lines(site, tab):
    view = tab(site, viewport={"width": 1440, "height": 900})
    for part in ("strong", "a:first-child > span"):
        doors = view.locator(f".doors {part}").all()
        tops = Counter(round(each.bounding_box()["y"]) for each in doors)
        assert [*tops.values()] == [2, 2]


@pytest.mark.parametrize("size", [(1440, 900), (360, 740)])
def test_the_first_screen_has_printed_figures_beside_ours(size, site, tab):
    view = tab(site, viewport={"width": size[0], "height": size[1]})
    expect(view.locator(".strip")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("as_file", [False, True])
def test_only_as_a_file_doors_name_a_command(as_file, site, tab):
    need()
    view = tab((HTML / "index.html").as_uri() if as_file else site)
    commands = [SCORE, EXPLAIN] if as_file else []
    texts = [re.compile(f"make serve.*{re.escape(each)}", re.DOTALL) for each in commands]
    expect(view.locator(".doors p:visible")).to_have_text(texts)
    if as_file:
        table, command = (view.locator(f".doors li:last-child > {e}") for e in ("a.other", "p"))
        above, below = table.bounding_box(), command.bounding_box()
        assert above["y"] + above["height"] <= below["y"]


@pytest.mark.proof
def test_without_npm_doors_say_so(monkeypatch):
    monkeypatch.setitem(pages.WORDS, "interpreter", lambda: False)
    source = [(ROOT / "book" / "index.md").read_text("utf-8")]
    pages.fill(None, "index", source)
    cards = re.findall(r"<li>.*?</li>", source[0], re.DOTALL)
    assert len(cards) == len(NAMES)
    for card, command in zip(cards, ["", "", SCORE, EXPLAIN], strict=True):
        assert ("without npm" in card) == bool(command) and "hidden" not in card
        assert command in card


def test_the_last_door_leads_to_the_row_checker():
    (card,) = parsed("index.html").xpath("//*[@class='doors']//li[4]")
    which = "score-files.html#which-scorer-printed-this-number"
    assert card.xpath(".//a/@href") == [which, "row-checker.html"]
    assert which in parsed("row-checker.html").xpath("//article//p[1]/..//a/@href")
    assert "row-checker.html" in parsed("score-files.html").xpath("//article//p/a/@href")


def test_the_strip_has_figures_of_each_source():
    rows = {row.id: row for row in ledger.rows()}
    shown = [rows[name] for name in pages.STRIP]
    whole = {"published", "manuscript"}
    papers = {name for name in ledger.papers() if ledger.load(name).source in whole}
    # The lost text is a file of its own, of the same manuscript.
    assert {row.paper for row in shown} == papers - {"popescubelis_lost"}
    assert Counter(row.group for row in shown) == {"equal": len(shown) - 1, "differs": 1}
    lines = parsed("index.html").xpath("//table[contains(@class, 'strip')]/tbody/tr")
    for row, line in zip(shown, lines, strict=True):
        printed, computed = map(words, line.xpath("td"))
        mark = "≠ {}" if row.group == "differs" else "{} ✓"
        assert (printed, computed) == (row.printed, mark.format(row.computed))
        (proof,) = line.xpath("th/a/@href")
        page, _, place = proof.partition("#")
        assert parsed(page).xpath("//*[@id=$place]", place=place), proof


def test_the_first_page_counts_each_kind_of_source():
    counted = {kind: Counter() for kind in ledger.SOURCES}
    for row in ledger.rows():
        counted[ledger.load(row.paper).source][row.group] += 1
    table = parsed("index.html").xpath("//table[contains(@class, 'came')]")[0]
    heads = [words(each) for each in table.xpath(".//thead/tr/th")]
    assert heads == [*ledger.GROUPED]
    lines = [[words(cell) for cell in line.xpath("td")] for line in table.xpath(".//tbody/tr")]
    assert [[int(cell.replace("–", "0")) for cell in line] for line in lines] == [
        [each[group] for group in heads] for each in counted.values()
    ]


def test_the_first_page_counts_equal_scores():
    of_papers = [row for row in ledger.rows() if ledger.load(row.paper).source == "published"]
    equal = [row for row in of_papers if row.group == "equal"]
    scores = [row for row in equal if re.search(r"\.(recall|precision|f1)$", row.measure)]
    said = words(parsed("index.html").xpath("//article")[0])
    # Parts of BLANC, such as the recall of coreference links, are steps on the way to it.
    whole = [row for row in scores if row.measure.count(".") == 1]
    assert f"{len(whole)} of the papers' {len(equal)} are recall, precision or F1" in said
    missed = sum(row.verdict == "missed" for row in ledger.rows("popescubelis_lost"))
    sentence = f"In the manuscript, {missed} of those that differ come from a formula that we tried"
    assert sentence in said


def test_sentences_have_three_numbers_at_most():
    paragraphs = [*map(words, parsed("index.html").xpath("//article//p"))]
    sentences = [each for text in paragraphs for each in re.split(r"(?<=[.?:]) ", text)]
    # Not those of names: F1, K2.
    numbers = [re.findall(r"(?<![\w.])\d[\d.,/]*", each) for each in sentences]
    assert max(map(len, numbers)) == 3


def test_the_sentences_marks_are_explained_before_it():
    before = parsed("index.html").xpath("//div[@class='living']/preceding::p[ancestor::article]")
    explained = words(before[-1])
    assert explained.startswith("Move a mention.")
    assert {"K1", "K2", "R1", "R2"} <= {*re.findall(r"\w+", explained)}
    assert not any(re.search(r"\b[KR]\d", words(each)) for each in before[:-1])


# The papers' tables


def lines() -> list[list[str]]:
    rows = parsed("ledger.html").xpath("//table[contains(@class, 'paper-tables')]/tbody/tr")
    return [[words(cell) for cell in row] for row in rows]


def test_every_figure_is_counted_in_one_line():
    counted: Counter[str] = Counter()
    for paper, _, came, _ in lines():
        came = re.sub(r"\([^)]*\)", "", came)
        counted[paper] += sum(map(int, re.findall(r"\d+", came)))
    kinds = {
        "published": "", "table": "", "secondary": ", as quoted", "summary": ", anonymous",
        "manuscript": ", manuscript",
    }  # fmt: skip
    papers = [ledger.load(name) for name in ledger.papers()]
    assert counted == {
        paper.content["paper"]["short"] + kinds[paper.source]: sum(
            row.paper == paper.name for row in ledger.rows()
        )
        for paper in papers
        if paper.source in kinds
    }


def test_a_tables_line_leads_to_its_derivation():
    tables = {(paper, table): came for paper, table, came, _ in lines()}
    assert tables["Vilain et al. 1995", "Table 1"] == "10 equal"
    assert {("Popescu-Belis, manuscript", f"Table {n}") for n in range(1, 8)} <= {*tables}
    assert len(tables) == len(lines())
    for link in parsed("ledger.html").xpath(
        "//table[contains(@class, 'paper-tables')]//td[3]/a/@href"
    ):
        assert re.fullmatch(r"[\w-]+\.html(#.+)?", link)


def test_a_papers_name_leads_to_its_figures(site, tab):
    view = tab(f"{site}ledger.html")
    view.locator(".paper-tables a", has_text="Luo 2005").first.click()
    view.wait_for_url("**/ledger.html?paper=luo2005")
    expect(figures(view)).to_have_count(sum(row.paper == "luo2005" for row in ledger.rows()))


def test_most_tables_are_in_the_first_screen(site, tab):
    view = tab(f"{site}ledger.html", viewport={"width": 1440, "height": 900})
    expect(view.locator(".paper-tables")).to_be_in_viewport(ratio=0.8)


def first_page() -> str:
    return words(parsed("index.html").xpath("//article")[0])


def test_the_first_page_says_how_people_agree():
    agree = people.agreement(*people.annotated_sides("sara-3", "A", "B"))
    muc, b3, ceafe = (f"{agree[measure]:.0f}" for measure in ("muc", "b3", "ceafe"))
    gaps = [scores["muc"] - scores["ceafe"] for scores in people.reached().values()]
    assert max(gaps) == agree["muc"] - agree["ceafe"]
    sentence = (
        f"MUC says {muc}, B³ says {b3}, and CEAFₑ says {ceafe}. It is the widest gap of {len(gaps)}"
    )
    assert sentence in first_page()
    winners = [{lead > 0 for lead in leads.values()} for leads in people.leads().values()]
    agreed = sum(len(each) == 1 for each in winners)
    assert f"in {agreed} of {len(winners)} comparisons of two people with a third" in first_page()


def test_the_first_page_says_which_runs_lead():
    ahead = {
        scorer: {run for run in verdicts.RUNS if scores[run] > scores["lemma"]}
        for scorer, scores in verdicts.printed_f1().items()
    }
    behind = {*verdicts.RUNS} - ahead["reference"]
    assert ahead["coval"] == ahead["reference"] and ahead["e2e"] == {*verdicts.RUNS}
    assert (len(behind), len(verdicts.RUNS), len(ahead["reference"])) == (3, 5, 2)
    for sentence in (
        "reference scorer and coval put a baseline ahead of three of a system's five runs",
        "e2e-coref's scorer puts it behind them; on the other two runs all agree",
    ):
        assert sentence in first_page()
    counted = "cdcr-corpora", "fcc", "lemma", "entities.key"
    _, alone, _ = real.whole(*counted)
    _, cut, _ = real.whole(*counted, "documents")
    assert (
        "most of which we have cut from larger entities" in first_page() and cut - alone > cut / 2
    )


def test_the_first_page_has_the_refuted_example():
    examples = ledger.load("pradhan2014").examples
    before, after = (
        metric("b3")(examples[name].key, examples[name].response).precision
        for name in ("scenario-1", "scenario-2")
    )
    assert f"precision rises from {before:.3f} to {after:.3f}" in first_page()
