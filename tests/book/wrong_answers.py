"""Answers to the exercises that ask for code: plausible, and wrong.

By exercise, what is wrong and the body of the function, which may use what its chapter has defined.
The function's name and arguments are those of the stub.
"""

WRONG = {
    "ex-b3-3": {
        "recall for precision": """
credit = credits(sets(key), sets(response))
return sum(weight.get(mention, 0) * credit[mention] for mention in credit)
""",
        "a mean of the weighted mentions, all alike": """
credit = credits(sets(response), sets(key))
each = [credit[mention] for mention in credit if mention in weight]
return sum(each) / len(each)
""",
    },
    "ex-blanc-3": {
        "pairs kept apart forgotten": """
(same_k, apart_k), (same_r, _) = links(sets(key)), links(sets(response))
return Fraction(len(same_k & same_r), len(same_k | apart_k))
""",
        "only the pairs that a side links": """
(same_k, _), (same_r, _) = links(sets(key)), links(sets(response))
return Fraction(len(same_k & same_r), len(same_k | same_r) or 1)
""",
    },
    "ex-ceaf-3": {
        "eight mentions": 'return "{a b} {c d} {e f} {g h}", "{b c} {d e} {f g} {h a}"',
        "settled at once": 'return "{a b} {c d}", "{a b c} {d}"',
    },
    "ex-coreference-3": {
        "a link moves one mention, not its entity": """
label = {}
for a, b in links:
    label[b] = label.setdefault(a, a)
return Partition.from_labels(label)
""",
        "all that is linked is one entity": """
mentions = {mention for link in links for mention in link}
return Partition([sorted(mentions)] if mentions else [])
""",
    },
    "ex-errors-2": {
        "missed mentions forgotten": """
links = sum(len(entity) - 1 for entity in key)
return [Fraction(max(len(parts(e, response)) - 1, 0), links) for e in key]
""",
        "shared out over mentions": """
mentions = sum(len(entity) for entity in key)
costs = []
for entity in key:
    kept = sum(len(each) - 1 for each in parts(entity, response))
    costs.append(Fraction(len(entity) - 1 - kept, mentions))
return costs
""",
    },
    "ex-lea-3": {
        "precision for recall": """
K, R = ([set(e) for e in Partition.parse(side)] for side in (key, response))
return sum(resolution(e, K) for e in R) / len(R)
""",
        "singletons forgotten": """
K, R = ([set(e) for e in Partition.parse(side)] for side in (key, response))
large = [e for e in K if len(e) > 1]
return sum(resolution(e, R) for e in large) / len(large)
""",
    },
    "ex-lost-1": {
        "cut off for rounded": """
return [k for k in range(1, mentions + 1) if 100 * k // mentions == percent]
""",
        "off by one": """
sizes = range(1, mentions)
return [k for k in sizes if rounds(Fraction(k, mentions), percent)]
""",
    },
    "ex-muc-5": {
        "what the response lacks as one part": """
cut = {(entity, response.get(m)) for m, entity in key.items()}
return Tally(len(key) - len(cut), len(key) - len(set(key.values())))
""",
        "precision for recall": """
cut = {(entity, key.get(m, m)) for m, entity in response.items()}
return Tally(len(response) - len(cut), len(response) - len({*response.values()}))
""",
    },
    "ex-properties-3": {
        "as large counts as above": """
return next(t for t in everything if value(one, t) >= value(other, t))
""",
        "kappa and C, whatever is asked": """
return next(t for t in everything if value("kappa", t) > value("c", t))
""",
    },
    "ex-published-2": {
        "from the middles": """
p, f = Fraction(precision), Fraction(f)
return f * p / (2 * p - f), f * p / (2 * p - f)
""",
        "lows with lows": """
(p_low, p_high), (f_low, f_high) = behind(precision), behind(f)
ends = [f_low * p_low / (2 * p_low - f_low), f_high * p_high / (2 * p_high - f_high)]
return min(ends), max(ends)
""",
    },
    "ex-reference-3": {
        "each copy fully credited": "return (Fraction(17, 6) + m) / (7 + m)",
        "a copy shares its entity with itself alone": """
return (Fraction(17, 6) + m * Fraction(1, m + 1)) / (7 + m)
""",
        "divided by seven mentions, whatever m": """
return (Fraction(17, 6) + m * Fraction(m, m + 1)) / 7
""",
    },
    "ex-real-1": {
        "as high counts as above": """
return [m for m in one if any(one[m] >= each[m] for each in others)]
""",
        "above all of them": "return [m for m in one if all(one[m] > each[m] for each in others)]",
    },
    "ex-real-3": {
        "precision before recall": """
return [100 * part for m in ("muc", "b3") for part in total[m].exact[1::-1]]
""",
        "F1 for precision": """
return [100 * part for m in ("muc", "b3") for part in total[m].exact[:3:2]]
""",
    },
    "ex-significance-3": {
        "one-sided": "return next(n for n in range(1, 50) if Fraction(1, 2**n) < limit)",
        "as low counts as below": """
return next(n for n in range(1, 50) if Fraction(2, 2**n) <= limit)
""",
    },
    "ex-story-2": {
        "“those who …” with the pronouns": """
heads = {m: story.head(text, m) for m in mentions}
return Partition.from_labels({m: story.PRONOUN_OF.get(h, h) for m, h in heads.items()})
""",
        "the pronouns alone": """
pronouns = [m for m in mentions if story.is_pronoun(text, m)]
return Partition.from_labels({m: story.PRONOUN_OF[story.head(text, m)] for m in pronouns})
""",
    },
    "ex-twinless-4": {
        "the key and the response change places": """
shared = mentions(key) & mentions(response)
both = cut(response, shared), cut(key, shared)
return both, both
""",
        "entities that are left empty": """
shared = mentions(key) & mentions(response)
both = [e & shared for e in key], [e & shared for e in response]
return both, both
""",
    },
    "ex-walk-2": {
        "every entity alike": """
have = {pair for other in others for pair in combinations(sorted(other), 2)}
own = [set(combinations(sorted(s), 2)) for s in side]
return sum(Fraction(len(pairs & have), len(pairs)) for pairs in own) / len(side)
""",
        "links added up": """
have = {pair for other in others for pair in combinations(sorted(other), 2)}
own = {pair for s in side for pair in combinations(sorted(s), 2)}
return Fraction(len(own & have), len(own))
""",
        "precision for recall": """
have = {pair for s in side for pair in combinations(sorted(s), 2)}
total = 0
for other in others:
    own = set(combinations(sorted(other), 2))
    total += len(other) * Fraction(len(own & have), len(own))
return total / sum(map(len, others))
""",
    },
    "ex-who-3": {
        "the other way round": """
from statistics import mean
recall, precision = (mean(part) for part in zip(one, other))
return mean((f1(*one), f1(*other))) - f1(recall, precision)
""",
        "the mean of recall and precision for F1": """
from statistics import mean
return mean((mean(one), mean(other))) - mean((f1(*one), f1(*other)))
""",
        "never a difference": "return 0",
    },
}
