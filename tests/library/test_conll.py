"""CoNLL-2012 files: what is read, what is refused and with which words, what makes no difference.

If one of these failed, a file would get a wrong score without a word, or a user would not know
which line to mend.
"""

from __future__ import annotations

import gzip
import pickle
import re
import warnings
from pathlib import Path

import pytest
from companion.ledger import DATA
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


# What is read


@every_row(
    "columns, entities",
    [
        pytest.param(["(0)", "-", "(0)"], [[(0, 0), (2, 2)]], id="one token"),
        pytest.param(["(0", "-", "0)"], [[(0, 2)]], id="three tokens"),
        pytest.param(["(0", "(1)", "0)"], [[(0, 2)], [(1, 1)]], id="nested"),
        pytest.param(["(0|(1", "1)", "0)"], [[(0, 2)], [(0, 1)]], id="nested, same beginning"),
        pytest.param(["(0", "(1", "0)|1)"], [[(0, 2)], [(1, 2)]], id="nested, same end"),
        pytest.param(["(0", "(1", "0)", "1)"], [[(0, 2)], [(1, 3)]], id="crossing"),
        pytest.param(["(0", "(0", "0)", "0)"], [[(0, 3), (1, 2)]], id="last in, first out"),
        pytest.param(["(0", "0)|(1", "1)"], [[(0, 1)], [(1, 2)]], id="end and beginning"),
        pytest.param(["(0", "(0)|0)"], [[(0, 1), (1, 1)]], id="one token inside its own entity"),
        pytest.param(["0)|(0"], [[(0, 0)]], id="a beginning comes before an end"),
        pytest.param(["(7|7)"], [[(0, 0)]], id="one token in two parts"),
        pytest.param(["(0(1", "(2)1)", "0)"], [[(0, 2)], [(0, 1)], [(1, 1)]], id="no bars"),
        pytest.param(["(3)(4", "4)(3)"], [[(0, 0), (1, 1)], [(0, 1)]], id="no bar, one token"),
        pytest.param(["_", "(3)", "_"], [[(1, 1)]], id="underscore for none"),
        pytest.param(["(12345678901234567890)"], [[(0, 0)]], id="long id"),
        pytest.param(["-", "-"], [], id="no mentions"),
        pytest.param([], [], id="no tokens"),
        pytest.param(
            ["(abstract-1", "(place-9-Paris)abstract-1)", "(person-2)"],
            [[(0, 1)], [(1, 1)], [(2, 2)]],
            id="names, as GUM writes them",
        ),
        pytest.param(
            ["(a-4", "(c)(b-5", "a-4)b-5)", "(c-%28é)"],
            [[(0, 2)], [(1, 1)], [(1, 2)], [(3, 3)]],
            id="names, no bars",
        ),
        pytest.param(["(a", "(b)a)|(c", "c)"], [[(0, 1)], [(1, 1)], [(1, 2)]], id="names, a bar"),
    ],
)
def test_mentions(folder, columns, entities):
    assert one(folder, document(*columns)) == Partition(entities)


def test_entities_are_in_the_order_in_which_they_begin(folder):
    # In a line, one-token mentions come first: as in the reference scorer.
    partition = one(folder, document("(9|(8)", "(7", "7)|9)"))
    assert list(partition) == [[(0, 0)], [(0, 2)], [(1, 2)]]


HASHTAGS = """#begin document (d); part 000
#MeToo\t(0)
is\t-
it\t(0)
#\t(1)
hash\t(1)
#end document
"""


def test_a_word_may_begin_with_the_sign_of_a_comment(folder):
    assert one(folder, HASHTAGS) == Partition([[(0, 0), (2, 2)], [(3, 3), (4, 4)]])
    key, response = pair(folder, HASHTAGS, HASHTAGS.replace("it\t(0)", "it\t-"))
    # As the reference scorer: one of two links, three of four mentions.
    total = evaluate(key, response, ["muc", "mentions"]).total
    assert str(total["muc"].counts.recall) == "1/2"
    assert str(total["mentions"].counts.recall) == "3/4"


@every_row(
    "column, entities",
    [
        ("-", []),
        ("_", []),
        ("(3)", [[(1, 1)]]),
        ("(1)|(2)", [[(1, 1)], [(1, 1)]]),
        ("(1)(2)", [[(1, 1)], [(1, 1)]]),
    ],
)
@every_row("line", ["#w {}", "# {}", "#\t{}", "  #w\t{}\t", "# a comment {}"])
def test_a_line_with_a_coreference_column_is_a_token(folder, line, column, entities):
    text = document("-", "-").replace("#end", f"{line.format(column)}\n#end")
    lines = text.splitlines(keepends=True)
    lines[2], lines[3] = lines[3], lines[2]
    (read_one,) = documents(write(folder, "".join(lines)))
    assert len(read_one.tokens) == 3
    assert list(read_one.entities.values()) == entities


@pytest.mark.parametrize("line", ["#end document (3)", "# end document -"])
def test_an_end_is_no_token(folder, line):
    assert one(folder, document("(3)").replace("#end document", line)) == Partition([[(0, 0)]])


def test_outside_a_document_it_is_a_comment(folder):
    assert one(folder, "# see (3)\n" + document("(0)") + "# -\n") == Partition([[(0, 0)]])


@pytest.mark.parametrize(
    ("begin", "name"),
    [
        ("#begin document (bc/cctv_0000); part 001", "bc/cctv_0000; part 001"),
        ("# begin  document  ( bc/cctv_0000 ) ;  part  001 ", "bc/cctv_0000; part 001"),
        ("#begin document (bc/cctv_0000)", "bc/cctv_0000"),
        ("#begin document (LuoTestCase);", "LuoTestCase"),
        ("#begin document bc/cctv_0000", "bc/cctv_0000"),
        ("#begin document bc/cctv_0000; part 001", "bc/cctv_0000; part 001"),
        ("#begin document (a (b); c); part x", "a (b); c; part x"),
        ("#begin document two words", "two words"),
        ("  #begin document (d)", "d"),
        ("#BEGIN DOCUMENT (d)", "d"),
    ],
)
def test_document_id(folder, begin, name):
    Path("a.conll").write_text(f"{begin}\nw -\n#end document\n")
    assert list(read("a.conll")) == [name]


def test_parts_of_one_name_are_documents(folder):
    text = document("(0)", name="(d); part 000") + document("(0)", "(0)", name="(d); part 001")
    Path("a.conll").write_text(text)
    assert read("a.conll") == {
        "d; part 000": Partition([[(0, 0)]]),
        "d; part 001": Partition([[(0, 0), (1, 1)]]),
    }


def test_documents_are_in_the_order_of_the_file(folder):
    names = ["(c)", "(a)", "(b)"]
    Path("a.conll").write_text("".join(document("-", name=name) for name in names))
    assert list(read("a.conll")) == ["c", "a", "b"]


def test_an_id_means_an_entity_of_its_document_only(folder):
    key = document("(0)", name="(d)") + document("(0)", name="(e)")
    Path("a.conll").write_text(key)
    assert [len(partition) for partition in read("a.conll").values()] == [1, 1]


BARE = document("(8", "8", "(9)|8", "8)", "-") + document("(3", "3", "3)", name="(e)")


def test_bare_numbers_of_open_mentions_are_ignored_with_one_warning(folder):
    """As in the keys of GVC, FCC-T and CLIN26; scorers ignore them, too."""
    with pytest.warns(UserWarning) as warned:
        partitions = read(write(folder, BARE))
    assert list(partitions.values()) == [Partition([[(0, 3)], [(2, 2)]]), Partition([[(0, 2)]])]
    (told,) = [str(each.message) for each in warned]
    assert told.startswith("a.conll, line 3: document 'd; part 000'")
    assert "the bare number of an entity" in told and ": 3)" in told
    with pytest.warns(UserWarning) as warned:
        pair(folder, BARE, BARE)
    assert len(warned) == 1 and ": 6)" in str(warned[0].message)


def test_bare_numbers_change_no_score(folder):
    (folder / "bare.conll").write_text(BARE)
    (folder / "clean.conll").write_text(
        re.sub(r"(\||\t)\d$", "\t-", BARE, flags=re.MULTILINE).replace("(9)\t-", "(9)")
    )
    with pytest.warns(UserWarning):
        assert read("bare.conll") == read("clean.conll")


GUM = """# begin document GUM_a
0\tOn\t_
1\tZurbar\u00e1n\t(object-45(person-47-Francisco_de_Zurbar\u00e1n)
2\tartworks\tobject-45)
# end document

# begin document GUM_b
0\t#art\t(abstract-1)
# end document
"""


def test_files_in_the_shape_of_gum(folder):
    assert read(write(folder, GUM)) == {
        "GUM_a": Partition([[(1, 2)], [(1, 1)]]),
        "GUM_b": Partition([[(0, 0)]]),
    }


def test_a_hashtag_with_a_name(folder):
    text = document("(a)", "-").replace(
        "#end", "#art\t(a)\n# see\t(above\n# see what is (above)\n#end"
    )
    with pytest.raises(CorefError, match=r"line 5.*above"):
        one(folder, text)
    assert one(folder, text.replace("# see\t(above\n", "")) == Partition([[(0, 0), (2, 2)]])


@every_row("line", ["#tag\tx\t0", "# see\twhat", "# 0 2 w2 (above)"])
def test_what_may_be_a_comment_or_a_broken_token_is_refused(folder, line):
    text = document("(1)", "-").replace("#end", f"{line}\n#end")
    assert "a.conll, line 4: document 'd; part 000'" in refusal(folder, text)


@pytest.mark.parametrize("blank", ["", " ", "  "])
def test_a_document_may_not_begin_in_another_however_it_is_written(folder, blank):
    text = f"#{blank}begin document (c)\nw\t-\n#{blank}begin document (d)\nw\t-\n#end document\n"
    assert "a.conll, line 1: document 'c' begins here and is still open in line 3" in refusal(
        folder, text
    )


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

TWICE = document("(0)", name="(d)")

BAD = {
    "unclosed": (
        document("-", "(3", "-"),
        ["a.conll, line 3", "document 'd; part 000'", "'(3'", "'3)'", "line 5"],
    ),
    "unclosed, other entity closed": (document("(3", "(4", "4)"), ["line 2", "entity 3"]),
    "unclosed in an inner mention": (document("(3", "(3", "3)"), ["line 2", "entity 3"]),
    "close without open": (
        document("-", "(3)", "3)"),
        ["a.conll, line 4", "document 'd; part 000'", "'3)'", "'(3'"],
    ),
    "open in the document before": (
        document("(3", "3)", name="(c)") + document("3)", name="(d)"),
        ["a.conll, line 6", "document 'd'", "'3)'"],
    ),
    "begun twice": (
        TWICE + TWICE,
        ["a.conll, line 4", "document 'd'", "line 1", "part number"],
    ),
    "begun inside another": (
        document("-", "-", name="(c)").replace("#end document\n", "") + TWICE,
        ["a.conll, line 1", "document 'c'", "still open in line 4", "'#end document'"],
    ),
    "no end": (
        document("-", "(0)").replace("#end document\n", ""),
        ["a.conll, line 1", "document 'd; part 000'", "#end document", "cut off"],
    ),
    "end without begin": (
        TWICE + "#end document\n",
        ["a.conll, line 4", "'#end document' begins no document", "#begin document"],
    ),
    "token before the first document": (
        "d 0 0 stray -\n" + TWICE,
        ["a.conll, line 1", "stray", "begins no document", "#begin document"],
    ),
    "a line that sorts before a comment": (
        '"d" 0 0 stray -\n' + TWICE,
        ["a.conll, line 1", "stray", "begins no document"],
    ),
    "token after the last document": (
        TWICE + "\nd 0 0 stray -\n",
        ["a.conll, line 5", "stray", "begins no document"],
    ),
    "tokens after the last document": (
        TWICE + "\nd 0 0 stray -\nd 0 1 next -\nd 0 2 last -\n",
        ["a.conll, line 5", "stray", "begins no document"],
    ),
    "no begin": ("d 0 0 w0 (0)\n", ["a.conll, line 1", "begins no document", "#begin document"]),
    "no begin, but an end": (
        "d 0 w (0)\n#end document\n",
        ["a.conll, line 1", "begins no document"],
    ),
    "nothing but comments": ("# nothing\n\n", ["a.conll", "no document", "#begin document"]),
    "empty": ("", ["a.conll", "no document", "#begin document"]),
    "nothing but blanks": (" \n\n", ["a.conll", "no document"]),
    "nothing but a byte-order mark": ("\ufeff", ["a.conll", "no document"]),
    "no name": (
        "#begin document ();\n",
        ["a.conll, line 1", "begins no document", "#begin document (NAME)"],
    ),
    "id that begins with a sign": (
        document("-", "(-a)"),
        ["a.conll, line 3", "'(-a)'", "the number of an entity"],
    ),
    "a name without a bracket": (
        document("(a", "a", "a)"),
        ["a.conll, line 3", "the last column is 'a'"],
    ),
    "a name and a number": (
        document("(a)", "(7)"),
        [
            "a.conll, line 3: document 'd; part 000': entity '7' has a number, but entity 'a' of "
            "a.conll, line 2",
        ],
    ),
    "names in one document, numbers in the next": (
        document("(7", "7)", name="(c)") + document("-", "(a)", name="(d)"),
        [
            "a.conll, line 7: document 'd': entity 'a' has a name, but entity '7' of a.conll, "
            "lines 2 to 3: document 'c'",
        ],
    ),
    "a closing name that is not open": (
        document("(a-1", "a-2)"),
        ["a.conll, line 3", "'a-2)' closes entity a-2, which is not open"],
    ),
    "a bare number after its mention": (
        document("(8", "8)", "8"),
        ["a.conll, line 4", "'8'", "no mention of entity 8 is open", "'(12)'"],
    ),
    "a bare number where its mention begins": (document("8|(8", "8)"), ["line 2", "'8|(8'"]),
    "a bare number without a bar": (document("(8", "(9)8", "8)"), ["line 3", "'(9)8'", "joined"]),
    "id that ends in a letter": (document("(12x", "12x)"), ["line 2", "'(12x'", "the number"]),
    "id of no ASCII digits": (document("(٣)"), ["line 2", "'(٣)'", "the number"]),
    "negative id": (document("(-1)"), ["line 2", "'(-1)'", "the number"]),
    "no id": (document("()"), ["a.conll, line 2", "'()'", "'(12'", "'12)'", "'(12)'"]),
    "malformed": (document("(3`x"), ["a.conll, line 2", "document 'd; part 000'", "'(3`x'"]),
    "bare number": (document("3"), ["line 2", "the last column is '3'", "'(12)'"]),
    "half a mark beside a mark": (document("14|(15", "15)"), ["line 2", "'14|(15'", "joined"]),
    "half a mark glued to a mark": (document("14(15", "15)"), ["line 2", "'14(15'", "joined"]),
    "marks around a mark, no bar": (
        document("(3(2)4)"),
        ["line 2", "'(3(2)4)'", "joined by '|'"],
    ),
    "a mark inside a mark": (document("((3)"), ["line 2", "'((3)'"]),
    "a hashtag with a broken mark": (
        document("-").replace("#end", "#MeToo\t(1|\n#end"),
        ["a.conll, line 3", "'(1|'"],
    ),
    "bar at the end": (document("(3)|"), ["line 2", "'(3)|'"]),
    "dash among mentions": (document("-|(3)"), ["line 2", "'-|(3)'"]),
    "dash glued to a word": (document("x-"), ["line 2", "'x-'"]),
    "dash and underscore": (document("-_"), ["line 2", "the last column is '-_'"]),
    "another last column": (document("-", "*"), ["line 3", "the last column is '*'", "'-'"]),
    "one column": (
        TWICE.replace("d\t0\t0\tw0\t(0)", "word"),
        ["a.conll, line 2", "document 'd'", "'word'", "one column"],
    ),
    "one column that looks like none": (TWICE.replace("d\t0\t0\tw0\t(0)", "-"), ["one column"]),
    "one column that is only indented": (TWICE.replace("d\t0\t0\tw0\t(0)", "\t-"), ["one column"]),
    "not UTF-8": (
        document("-", "(0)", words="w0 Français").encode("latin-1"),
        ["a.conll, line 3", "0xe7", "UTF-8"],
    ),
    "a picture": (
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        ["a.conll: it is no text file: it has the control byte 0x1a; expected a file of"],
    ),
    "not UTF-8, with old Macintosh line ends": (
        document("-", "(0)", words="w0 Français").encode("latin-1").replace(b"\n", b"\r"),
        ["a.conll, line 3", "0xe7"],
    ),
    "not UTF-8, with Windows line ends": (
        document("-", "(0)", words="w0 Français").encode("latin-1").replace(b"\n", b"\r\n"),
        ["a.conll, line 3", "0xe7"],
    ),
    "UTF-16": (
        b"\xff\xfe" + TWICE.encode("utf-16-le"),
        ["a.conll: its first bytes, ff fe, are those of UTF-16; save it as UTF-8"],
    ),
    "UTF-16, big end first": (
        b"\xfe\xff" + TWICE.encode("utf-16-be"),
        ["a.conll: its first bytes, fe ff, are those of UTF-16"],
    ),
    "UTF-16 without a mark": (TWICE.encode("utf-16-le"), ["a.conll: every second byte is 00"]),
    "gzip, cut off": (gzip.compress(TWICE.encode())[:-9], ["a.conll: the compressed file is cut"]),
    "zip": (b"PK\x03\x04", ["a.conll: its first bytes, 50 4b 03 04, are those of a zip archive"]),
}


@every_row("text, told", BAD.values())
def test_refused(folder, text, told):
    message = refusal(folder, text)
    assert [each for each in told if each not in message] == [], message


@every_row("text", [text for text, _ in BAD.values()])
def test_refused_on_either_side(folder, text):
    Path("good.conll").write_text(CLEAN)
    Path("bad.conll").write_bytes(text.encode() if isinstance(text, str) else text)
    for files in (("good.conll", "bad.conll"), ("bad.conll", "good.conll")):
        with pytest.raises(CorefError, match=r"^bad\.conll"):
            read_pair(*files)


def test_messages_cut_long_lines(folder):
    message = refusal(folder, "#begin document (d)\n" + "x" * 900 + "\n#end document\n")
    assert len(message) < 250 and "xxx..." in message


def test_no_such_file(folder):
    with pytest.raises(CorefError, match=r"^none\.conll: cannot read it: no such file"):
        read("none.conll")


def test_a_directory(folder):
    with pytest.raises(CorefError, match=f"^{re.escape(str(folder))}: there is no file in it; "):
        read(folder)


def test_no_permission(folder, monkeypatch):
    def refuse(*_):  # a mode of 000 would not keep root out
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(CorefError, match=r"^a\.conll: cannot read it: permission denied"):
        read("a.conll")


# A key and a response side by side


def test_a_document_that_the_response_lacks(folder):
    message = pair_refusal(folder, CLEAN, document("-", "-", "-", "-"))
    assert message.startswith("key.conll, line 7: document 'e; part 000' is not in response.conll")


def test_a_document_that_the_key_lacks(folder):
    message = pair_refusal(folder, document("-", "-", "-", "-"), CLEAN)
    assert message.startswith("response.conll, line 7: document 'e; part 000' is not in key.conll")


def test_a_document_under_another_name(folder):
    message = pair_refusal(
        folder, document("-", name="(a/b_c); part 000"), document("-", name="(a/b_d); part 000")
    )
    assert "'a/b_c; part 000' is not in response.conll" in message


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


def test_numbers_at_the_end_of_a_name_are_its_own(folder):
    names = ["(b_0001)", "(b_0000); part 000", "(b_0000); part 001"]
    Path("key.conll").write_text("".join(document("(1)", name=name) for name in names))
    names = ["(b_0001); part 0", "(b_0000)", "(b_0000_1)"]
    Path("response.conll").write_text("".join(document("(1)", name=name) for name in names))
    ours, theirs = read_pair("key.conll", "response.conll", Conventions())
    assert list(ours) == list(theirs) == ["b_0001", "b_0000; part 000", "b_0000; part 001"]


@pytest.mark.parametrize(
    ("keys", "responses", "told"),
    [
        ("(a); part 1", "(a)", "document 'a; part 1': it may be a part of resp"),
        ("(a)|(b)", "(b)|(a); part 1", "document 'a; part 1': it may be a part of key.conll"),
        ("(a_7)", "(a)", "document 'a_7': it may be a part of response.conll"),
        ("(a_00)", "(a)", "document 'a_00': it may be a part of response.conll"),
        ("(a_07)", "(a_7)", "it may be a part of "),
        ("(a_00)", "(a_00); part 12", "document 'a_00; part 12': it may be a part of key.conll"),
        ("(a); part 0", "(a); part 1", "is not in response.conll"),
        ("(a_1)", "(a_2)", "is not in response.conll"),
        ("(a_1)|(a_2)", "(c)|(b)", "'a_1' is not in response.conll, and 1 more is missing"),
        ("(a_x)", "(a)", "is not in response.conll"),
        ("(a; part x)", "(a); part y", "is not in response.conll"),
    ],
)
def test_two_candidates_or_other_parts_are_refused(folder, keys, responses, told):
    texts = ["".join(document("-", name=name) for name in side.split("|")) for side in
             (keys, responses)]  # fmt: skip
    assert told in pair_refusal(folder, *texts)


def test_a_name_that_both_sides_have_is_no_part_of_another(folder):
    key = document("(0)", name="(a)") + document("(0)", name="(a); part 001")
    Path("key.conll").write_text(key)
    Path("response.conll").write_text(document("(0)", name="(a)"))
    skipped = read_pair("key.conll", "response.conll", Conventions(missing="skip"))
    assert [list(side) for side in skipped] == [["a", "a; part 001"], ["a"]]


def test_several_documents_missing(folder):
    key = "".join(document("-", name=f"({name})") for name in "abc")
    told = pair_refusal(folder, key, document("-", name="(x)"))
    assert "is not in response.conll, and 2 more are missing" in told
    assert "'a'" in told and "'x'" in told and "empty" not in told and "skip" not in told


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


def test_a_token_more_where_there_are_no_words(folder):
    key, response = (
        f"#begin document (d)\n{text}#end document\n" for text in ("a -\nb -\n", "a -\n")
    )
    assert "has 2 tokens here and 1 in response.conll" in pair_refusal(folder, key, response)


def test_a_token_less_on_one_side(folder):
    key, response = document("(0)", words="a"), document("(0)", "-", words="a b")
    assert "has 1 tokens here and 2 in response.conll" in pair_refusal(folder, key, response)


def test_empty_lines_part_sentences_and_comments_do_not(folder):
    lines = ["a -", "# a remark", "b -", "", "c -", "", "# another", "d -"]
    text = "\n".join(["#begin document (d)", *lines, "#end document", ""])
    (found,) = documents(write(folder, text))
    assert found.sentences == [0, 2, 3]


def test_other_words_are_warned_of_once_for_all_documents(folder):
    key = document("(0)", "(0)", "-", words="a b c") + document("-", name="(e)", words="x")
    response = document("(0)", "(0)", "-", words="a B C") + document("-", name="(e)", words="X")
    with pytest.warns(UserWarning) as warned:
        read_key, read_response = pair(folder, key, response)
    (told,) = [str(each.message) for each in warned]
    assert told.startswith("words differ in 2 of 2 documents")
    assert "document 'd; part 000': token 1 is 'b' in key.conll, line 3, but 'B' in resp" in told
    assert read_key == read_response


def test_a_hundred_documents_of_other_words_are_one_warning(folder):
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


def test_words_are_not_compared_where_a_file_has_none(folder):
    key = document("(0)", "(0)")
    pair(folder, key, re.sub(r"(?m)^d\t0\t\d\t", "", key))


def test_line_numbers_count_comments_and_empty_lines(folder):
    text = "\n# c\n#begin document (d)\nw -\n\n# c\nw -\nw -\n\n\nw -\nw (+)\n#end document"
    assert refusal(folder, text).startswith("a.conll, line 12:")


def test_line_numbers_under_windows_line_ends(folder):
    assert refusal(folder, document("-", "-", "x").replace("\n", "\r\n")).startswith(
        "a.conll, line 4:"
    )


# A mention given twice

IN_TWO = document("(12|(40", "-", "40)|12)", "(40)", "(12)")


def test_repeated_is_refused(folder):
    assert refusal(folder, IN_TWO) == (
        "a.conll, lines 2 to 4: document 'd; part 000': mention (0, 2) is in entities 12 and 40; "
        'mend the file, or pass --repeated first (in Python repeated="first") to keep it in the '
        "first of them, --repeated merge to make the two one"
    )


def test_repeated_keeps_the_first(folder):
    assert one(folder, IN_TWO, repeated="first") == Partition([[(0, 2), (4, 4)], [(3, 3)]])


def test_repeated_merges(folder):
    assert one(folder, IN_TWO, repeated="merge") == Partition([[(0, 2), (3, 3), (4, 4)]])


def test_the_first_is_the_entity_that_begins_first(folder):
    # 7 begins first; that 8 has the mention before 7 has it makes no difference.
    text = document("(7)", "(8)", "(8)|(7)")
    assert one(folder, text, repeated="first") == Partition([[(0, 0), (2, 2)], [(1, 1)]])
    assert "in entities 7 and 8" in refusal(folder, text)


def test_repeated_first_drops_what_it_empties(folder):
    text = document("(1)|(2)", "(1)")
    assert one(folder, text, repeated="first") == Partition([[(0, 0), (1, 1)]])


def test_of_several_repeated_mentions_the_first_is_named(folder):
    text = document("(1", "(2)|(3)", "1)|(4)|(5)", "(6)|(7)")
    assert "line 3: document 'd; part 000': mention (1, 1) is in entities 2 and 3" in refusal(
        folder, text
    )


@pytest.mark.parametrize("column", ["(5)|(5)", "(5|(5|5)|5)"])
def test_repeated_in_one_entity(folder, column):
    text = document(column, "(5)")
    message = refusal(folder, text)
    assert "a.conll, line 2" in message and "mention (0, 0) is twice in entity 5" in message
    assert "--repeated first" in message
    for repeated in ("first", "merge"):
        assert one(folder, text, repeated=repeated) == Partition([[(0, 0), (1, 1)]])


def test_repeated_reaches_the_reader(folder):
    Path("key.conll").write_text(IN_TWO)
    with pytest.raises(CorefError, match=r"key\.conll, lines 2 to 4"):
        evaluate("key.conll", "key.conll", "muc")
    # Two entities of 2 and 1: one link. One of 3: two.
    for repeated, links in (("first", 1), ("merge", 2)):
        counts = evaluate("key.conll", "key.conll", "muc", repeated=repeated).total["muc"].counts
        assert counts.recall.total == links


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


def test_a_document_of_several_blocks_is_read_as_one(folder):
    Path("key.conll").write_text(long_document(20_000, 3))
    Path("response.conll").write_text(long_document(20_000, 30))
    spans = [[(t, t) for t in range(0, 20_000, 5)], [(t, t + 1) for t in range(1, 20_000, 5)]]
    assert [side["d"] for side in read_pair("key.conll", "response.conll")] == [
        Partition(spans)
    ] * 2
    assert read("key.conll") == {"d": Partition(spans)}


def test_a_word_that_differs_in_a_later_block_is_named_by_its_lines(folder):
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
