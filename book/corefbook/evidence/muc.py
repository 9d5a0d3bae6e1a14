"""What holds the sentences of muc.ipynb."""

from fractions import Fraction

from corefbook import ledger
from corefbook.enumeration import partitions
from corefbook.evidence.fold import Held
from corefeval import Partition, metric
from corefeval.measures.links import connected
from corefeval.measures.muc import muc as by_the_library
from corefeval.score import Tally


def sizes_of(text):
    return list(Partition.parse(text).sizes)


def held(
    both,
    completing,
    entities,
    everything,
    five,
    halves,
    key,
    key_links,
    larger,
    link_wise,
    muc,
    pairs,
    parts,
    precision,
    recalls,
    response,
    response_links,
    sets,
    trees,
) -> Held:
    given = ledger.load("vilain1995").examples
    both_sets = [*partitions("ABCD"), *partitions("ABE")]
    sides = [sets(side) for side in both_sets]
    library = metric("muc")
    same = [library(k, r).counts == muc(k, r) for k in sides for r in sides]
    of_sum = {
        score.exact.f1 * (of.recall.total + of.precision.total) / of.recall.hits
        for score in (library(k, r) for k in sides for r in sides)
        if (of := score.counts).recall.hits
    }
    examples = "row-1", "row-2", "row-3", "problem-1", "problem-2"
    printed = [tuple(given[name].given.values()) for name in (*examples, "complex-1", "complex-2")]
    sentence = library("{Conradin the_boy} {the_doctor his}", "{Conradin his the_boy} {the_doctor}")
    useless = library(halves, everything)
    right = useless.counts.precision
    wanted = muc(entities(key_links), entities(response_links))
    old = [link_wise(a, b) for a, b in five.values()]
    new = [muc(entities(a), entities(b))[0] for a, b in five.values()]
    K, R = entities("A-B C-D"), entities("A-C B-D")
    lacking = [len(parts(entity, R)) - 1 for entity in K]
    (joined,) = entities("A-C B-D A-B")
    a, b = five["row 3"]
    spurious = [set("ABCD")]
    two_spurious = muc(entities("B-C"), spurious)[1]
    two_together = muc(entities("B-C A-D"), spurious)[1]
    left, linked = (library("{a} {b c}", text) for text in ("{a} {b c}", "{a b c}"))
    not_found = library("{a} {b c}", "{b c}")
    listed = {*a.split()} & {*b.split()}
    first = [entities(links) for links in larger["first"]]
    return Held(
        sentences=[
            ("Here is a text with ten mentions", *sizes_of(everything)),
            ("two people, with five mentions each", len(sizes_of(halves)), *{*sizes_of(halves)}),
            (
                "It puts all ten mentions into one entity",
                *sizes_of(everything),
                len(sizes_of(everything)),
            ),
            ("so it needs two links", sentence.counts.recall.total),
            ("and that takes three links", wanted[0].total),
            ("of the key's three links", old[3].total),
            ("Which of the six possible links", len(pairs)),
            (
                "Here three links are needed and one is missing, so the response provides two",
                wanted[0].total,
                wanted[0].total - wanted[0].hits,
                wanted[0].hits,
            ),
            ("has five examples, and the fourth", len(five)),
            (
                "with two entities of five, only one of its nine links is wrong",
                len(sizes_of(halves)),
                *{*sizes_of(halves)},
                right.total - right.hits,
                right.total,
            ),
            (
                "has one entity of seven mentions in the key, and three entities of three",
                *(n for side in first for n in (len(side), *{*map(len, side)})),
            ),
            ("and the one entity of the response: 16/17 by MUC", useless.exact.f1),
            ("The key's two entities", len(Partition.parse(halves))),
            (
                "The four spanning trees that the paper draws: two links are there, one is missing",
                len(completing),
                len(response_links.split()),
                len(key_links.split()) - len(response_links.split()),
            ),
            (
                "cuts the key's entities into two and three parts",
                *(len(parts({*entity}, sets(response))) for entity in key),
            ),
            (
                "and the key cuts two of the three response entities",
                sum(len(parts({*entity}, sets(key))) > 1 for entity in response),
                len(response),
            ),
            ("Two conventions for", len(both)),
            ("An F1 of 16/17, or 0.94", useless.exact.f1, useless.exact.f1),
            ("MUC counts nine links in it", right.total),
            ("calls only one of the nine", right.total - right.hits, right.total),
            ("MUC recall is 1/2", sentence.exact.recall),
            ("So recall should be 2/3, and precision 2/2", *wanted),
            ("Recall can be 0, 1/3 or 2/3", *sorted(map(Fraction, recalls))),
            ("four different links would do", len(completing)),
            ("That is the recall of 2/3 that intuition wants", wanted[0]),
            ("gives 1/3 instead of 2/3, and 0/2 instead of 1/2", old[3], new[3], old[4], new[4]),
            (
                "a recall of 2/3, and the sentence rules that out",
                Tally(len(listed), new[2].total).ratio(Fraction(0)),
            ),
            ("so precision is 1/2", precision),
            (
                "Two spurious mentions cost two links of precision",
                len({*"ABCD"} - {*"BC"}),
                two_spurious.total - two_spurious.hits,
            ),
            (
                "two mentions of one other entity cost one",
                len({*"AD"}),
                len(entities("A-D")),
                two_together.total - two_together.hits,
            ),
            ("precision is 1/3. If", two_spurious),
            ("of the key, too, it is 2/3", two_together),
            ("Leaving it alone earns nothing", left.exact.f1 == not_found.exact.f1),
            ("joining it to others costs precision", linked.exact.precision < left.exact.precision),
            (
                "One link is enough to join two entities",
                right.total - right.hits,
                len(halves.split("} {")),
            ),
            ("Each entity lacks one link", lacking == [1, 1]),
            ("joins all four mentions", len(joined)),
            ("It gives what our sets give", all(same)),
            ("Hence F1 is twice this sum", *of_sum),
            (
                "for one entity and one response",
                len({Partition.from_links(tree) for tree in trees}),
                len({response_links}),
            ),
            ("Our `muc` gives the scores", list(larger.values()) == printed[5:]),
            ("The five examples of Table 1", list(five.values()) == printed[:5]),
        ],
        listings=[by_the_library, connected],
    )
