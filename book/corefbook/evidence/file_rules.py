"""What holds the sentences of file-rules.ipynb."""

from corefbook.evidence.fold import Held
from corefeval import metric


def held(
    as_one,
    both,
    by_rule,
    conll,
    faulty,
    files,
    first,
    goes_on,
    key_of,
    keys,
    marks,
    refusal,
    report,
    responses,
    same,
    words,
) -> Held:
    alike = [metric("muc")(as_one(keys), as_one(responses)), report.total["muc"]]
    a4, a7, a8, a9, exchanged = (first[case]["b3"] for case in files)
    refused = [refusal(*pair) != "" for pair in faulty.values()]
    rules = [each.exact.f1 for each in both.total.values()]
    return Held(
        sentences=[
            (
                "The sentence, read from two files",
                len({conll(words, marks.format(each)) for each in ("(1)", "(0)")}),
            ),
            ("of the file with b twice, by two rules", len(by_rule)),
            ("Two documents, each of which lacks a class", len(key_of)),
            ("would go on in all nine cases", len(goes_on)),
            ("This library refuses all nine", sum(refused)),
            ("A8 is A4", a8 == a4 != exchanged),
            ("The same holds for A7", a7 == a9 == a4),
            ("Both scorers read such a column", same),
            ("For MUC the two are the same", alike[0] == alike[1]),
            ("are equal", rules[0] == rules[1]),
        ]
    )
