"""The anatomy of a response's errors: what became of entities, and parts of a loss that add up."""

import random
import re
from fractions import Fraction
from pathlib import Path

import lxml.html
import pytest

from corefeval import CorefError, anatomy, evaluate, from_labels
from corefeval.analysis.anatomy import ALIGNED, KINDS, OWN_ROW
from corefeval.cli import main
from corefeval.display import percent
from corefeval.score import Tally

pytestmark = pytest.mark.filterwarnings("ignore:.*shares? (no mention|none)")
EXAMPLES = Path(__file__).parents[3] / "data" / "examples"
PAIR = [str(EXAMPLES / f"sredni-vashtar.{name}.conll") for name in ("key", "own-mentions")]
KEY, RESPONSE = "{a b c d} {e f} {g} {h i}", "{a b} {c d e f} {h i} {x y} {z}"
HARM = "</p><script>document.title='harm'</script>"


def corpus(rng, repeats=False):
    def side():
        entities = {}
        for mention in range(rng.randrange(7)):
            for _ in range(1 + (repeats and rng.random() < 0.2)):
                entities.setdefault(rng.randrange(4), []).append((mention, mention))
        return list(entities.values())

    return [{name: side() for name in range(rng.randrange(1, 4))} for _ in "kr"]


def adds_up(*sides, **chosen):
    names = [*OWN_ROW, *ALIGNED, "blanc"]
    found, report = (
        anatomy(*sides, metrics=names, **chosen),
        evaluate(*sides, metrics=names, **chosen),
    )
    for name in names:
        counts = report[name].counts
        # BLANC is a mean of two ratios, or one ratio.
        pairs = counts.counting() if name == "blanc" else [counts]
        for place, side in enumerate(("key", "response")):
            rows = [each for each in found.entities if each.side == side]
            lost = [1 - Fraction(pair[place].ratio(Fraction(1))) for pair in pairs]
            assert sum(each.cost[name] for each in rows) == sum(lost) / (len(lost) or 1), name
            if name == "blanc":
                continue
            tallies = [each.tallies[name] for each in rows]
            assert sum(tallies, Tally(0, 0)) == counts[place], (name, sides)


@pytest.mark.proof
@pytest.mark.parametrize("singletons", ["keep", "drop", "drop_response"])
@pytest.mark.parametrize("repeated", ["error", "first", "merge"])
def test_parts_add_up_to_what_is_lost(singletons, repeated):
    rng = random.Random(singletons + repeated)
    for _ in range(150):
        key, response = corpus(rng, repeated != "error")
        names = {*key, *response}
        key, response = ({n: side.get(n, []) for n in names} for side in (key, response))
        adds_up(key, response, singletons=singletons, repeated=repeated)


def test_parts_add_up_for_labels():
    rng = random.Random(5)
    for _ in range(50):
        labels = [[rng.choice([-1, 0, 1, 2, 3]) for _ in range(12)] for _ in "kr"]
        adds_up(from_labels(*labels, document=[*"aaabbbcccddd"]))


def test_what_became_of_each_entity():
    found = anatomy({"d": KEY}, {"d": RESPONSE}).entities
    assert [(each.side, each.id, each.told) for each in found] == [
        ("key", "1", "split: 2 in 1, 2 in 2"),
        ("key", "2", "whole: 2 in 2"),
        ("key", "3", "missed"),
        ("key", "4", "equal"),
        ("response", "1", "pure: 2 in 1"),
        ("response", "2", "merged: 2 in 1, 2 in 2"),
        ("response", "3", "equal"),
        ("response", "4", "invented"),
        ("response", "5", "invented"),
    ]


def test_every_entity_has_one_kind_of_its_side():
    rng = random.Random(1)
    for _ in range(100):
        key, response = corpus(rng)
        for each in anatomy(key, response, missing="empty").entities:
            place = each.side == "response"
            lacks = each.alone > 0
            kinds = [len(each.parts) == 1 and not lacks, len(each.parts) == 1 and lacks,
                     len(each.parts) > 1, not each.parts]  # fmt: skip
            assert KINDS[place][kinds.index(True)] == each.kind


def test_entities_keep_the_names_of_files(tmp_path):
    found = anatomy(*PAIR, "b3", singletons="drop")
    assert {each.id for each in found.entities if each.side == "key"} <= {*map(str, range(999))}
    assert min(each.size for each in found.entities) == 2


def test_entities_of_labels_keep_their_numbers():
    """Also where singletons before them are dropped, as those of files keep their names."""
    found = anatomy(from_labels([1, 2, 2, 3, 3], [4, 5, 6, 6, 7]), metrics="b3", singletons="drop")
    of_key = [each for each in found.entities if each.side == "key"]
    assert [(each.id, each.told) for each in of_key] == [
        ("2", "partial: 1 in 3, 1 missed"),
        ("3", "partial: 1 in 3, 1 missed"),
    ]


def test_documents_in_lists_are_taken_in_their_order():
    (key, response) = anatomy([[["a", "b"]]], [[["a"]]], ["mentions", "b3"]).entities
    assert [str(each.cost["mentions"]) for each in (key, response)] == ["1/2", "0"]


@pytest.mark.parametrize("chosen", [{"average": "mean"}, {"twinless": "complete"}])
def test_what_adds_to_costs_is_refused(chosen):
    with pytest.raises(CorefError, match="leave it out"):
        anatomy({"d": KEY}, {"d": RESPONSE}, **chosen)


def test_repeats_and_other_measures_are_refused():
    with pytest.raises(CorefError, match='choose repeated="first"'):
        anatomy({"d": [["a"], ["a"]]}, {"d": [["a"]]}, repeated="each")
    with pytest.raises(CorefError, match="'kappa' has no costs"):
        anatomy({"d": KEY}, {"d": RESPONSE}, "kappa")
    with pytest.raises(CorefError, match="no costs by 'b3'; expected muc"):
        anatomy({"d": KEY}, {"d": RESPONSE}, "muc").costliest("b3")


def test_the_table_adds_up():
    """Each line is a sum over the entities that it names."""
    found = anatomy(*PAIR, ["b3", "blanc"])
    head, *lines = found.table().lines
    assert head == ["", "", "entities", "mentions alone", "b3", "blanc"]
    assert [line[:2] for line in lines] == [
        [side, kind]
        for side, kinds in zip(("key", "response"), KINDS, strict=True)
        for kind in ("equal", *kinds, "all")
    ]
    for side, kind, *numbers in lines:
        of_side = [each for each in found.entities if each.side == side]
        of = {
            "all": of_side,
            "equal": [each for each in of_side if each.equal],
        }.get(kind, [each for each in of_side if each.kind == kind])
        alone = sum(each.alone for each in of)
        costs = [sum(each.cost[measure] for each in of) for measure in ("b3", "blanc")]
        assert numbers == [str(len(of)), str(alone), *map(percent, costs)]


def test_the_command(tmp_path, capsys):
    page = tmp_path / "page.html"
    assert main(["anatomy", *PAIR, "-m", "lea", "--html", str(page)]) == 0
    out, err = capsys.readouterr()
    assert "cost most by lea" in out and "wrote" in err and page.read_text().startswith("<!doctype")
    assert main(["anatomy", *PAIR, "--format", "csv"]) == 0
    assert capsys.readouterr().out.startswith("document,side,entity,kind")
    assert main(["anatomy", *PAIR, "--like", "e2e"]) == 2


def several(tmp_path):
    """Three documents, of which the second has the dearest error, with long words."""
    rows = {
        "key": ["(1", "-", "1)", "(1)", "(2)", "(2)"],
        "response": ["(1", "-", "1)", "(2)", "(2)", "(1)"],
    }
    for side, marks in rows.items():
        text = ""
        for name, words in (("a", "Ann"), ("b", "incomprehensibilities"), ("c", "Cleo")):
            wrong = marks if name == "b" or side == "key" else rows["key"]
            lines = [f"{name}\t0\t{n}\t{words}{n}\tNN\t{mark}" for n, mark in enumerate(wrong)]
            text += "\n".join([f"#begin document ({name}); part 000", *lines, "#end document", ""])
        (tmp_path / side).write_text(text)
    return str(tmp_path / "key"), str(tmp_path / "response")


def test_the_worst_errors_of_all_documents_have_words(tmp_path, capsys):
    paths = several(tmp_path)
    assert main(["anatomy", *paths, "--top", "2"]) == 0
    out = capsys.readouterr().out.rstrip().split("\n")
    start = next(n for n, line in enumerate(out) if line.startswith("cost"))
    assert len(out[start:]) == 3 and "words" in out[start]
    found = anatomy(*paths)
    table = found.costliest_table("b3", 2)
    assert table.text().split("\n") == out[start:]
    assert len(found.costliest_table("b3").lines) == 5
    words = [line[table.lines[0].index("words")] for line in table.lines[1:]]
    assert words[0] == "incomprehensibilities0 incomprehensibil…" and len(words[0]) == 40
    for bad in ("0", "-1", "many"):
        assert main(["anatomy", *paths, "--top", bad]) == 2
    capsys.readouterr()


def test_the_page_begins_with_the_worst_errors(tmp_path):
    found = anatomy(*several(tmp_path))
    root = lxml.html.fromstring(found.to_html(measure="lea", count=3))
    first = root.xpath("//table")[0]
    assert "cost most by lea" in first.text_content()
    head, *rows = [[cell.text_content() for cell in row] for row in first.xpath(".//tr")]
    assert [head, *rows] == found.costliest_table("lea", 3).lines and len(rows) == 3
    assert first.getparent().tag != "details" and not first.xpath("preceding::details")
    ids = {each.get("id"): each for each in root.xpath("//*[@id]")}
    for row, link in zip(rows, first.xpath(".//a"), strict=True):
        of = ids[link.get("href")[1:]]
        assert [cell.text_content() for cell in of][:2] == [row[2], row[3]]
        assert of.xpath("ancestor::details/summary")[0].text == row[-1] == "b; part 000"


def test_words_are_those_of_the_entities_documents(tmp_path):
    """In whichever order files have documents, and whatever stands between their tokens."""
    texts = {"a": "Ann sees a dog", "b": "the old cat ran", "c": "no mention is here"}
    columns = {"a": ["(1)", "-", "(2", "2)"], "b": ["(1", "-", "1)", "(2)"], "c": ["-"] * 4}
    for side, names in {"key": "abc", "response": "cba"}.items():
        lines = []
        for name in names:
            tokens = zip(texts[name].split(), columns[name], strict=True)
            lines += [f"#begin document ({name}); part 000", "# a note", ""]
            lines += [f"{name}\t0\t0\t{word}\tNN\t{mark}\n\n#" for word, mark in tokens]
            lines += ["#end document", ""]
        if side == "response":
            lines = [re.sub(r"\(?\b1\)|\(1\b", "-", line) for line in lines]
        (tmp_path / side).write_text("\n".join(lines))
    found = anatomy(tmp_path / "key", tmp_path / "response", "mentions", singletons="keep")
    lines = [[line[3], line[6], line[7]] for line in found.costliest_table("mentions").lines[1:]]
    assert lines == [["1", "Ann", "a; part 000"], ["1", "the old cat", "b; part 000"]]
    assert [found.words(each) for each in found.entities if each.side == "key"] == [
        "Ann", "a dog", "the old cat", "ran"]  # fmt: skip
    folder = tmp_path / "keys"
    folder.mkdir()
    for n, document in enumerate((tmp_path / "key").read_text().split("#begin ")[1:]):
        (folder / f"{n}.conll").write_text(f"\n# before\n#begin {document}")
    again = anatomy(folder, tmp_path / "response", "mentions")
    assert again.costliest_table("mentions").lines == found.costliest_table("mentions").lines


ROWS = [("Ann", "(1)", "(1)"), (HARM, "(1)", "(1)"), ('"&quot;', "(1)", "(2)"), ("sees", "-", "-"),
        ("her", "(2)", "(2)"), ("cat", "-", "(3)"), ("dog", "(2)", "-")]  # fmt: skip


def test_the_page_shows_the_text_without_its_markup(tmp_path):
    paths = tmp_path / "key.conll", tmp_path / "response.conll"
    for side, path in enumerate(paths, 1):
        lines = [f"d\t0\t{i}\t{row[0]}\t-\t{row[side]}" for i, row in enumerate(ROWS)]
        name = "(<i>d</i>); part 000"
        path.write_text("\n".join([f"#begin document {name}", *lines, "#end document", ""]))
    page = anatomy(*paths).to_html("<b>title")
    assert "<script" not in page and "<i>" not in page and "<b>" not in page
    assert "default-src 'none'" in page and not re.search(r"https?:|src=|@import|url\(", page)
    root = lxml.html.fromstring(page)
    (text, *_) = root.xpath("//details/p")
    words = re.sub(r"[\[\]()]\d*", "", text.text_content().replace(HARM, "HARM"))
    assert words == 'Ann HARM "&quot; sees her cat dog'
    wrong = [each.text for each in root.xpath("//p/a[contains(@class, 'error')][@id]")]
    # "&quot; is in another entity, so is her, the key has no cat, and the response no dog.
    assert wrong == ["[", "(", "(", "["]
    assert root.xpath("//meta[@name='viewport']") and root.xpath("//details//th[@scope='col']")
    ids = {each.get("id") for each in root.xpath("//*[@id]")}
    assert {each.get("href")[1:] for each in root.xpath("//a")} <= ids


def test_links_hold_beside_a_document_without_entities():
    key = {"a": "", "b": "{x y} {z w}", "c": "{x y} {z w}"}
    response = {"a": "", "b": "{x y z} {w}", "c": "{x y} {z w}"}
    root = lxml.html.fromstring(anatomy(key, response).to_html())
    (dearest,) = root.xpath("//table[contains(caption, 'cost most')]")
    rows = [root.get_element_by_id(to.removeprefix("#")) for to in dearest.xpath(".//@href")]
    assert [row.xpath("string(ancestor::details/summary)") for row in rows] == ["b", "b"]
