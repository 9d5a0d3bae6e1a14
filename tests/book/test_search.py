"""What a reader would type into the search, and the page that answers it."""

import re
from urllib.parse import quote

from measure_index import ASKED as ANSWERS
from playwright.sync_api import expect
from test_book import HTML

ASKED = {
    "B3": "b-cubed",
    "bcubed": "b-cubed",
    "b-cubed": "b-cubed",
    "B³": "b-cubed",
    "B cubed": "b-cubed",
    "CEAF": "ceaf",
    "LEA": "lea",
    "what is MUC": "muc",
    "ceaf-e": "measures",
    "phi4": "measures",
    "kappa": "measures framework",
    "conll": "measures",
    "conll score": "measures",
    "V-measure": "measures",
    "which metric should I use": "which-measure",
    "which measure to report": "which-measure",
    "entity resolution": "records",
    "cluster labels in pandas": "records",
    "python api": "api",
    "pip install": "quick-start",
    "conda": "quick-start",
    "head match": "recipes",
    "command line": "command-line",
    "json lines": "recipes",
    "twinless": "twinless",
    "singletons": "twinless glossary",
    "predicted mentions": "twinless",
    "precision recall f1": "glossary coreference",
    "f-score": "glossary",
    "gold clusters": "coreference glossary",
    "significance": "significance",
    "bootstrap": "significance",
    "is the difference significant": "significance",
    "confidence interval": "significance",
    "coval": "who-computes-what",
    "reference scorer": "who-computes-what",
    "error analysis": "errors",
    "inter-annotator agreement": "measures framework",
    "bibtex": "cite",
    "how do I cite this": "cite",
    "precision and recall of mentions": "measures",
    "hungarian algorithm": "ceaf records",
    "compare two models significance": "significance",
    "jsonl clusters": "recipes",
    "zero anaphora": "recipes",
    "rounding of F1": "published-tables",
    "entity that costs the most": "errors",
    "bcubed formula": "b-cubed measures",
    "install": "quick-start",
    "torchmetrics": "recipes",
    "wandb": "recipes",
    "why is my CEAFe different": "score-files",
    "why do F1 scores differ between scorers": "who-computes-what",
    "how to evaluate coreference resolution": "index quick-start",
    "CoNLL-2012 format": "quick-start recipes",
    "does my file need singletons": "measures file-rules",
    "gold mentions vs predicted mentions": "twinless",
    "kuhn munkres": "ceaf",
    "what does twinless mean": "twinless",
    "bootstrap confidence interval": "significance",
    "p value two systems": "significance",
    "split and merge errors": "errors",
    "error analysis coreference": "errors",
    "huggingface evaluate coval": "scorers who-computes-what",
    "e2e-coref evaluation": "who-computes-what",
    "allennlp conll score wrong": "who-computes-what",
    "scorch": "who-computes-what",
    "CorefUD head match": "recipes",
    "clustering evaluation": "records",
    "adjusted rand index": "framework records",
    "record deduplication": "records",
    "record linkage b cubed": "records",
    "reproduce table 3 popescu-belis": "tables",
    "command line options": "command-line",
    "stanza": "who-computes-what",
    "negative kappa": "measures framework",
    "why is MUC 0 for singletons": "muc",
    "average over documents or corpus": "who-computes-what",
    "empty document score nan": "file-rules who-computes-what",
    "misprint": "errata",
    "latex table of scores": "recipes",
    "how fast is it": "records",
    "score a pandas dataframe": "records",
    "duplicate mentions in a file": "file-rules",
    "mention in two entities": "file-rules",
    "link based measure": "muc",
    "which scorer gave this number": "score-files",
    "csv file of clusters": "recipes quick-start",
    "macro average": "who-computes-what",
    "random baseline": "glossary",
    "event coreference": "real-systems",
    "what is an entity": "glossary coreference",
    "difference between CEAFm and CEAFe": "ceaf",
    "exercises with solutions": "practice",
    "cross-document coreference": "records real-systems",
    "what should I report in my paper": "which-measure",
    "two decimal places wrong table": "published-tables",
    "which system is better": "real-systems significance",
    "errors in published papers": "errata",
    "Universal Anaphora": "recipes quick-start who-computes-what",
    "how is BLANC computed": "blanc",
    "teaching": "practice",
    "license": "cite practice",
    "Colab": "practice",
    "Windows": "practice",
    "conformance": "scorers",
    "test my scorer": "scorers",
    "is my scorer right": "scorers",
}
"""Questions, and the pages of which one has to be among the first three hits."""

FIRST = {
    "f1 definition": "glossary#term-F1",
    "split antecedents": "recipes#what-the-library-does-not-cover",
    "huggingface": "who-computes-what#documents-added-up-averaged-or-made-one",
    "Hugging Face": "who-computes-what#documents-added-up-averaged-or-made-one",
    "LLM": "recipes#other-tokens",
    "DBSCAN": "recipes#labels-in-columns",
    "too many repeated mentions": "measures#conventions",
    "Fowlkes": "measures#in-words-of-other-fields",
    "mentions on one side": "twinless",
    "book windows": "recipes#what-the-library-does-not-cover",
}
"""Words for which one section, or one page, is the answer, and has to be the first hit."""


# The page asks the same function, and shows the last first.
FOUND = "words => Search._performSearch(words).map(hit => hit[0]).reverse()"
FIRST_FOUND = "words => Search._performSearch(words).map(hit => hit[0] + hit[2]).at(-1)"
SHOWN = "/found|did not match/.test(document.querySelector('.search-summary')?.textContent)"


def shown(words: str, site: str, view) -> list[str]:
    """The pages that the search lists for these words."""
    view.goto(site + "search.html?q=" + quote(words))
    view.wait_for_function(SHOWN)
    links = view.locator("ul.search li > a").evaluate_all(
        "links => links.map(link => link.getAttribute('href'))"
    )
    return [re.match(r"[\w/-]+", address)[0] for address in links]


def test_a_question_finds_its_page(site, tab):
    view = tab()
    said, missed = [], {}
    view.on("pageerror", lambda error: said.append(str(error)))
    listed = shown("what is MUC", site, view)
    for words, pages in ASKED.items():
        addresses = view.evaluate(FOUND, words)
        assert len(addresses) == len({*addresses}), f"{words}: a page is listed twice"
        if words == "what is MUC":
            assert addresses == listed
        if not {*pages.split()} & {*addresses[:3]}:
            missed[words] = addresses[:5]
    first = {words: view.evaluate(FIRST_FOUND, words) for words in FIRST}
    assert missed == {} and first == FIRST and said == []


def test_sections_that_answer_are_there():
    for page, _, section in (place.partition("#") for place in ANSWERS):
        assert not section or f'id="{section}"' in (HTML / f"{page}.html").read_text("utf-8"), page


def test_excerpts_have_no_latex(site, tab):
    view = tab()
    shown("kappa", site, view)
    listed = view.locator("ul.search > li")
    expect(listed.locator("p.context")).to_have_count(listed.count())
    expect(listed.filter(has_text="\\")).to_have_count(0)


def test_a_number_is_looked_up_in_the_ledger(site, tab):
    view = tab(site + "search.html?q=0.333")
    view.locator(".search-numbers a").click()
    view.wait_for_url("**/ledger.html?text=0.333")
    announcement = re.compile(r"^[1-9]\d? of \d+ figures")
    expect(view.locator("#ledger-tools output")).to_have_text(announcement)
