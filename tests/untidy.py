"""A tidy file of CoNLL-2012, and how it becomes one that some scorers read otherwise."""

from documents import conll

TIDY = conll("(0) (0) - / (1) (1)", "(0) (0) -")


def changed(old, new):
    return lambda text: text.replace(old, new)


PERL = {"reference", "perl_v8"}
EVERY = {*PERL, "coval"}
# How a response that is the key becomes untidy, its line, and which of the three scorers that were
# run do not print 100 %.
UNTIDY = {
    "comment": (changed("d\t0\t1", "# by hand\nd\t0\t1"), 3, EVERY),
    "byte-order mark": (lambda text: "\ufeff" + text, 1, EVERY),
    "capital in the beginning": (
        changed("#begin document (e)", "#Begin Document (e)"), 9, EVERY,
    ),
    "capital in the end": (lambda text: text.replace("#end", "#End", 1), 8, PERL),
    "blank after the hash": (
        changed("#begin document (e)", "# begin document (e)"), 9, {"coval"},
    ),
    "no blank before part": (changed("(e); part", "(e);part"), 9, EVERY),
    "blank at the end of the name": (changed("(e); part 000", "(e); part 000 "), 9, EVERY),
    "a part with fewer zeros": (changed("(e); part 000", "(e); part 0"), 9, EVERY),
    "no part": (changed("(e); part 000", "(e)"), 9, EVERY),
    "carriage returns": (changed("\n", "\r"), None, PERL),
    "columns apart by blanks": (changed("d\t0\t2\tw\t-", "d 0 2 (7) -"), 4, PERL),
    "a word that ends the document": (
        changed("d\t0\t2\tw\t-", "d\t0\t2\t#end document\t-"), 4, PERL,
    ),
    "no bar": (
        lambda text: text.replace("d\t0\t2\tw\t-", "d\t0\t2\tw\t(0(6").replace(
            "d\t0\t4\tw\t(1)", "d\t0\t4\tw\t(1)0)6)"
        ),
        4, {"coval"},
    ),
    "a line with a blank": (changed("\n\n", "\n \n"), 5, {"perl_v8"}),
}  # fmt: skip
