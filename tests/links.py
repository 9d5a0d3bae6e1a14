"""Documents whose one entity has so many links, for scores that are reckoned by hand."""

from fractions import Fraction as F

from documents import document

from corefeval import Partition


def chain(links: int) -> Partition:
    return Partition([range(links + 1)])


def f1(key, found):
    return F(2 * sum(found), sum(key) + sum(found))


def text(links) -> str:
    """A file of documents d00, d01, … of ten tokens, with a chain of so many links each."""
    documents = []
    for n, each in enumerate(links):
        columns = ["(0)"] * (each + 1) + ["-"] * (9 - each)
        documents.append(document(" ".join(columns), f"(d{n:02}); part 000"))
    return "".join(documents)
