"""The annotated story: its key says what its guidelines say, its systems do what they state."""

import re
from collections import Counter
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from corefbook.ledger import DATA
from corefbook.studies import story
from corefbook.studies.story import Text

from corefeval import metric
from corefeval.readers import read

EXAMPLES = DATA / "examples"
TEXT, KEY = story.load()
RESPONSES = story.responses()
PERSONAL = (
    "i me my mine myself you your yours yourself he him his himself she her hers herself "
    "it its itself we us our ours ourselves they them their theirs themselves"
)
EXPLETIVES = ["it would probably", "It is not", "It was a"]


def words(mention):
    return " ".join(TEXT.span(mention))


def entity(of):
    """The entity of the first mention with these words."""
    first = next(mention for mention in TEXT.mentions if words(mention) == of)
    return [words(m) for m in sorted(KEY.entities[KEY.entity_of[first]])]


# The key


def test_no_two_mentions_cross():
    for number, (first, last) in enumerate(TEXT.mentions):
        inner = [m for m in TEXT.mentions[number + 1 :] if m[0] <= last]
        assert all(first <= begin and end <= last for begin, end in inner)


def test_every_pronoun_but_expletives_is_a_mention():
    places = [n for n, word in enumerate(TEXT.words) if word.lower() in PERSONAL.split()]
    unmarked = [" ".join(TEXT.words[n : n + 3]) for n in places if (n, n) not in KEY.mentions]
    assert unmarked == EXPLETIVES


def test_every_name_and_every_woman_is_a_mention():
    starts = {mention[0] for mention in TEXT.mentions}
    for name in ("Conradin", "Mrs.", "Sredni"):
        places = [n for n, word in enumerate(TEXT.words) if word == name]
        assert places and starts.issuperset(places)
    assert sum(words(m).lower() == "the woman" for m in TEXT.mentions) == TEXT.words.count("Woman")


def test_mentions_begin_and_end_with_their_words():
    for mention in TEXT.mentions:
        first, last = TEXT.span(mention)[0], TEXT.span(mention)[-1]
        assert re.match(r"\w", first) and re.match(r"\w", last)
        assert first.lower() not in {"there", "of", "in", "and", "who", "which", "nothing", "no"}
        assert last not in {"'s", "of", "in", "and"}


def test_pronouns_of_an_entity_agree():
    """An entity has he or she or it, but for the hen and the god, who is also a beast."""
    mixed = []
    for each in KEY:
        forms = {words(m).lower() for m in each} & story.PRONOUN_OF.keys()
        if len({story.PRONOUN_OF[form] for form in forms} - {"i", "you"}) > 1:
            mixed.append(words(min(each)).split()[:3])
    assert mixed == [["a", "large", "polecat-ferret"], ["it"]]  # it's guinea-pigs … them


def test_small_entities_read_as_they_should():
    assert entity("the doctor") == ["the doctor", "his", "The doctor", "his", "the doctor"]
    assert entity("a boon") == ["a boon", "one thing", "The thing", "one thing"]
    assert entity("acute toothache") == ["acute toothache", "the toothache", "the malady"]
    assert entity("His enemies") == ["His enemies", "them"]
    assert entity("an Anabaptist") == ["an Anabaptist", "it"]
    assert entity("a heavy burden") == ["a heavy burden"]


def test_the_main_characters_are_the_largest_entities():
    by_size = sorted(KEY, key=len, reverse=True)
    heads = [Counter(story.head(TEXT, m) for m in each) for each in by_size[:3]]
    assert heads[0]["conradin"] == TEXT.words.count("Conradin")
    assert heads[1]["woman"] == TEXT.words.count("Woman")
    assert heads[2]["vashtar"] == TEXT.words.count("Vashtar")


# The systems, on sentences small enough to do by hand


def text(marked):
    """A text from words with brackets around mentions."""
    words, mentions, opened = [], [], []
    for word in marked.split():
        if word == "[":
            opened.append(len(words))
        elif word == "]":
            mentions.append((opened.pop(), len(words) - 1))
        else:
            words.append(word)
    return Text.of(words, mentions)


def named(given, partition):
    """A partition with the words of its mentions and their first places: the cat 0."""
    return {frozenset(" ".join(given.span(m)) + f" {m[0]}" for m in each) for each in partition}


SMALL = text(
    "[ Ann ] saw [ the old cat ] . [ She ] fed [ it ] . [ Ann 's [ cat ] ] saw [ the cats ] ."
)
NAMES = ["Ann 0", "the old cat 2", "She 6", "it 8", "Ann 's cat 10", "cat 12", "the cats 14"]


@pytest.mark.parametrize(
    ("system", "joined"),
    [
        (story.singletons, []),
        (story.one_entity, [NAMES]),
        # A name and an animal may be he, she or it; so nothing but the pronouns differ from them.
        (story.agreement, [["Ann 0", "the old cat 2", "Ann 's cat 10", "cat 12"]]),
        (story.same_head, [["the old cat 2", "Ann 's cat 10", "cat 12"]]),
        # The cat may be she; it goes past She to the cat; cat does not count as before its holder.
        (story.nearest, [["the old cat 2", "She 6", "it 8", "Ann 's cat 10", "cat 12"]]),
    ],
)
def test_systems_on_a_small_text(system, joined):
    alone = [[name] for name in {*NAMES}.difference(*joined)]
    assert named(SMALL, system(SMALL)) == set(map(frozenset, joined + alone))


def test_all_systems_but_one_keep_their_mentions():
    *given, own = RESPONSES.values()
    assert len(given) == 5
    assert all(response.mentions == KEY.mentions for response in given)
    assert own.mentions - KEY.mentions and KEY.mentions - own.mentions


# Files, scores, display


STORED = {name: response for name, response in RESPONSES.items() if name != "agreement"}
STORED |= {"random": story.drawn(KEY)}


@pytest.mark.parametrize("name", STORED)
def test_stored_responses_are_what_the_systems_make(name):
    response = STORED[name]
    path = EXAMPLES / f"sredni-vashtar.{name.replace(' ', '-')}.conll"
    assert list(read(path).values()) == [response]


def test_crude_responses_score_what_sizes_give():
    one, alone = (RESPONSES[name] for name in ("one entity", "singletons"))
    mentions, entities = len(KEY.mentions), len(KEY)
    squares = sum(k * k for k in KEY.sizes)
    assert metric("muc")(KEY, one).exact[:2] == (1, Fraction(mentions - entities, mentions - 1))
    assert metric("muc")(KEY, alone).exact[:2] == (0, 0)
    assert metric("b3")(KEY, one).exact[:2] == (1, Fraction(squares, mentions**2))
    assert metric("b3")(KEY, alone).exact[:2] == (Fraction(entities, mentions), 1)
    assert metric("ceafm")(KEY, one).exact.recall == Fraction(max(KEY.sizes), mentions)


def test_marked_html_says_every_word():
    html = ElementTree.fromstring(f"<div>{story.Marked(KEY)._repr_html_()}</div>")
    assert len(html.findall("p")) == len(story.sentences())
    assert len(html.findall(".//span")) == len(KEY.mentions)
    for sub in html.iter("sub"):
        sub.text = ""
    said = re.sub(r"\s+", "", "".join(html.itertext()).replace("[", "").replace("]", ""))
    assert said == "".join(TEXT.words)


def test_marked_numbers_entities_from_the_largest():
    html = story.Marked(KEY, count=1)._repr_html_()
    shown = "".join(ElementTree.fromstring(html).itertext())
    assert shown.startswith("[Conradin]1 was ten years old, and [the doctor]")
    assert "[[his]" in shown and "[another five years]]" in shown
