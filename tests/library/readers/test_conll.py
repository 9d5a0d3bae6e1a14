"""CoNLL-2012 files, beside conll.cases: what makes no difference, and what is long.

If one of these failed, a file would get a wrong score without a word, or a user would not know
which line to mend.
"""

from __future__ import annotations

import pickle
import re
import warnings
from pathlib import Path

import pytest
from corefbook.ledger import DATA
from hypothesis import given
from hypothesis import strategies as st
from rows import every_row

from corefeval import CorefError, Partition, evaluate, read
from corefeval.cli import main
from corefeval.conventions import Conventions
from corefeval.readers import read_pair
from corefeval.readers.conll import documents


def document(*columns: str, name: str = "(d); part 000", words: str | None = None) -> str:
    """A document with these last columns, and the words w0 w1 … or those given."""
    tokens = (words or " ".join(f"w{i}" for i in range(len(columns)))).split()
    lines = [
        f"d\t0\t{i}\t{word}\t{column}"
        for i, (word, column) in enumerate(zip(tokens, columns, strict=True))
    ]
    return "\n".join([f"#begin document {name}", *lines, "#end document", ""])


def one(folder: Path, text: str, **chosen: str) -> Partition:
    """The only document of a file with this text."""
    (partition,) = read(write(folder, text), **chosen).values()
    return partition


def write(folder: Path, text: str) -> str:
    (folder / "a.conll").write_text(text, encoding="utf-8", newline="")
    return "a.conll"


def refusal(folder: Path, text: str | bytes, **chosen: str) -> str:
    """The message with which a file is refused."""
    content = text.encode() if isinstance(text, str) else text
    (folder / "a.conll").write_bytes(content)
    with pytest.raises(CorefError) as raised:
        read("a.conll", **chosen)
    return str(raised.value)


def pair(folder: Path, key: str, response: str) -> tuple[dict, dict]:
    (folder / "key.conll").write_text(key, encoding="utf-8", newline="")
    (folder / "response.conll").write_text(response, encoding="utf-8", newline="")
    return read_pair("key.conll", "response.conll")


def pair_refusal(folder: Path, key: str, response: str) -> str:
    (folder / "key.conll").write_text(key, encoding="utf-8", newline="")
    (folder / "response.conll").write_text(response, encoding="utf-8", newline="")
    with pytest.raises(CorefError) as raised:
        evaluate("key.conll", "response.conll", "muc")
    return str(raised.value)


# What makes no difference

CLEAN = document("(0", "0)", "(0)|(1", "1)", name="(d); part 000") + document(
    "(0)", "(0)", name="(e); part 000"
)
CLEAN_READ = {
    "d; part 000": Partition([[(0, 1), (2, 2)], [(2, 3)]]),
    "e; part 000": Partition([[(0, 0), (1, 1)]]),
}


def reversed_documents(text: str) -> str:
    first, second = re.findall(r"#begin.*?#end document\n", text, re.DOTALL)
    return second + first


HARMLESS = {
    "clean": lambda text: text,
    "Windows line ends": lambda text: text.replace("\n", "\r\n"),
    "old Macintosh line ends": lambda text: text.replace("\n", "\r"),
    "a byte-order mark": lambda text: "\ufeff" + text,
    "a byte-order mark in the middle": lambda text: text.replace(
        "document\n#", "document\n\ufeff#"
    ),
    "no final newline": lambda text: text.removesuffix("\n"),
    "runs of spaces": lambda text: text.replace("\t", "    "),
    "tabs and spaces": lambda text: text.replace("\t", " \t "),
    "a trailing tab": lambda text: re.sub(r"(?m)^(d.*)$", r"\1\t", text),
    "trailing spaces everywhere": lambda text: text.replace("\n", "  \n"),
    "leading spaces everywhere": lambda text: re.sub(r"(?m)^(?=.)", "  ", text),
    "no empty lines": lambda text: text.replace("\n\n", "\n"),
    "empty lines everywhere": lambda text: text.replace("\n", "\n\n"),
    "lines of blanks": lambda text: text.replace("\n", "\n \t \n"),
    "lines of odd blanks": lambda text: text.replace("\n", "\n\v\n\u3000\n"),
    "comments": lambda text: text.replace("\n", "\n# a comment\n#\n# (1) - like this\n#-\n# 1\n"),
    "indented comments": lambda text: text.replace("\n", "\n  # a comment\n"),
    "documents in another order": reversed_documents,
    "underscores": lambda text: text.replace("\t-", "\t_"),
    "end with a name": lambda text: text.replace("#end document", "# end document (d)"),
    "characters that some take for line ends": lambda text: text.replace("w1", "w\x85\u2028\v"),
    "words that look like directives": lambda text: text.replace("w1", "#begin"),
    "words that look like brackets": lambda text: text.replace("w1", "(1)"),
    "lines that begin with a quotation mark": lambda text: re.sub(r"(?m)^d\t", '"d\t', text),
}


@every_row("change", HARMLESS.values())
def test_harmless(folder, change):
    """Token for token the same: the score is perfect, and nothing is warned of but words."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*'w1'")
        key, response = pair(folder, CLEAN, change(CLEAN))
    assert key == response == CLEAN_READ


def test_a_document_without_mentions_scores_as_empty(folder):
    key, response = pair(folder, document("(0)", "(0)"), document("-", "-"))
    assert response == {"d; part 000": Partition()}
    # No link of the one that the key needs; the response has none at all: 0/0.
    with pytest.warns(UserWarning, match="the key has 2, the response 0"):
        score = evaluate(key, response, "muc").total["muc"]
    assert str(score.counts.recall) == "0/1" and str(score.counts.precision) == "0/0"


# What is refused


def test_messages_cut_long_lines(folder):
    message = refusal(folder, "#begin document (d)\n" + "x" * 900 + "\n#end document\n")
    assert len(message) < 250 and "xxx..." in message


def test_no_permission(folder, monkeypatch):
    def refuse(*_):  # a mode of 000 would not keep root out
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(CorefError, match=r"^a\.conll: cannot read it: permission denied"):
        read("a.conll")


# A key and a response side by side


ZEROS = ["(a)", "(a); part 0", "(a); part 000", "(a_0)"]


@pytest.mark.parametrize("key", ZEROS)
def test_a_part_is_a_number(folder, key):
    """As LitBank writes part 0, others part 000, WikiCoref none and e2e-coref _0."""
    texts = [document("(0)", "-", name=key), document("-", "(3)", name="(b); part 001")]
    for other in ZEROS:
        Path("key.conll").write_text("".join(texts))
        response = [document("(1)", "-", name=other), document("-", "(3)", name="(b_1)")]
        Path("response.conll").write_text("".join(response))
        ours, theirs = read_pair("key.conll", "response.conll", Conventions())
        assert ours == theirs and list(ours) == list(theirs), other
        assert list(ours)[1] == "b; part 001"
        words = [document("(1)", "-", name=other).replace("w0", "x"), response[1]]
        Path("response.conll").write_text("".join(words))
        with pytest.warns(UserWarning, match="token 0 is 'w0' in key.conll, line 2, but 'x'"):
            read_pair("key.conll", "response.conll", Conventions())
        Path("response.conll").write_text(document("(1)", "-", "-", name=other) + response[1])
        with pytest.raises(CorefError, match="2 tokens here and 3 in"):
            read_pair("key.conll", "response.conll", Conventions())


def test_a_token_more_on_one_side(folder):
    key = document("(0)", "-", "(0)", words="a b c")
    response = "# a comment\n" + document("(0)", "(0)", words="a c")
    message = pair_refusal(folder, key, response)
    for told in (
        "key.conll, line 1: document 'd; part 000' has 3 tokens here",
        "2 in response.conll, line 2",
        "'b' in key.conll, line 3",
        "'c' in response.conll, line 4",
    ):
        assert told in message


def test_empty_lines_part_sentences_and_comments_do_not(folder):
    lines = ["a -", "# a remark", "b -", "", "c -", "", "# another", "d -"]
    text = "\n".join(["#begin document (d)", *lines, "#end document", ""])
    (found,) = documents(write(folder, text))
    assert found.sentences == [0, 2, 3]


def test_other_words_in_many_documents_are_one_warning(folder):
    """Whether their files are of the same documents is asked where most documents differ."""
    names = [f"({n})" for n in range(100)]
    key = "".join(document("(0)", name=name, words="a") for name in names)
    told = []
    for differing in (50, 51):
        words = ["b"] * differing + ["a"] * (100 - differing)
        pairs = zip(names, words, strict=True)
        response = "".join(document("(0)", name=name, words=word) for name, word in pairs)
        with pytest.warns(UserWarning) as warned:
            pair(folder, key, response)
        (message,) = warned
        told.append(str(message.message))
    first = (
        "words differ in {} of 100 documents, and are scored by position all the same; the first: "
        "document '0': token 0 is 'a' in key.conll, line 2, but 'b' in response.conll, line 2"
    )
    question = "; are these files of the same documents?"
    assert told == [first.format(50), first.format(51) + question]


def test_other_columns_than_the_word_are_no_concern(folder):
    key = document("(0)", "(0)").replace("d\t0\t", "d\t7\t")
    pair(folder, key, document("(0)", "(0)"))  # a warning would be an error


def test_words_of_a_file_without_are_not_compared(folder):
    key = document("(0)", "(0)")
    pair(folder, key, re.sub(r"(?m)^d\t0\t\d\t", "", key))


# Large files


def test_line_numbers_in_a_file_of_many_blocks(folder):
    """A file is read in blocks of whole lines: runs and documents go on from one to the next."""
    size = 20_000
    text = document(*["-", "(0)"] * (size // 2), "(3", name="(d)")
    assert refusal(folder, text).startswith(f"a.conll, line {size + 2}: ")
    bad = document(*["-"] * size, words="w " * (size - 1) + "é").encode("latin-1")
    assert refusal(folder, bad).startswith(f"a.conll, line {size + 1}: byte 0xe9 is not UTF-8")
    mentions = one(folder, document("(1", *["-"] * size, "1)")).mentions
    assert mentions == {(0, size + 1)}


# Round trip


@st.composite
def partitions(draw: st.DrawFn) -> tuple[int, list[list[tuple[int, int]]]]:
    """A number of tokens and entities whose spans the format can tell apart.

    It cannot where two mentions of one entity cross, or where one begins as the other ends.
    """
    size = draw(st.integers(1, 12))
    token = st.integers(0, size - 1)
    spans = draw(st.sets(st.tuples(token, token).map(sorted).map(tuple), max_size=15))
    entities: list[list[tuple[int, int]]] = [[] for _ in range(5)]
    for a, b in sorted(spans):
        entity = entities[draw(st.integers(0, 4))]
        if not any(c < a <= d < b or a < c <= b < d for c, d in entity):
            entity.append((a, b))
    return size, [entity for entity in entities if entity]


@given(partitions(), st.randoms(use_true_random=False))
def test_what_is_written_is_read(tmp_path_factory, written, random):
    size, entities = written
    columns: list[list[str]] = [[] for _ in range(size)]
    for number, entity in enumerate(entities):
        for a, b in entity:
            if a == b:
                columns[a].append(f"({number})")
            else:
                columns[a].append(f"({number}")
                columns[b].append(f"{number})")
    for column in columns:
        random.shuffle(column)
    path = tmp_path_factory.mktemp("written") / "a.conll"
    path.write_text(document(*("|".join(column) or "-" for column in columns)))
    assert read(path) == {"d; part 000": Partition(entities)}


def test_the_guidebook():
    """Popescu-Belis, section 1.4 and Table 1: 17 mentions in entities of these sizes."""
    folder = DATA / "examples"
    files = folder / "guidebook.key.conll", folder / "guidebook.response.conll"
    key, response = (next(iter(side.values())) for side in read_pair(*files))
    assert sorted(key.mentions) == sorted(response.mentions) and len(key.mentions) == 17
    number = {mention: i for i, mention in enumerate(sorted(key.mentions), 1)}
    assert [[number[m] for m in entity] for entity in key] == [
        [1, 2], [3, 4, 5], [6, 7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17],
    ]  # fmt: skip
    assert [[number[m] for m in entity] for entity in response] == [
        [1, 2, 6, 7, 8, 9, 10], [3, 4, 5, 11, 12, 13, 14, 15, 16], [17],
    ]  # fmt: skip
    counts = evaluate(*files, "muc").total["muc"].counts
    assert (str(counts.recall), str(counts.precision)) == ("11/13", "11/14")


# Documents of several blocks


def long_document(tokens: int, width: int, odd: int = -1) -> str:
    """A document whose blocks end elsewhere than those of another width; one word may be odd."""
    columns = [("(0)", "(1", "1)", "-", "-")[token % 5] for token in range(tokens)]
    lines = [
        f"{'d' * width}\t0\t{token}\t{'odd' if token == odd else 'w'}\t{column}"
        for token, column in enumerate(columns)
    ]
    return "\n".join(["#begin document (d)", *lines, "#end document", ""])


def test_blocks_of_a_document_are_read_as_one(folder):
    Path("key.conll").write_text(long_document(20_000, 3))
    Path("response.conll").write_text(long_document(20_000, 30))
    spans = [[(t, t) for t in range(0, 20_000, 5)], [(t, t + 1) for t in range(1, 20_000, 5)]]
    assert [side["d"] for side in read_pair("key.conll", "response.conll")] == [
        Partition(spans)
    ] * 2
    assert read("key.conll") == {"d": Partition(spans)}


def test_another_word_in_a_later_block_names_lines(folder):
    Path("key.conll").write_text(long_document(20_000, 3, odd=19_000))
    Path("response.conll").write_text("\n" + long_document(20_000, 30))
    where = "token 19000 is 'odd' in key.conll, line 19002, but 'w' in response.conll, line 19003"
    with pytest.warns(UserWarning, match=where):
        read_pair("key.conll", "response.conll")


@pytest.mark.parametrize("tokens", [19_995, 5, 19_000])
def test_a_long_document_with_fewer_tokens_is_refused(folder, tokens):
    Path("key.conll").write_text(long_document(20_000, 3))
    Path("response.conll").write_text(long_document(tokens, 30))
    with pytest.raises(CorefError, match=f"20000 tokens here and {tokens} in"):
        read_pair("key.conll", "response.conll")


# Several faulty files


def test_all_faulty_files_of_a_folder_are_told(folder, capsys):
    """Of no more than ten; one file alone is told as ever."""
    for side in ("keys", "responses"):
        Path(side).mkdir()
        for name in "abcdefghijklm":
            Path(side, name).write_text(document("(0)", "-", name=f"({name})"))
    broken = [Path("responses", name) for name in "bdefghijklm"]
    for number, path in enumerate(broken, 1):
        path.write_text(path.read_text().replace("(0)", "(0"))
        assert main(["score", "keys", "responses"]) == 2
        lines = capsys.readouterr().err.splitlines()
        files = [line.removeprefix("corefeval: error: ").partition(",")[0] for line in lines]
        assert files[:10] == [str(each) for each in broken[: min(number, 10)]]
        assert lines[10:] == (["no more than 10 faults are told"] if number > 9 else [])
    with pytest.raises(CorefError) as raised:
        evaluate("keys", "responses")
    assert str(raised.value).count("opens a mention of entity 0 that is not closed") == 10
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)


def test_mentions_given_twice_are_told_of_all_files(folder, capsys):
    for side in ("keys", "responses"):
        Path(side).mkdir()
        for name in "abc":
            twice = "(0)|(1)" if (side, name) in [("keys", "b"), ("responses", "c")] else "(0)"
            Path(side, name).write_text(document(twice, "(1)", name=f"({name})"))
    assert main(["score", "keys", "responses"]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert "keys/b, line 2: document 'b': mention (0, 0) is in entities 0 and 1" in first
    assert "responses/c, line 2: document 'c': mention (0, 0) is in entities 0 and 1" in second
