"""What other scorers and papers print for a key and a response, typed in from them."""

REFERENCE_TOLERANCE = 1e-4

# The values to which the CoNLL reference scorer's own test suite holds its version 8.01, at that
# tolerance; those of LEA are from the suite of its LEA branch. Recall, precision, F1. Each letter
# or digit is a mention. The suite's cases A7 to A9 (a mention twice in a response) need files.
REFERENCE_SCORER: dict[str, dict] = {
    "A1": {
        "key": "{a} {b c} {d e f}",
        "response": "{a} {b c} {d e f}",
        "muc": (1.0, 1.0, 1.0),
        "b3": (1.0, 1.0, 1.0),
        "ceafm": (1.0, 1.0, 1.0),
        "ceafe": (1.0, 1.0, 1.0),
        "blanc": (1.0, 1.0, 1.0),
        "lea": (1.0, 1.0, 1.0),
    },
    "A2": {
        "key": "{a} {b c} {d e f}",
        "response": "{a} {d e}",
        "muc": (0.333333, 1.0, 0.5),
        "b3": (0.388889, 1.0, 0.56),
        "ceafm": (0.5, 1.0, 0.66667),
        "ceafe": (0.6, 0.9, 0.72),
        "blanc": (0.21591, 1.0, 0.35385),
        "lea": (0.333333, 1.0, 0.5),
    },
    "A3": {
        "key": "{a} {b c} {d e f}",
        "response": "{a} {b c x} {d e f y} {z}",
        "muc": (1.0, 0.6, 0.75),
        "b3": (1.0, 0.509259, 0.674847),
        "ceafm": (1.0, 0.66667, 0.8),
        "ceafe": (0.88571, 0.66429, 0.75918),
        "blanc": (1.0, 0.42593, 0.59717),
        "lea": (1.0, 0.444444, 0.615385),
    },
    "A4": {
        "key": "{a} {b c} {d e f}",
        "response": "{a} {b c x} {d y} {z}",
        "muc": (0.333333, 0.333333, 0.333333),
        "b3": (0.555556, 0.404762, 0.46832),
        "ceafm": (0.66667, 0.57143, 0.61538),
        "ceafe": (0.73333, 0.55, 0.62857),
        "blanc": (0.35227, 0.27206, 0.30357),
        "lea": (0.5, 0.285714, 0.363636),
    },
    "A5": {
        "key": "{a} {b c} {d e f}",
        "response": "{a} {b c x B} {d y} {z}",
        "muc": (0.333333, 0.25, 0.285714),
        "b3": (0.555556, 0.3125, 0.4),
        "ceafm": (0.66667, 0.5, 0.57143),
        "ceafe": (0.68889, 0.51667, 0.59048),
        "blanc": (0.35227, 0.19048, 0.24716),
        "lea": (0.5, 0.208333, 0.294118),
    },
    "A6": {
        "key": "{a} {b c} {d e f}",
        "response": "{a} {b c x} {d y} {B z}",
        "muc": (0.333333, 0.25, 0.285714),
        "b3": (0.555556, 0.354167, 0.43257),
        "ceafm": (0.66667, 0.5, 0.57143),
        "ceafe": (0.73333, 0.55, 0.62857),
        "blanc": (0.35227, 0.2087, 0.25817),
        "lea": (0.5, 0.25, 0.333333),
    },
    "A10": {
        "key": "{a} {b c} {d e f}",
        "response": "{a} {b} {c} {d} {e} {f}",
        "muc": (0.0, 0.0, 0.0),
        "b3": (0.5, 1.0, 0.666667),
        "blanc": (0.5, 0.36667, 0.42308),
        "lea": (0.166667, 0.166667, 0.166667),
    },
    "A11": {
        "key": "{a} {b c} {d e f}",
        "response": "{a b c d e f}",
        "muc": (1.0, 0.6, 0.75),
        "b3": (1.0, 0.388889, 0.56),
        "blanc": (0.5, 0.13333, 0.21053),
        "lea": (0.833333, 0.266667, 0.40404),
    },
    "A12": {
        "key": "{a} {b c} {d e f}",
        "response": "{a} {x} {y} {c} {d} {e} {z}",
        "muc": (0.0, 0.0, 0.0),
        "b3": (0.361111, 0.571429, 0.442553),
        "blanc": (0.22727, 0.11905, 0.15625),
        "lea": (0.166667, 0.142857, 0.153846),
    },
    "A13": {
        "key": "{a} {b c} {d e f}",
        "response": "{a x y c d e z}",
        "muc": (0.333333, 0.166667, 0.222222),
        "b3": (0.472222, 0.122449, 0.194471),
        "blanc": (0.125, 0.02381, 0.04),
        "lea": (0.166667, 0.047619, 0.074074),
    },
    "B1": {
        "key": "{a b} {c d e}",
        "response": "{b c x} {d e}",
        "blanc": (0.291667, 0.291667, 0.291667),
        "lea": (0.2, 0.4, 0.266667),
    },
    "C1": {
        "key": "{a b} {c d e} {f g}",
        "response": "{b c x} {d e} {f g}",
        "blanc": (0.5125, 0.5125, 0.5125),
        "lea": (0.428571, 0.571429, 0.489796),
    },
    "D1": {
        "key": "{1 2 3 4 5} {6 7} {8 9 A B C}",
        "response": "{1 2 3 4 5} {6 7 8 9 A B C}",
        "muc": (1.0, 0.9, 0.947368),
        "b3": (1.0, 0.761905, 0.864865),
        "lea": (1.0, 0.722222, 0.83871),
    },
    "E1": {
        "key": "{1 2 3 4 5} {6 7} {8 9 A B C}",
        "response": "{1 2 3 4 5 8 9 A B C} {6 7}",
        "muc": (1.0, 0.9, 0.947368),
        "b3": (1.0, 0.583333, 0.736842),
        "lea": (1.0, 0.537037, 0.698795),
    },
    "F1": {
        "key": "{A B C D}",
        "response": "{A B} {C D}",
        "muc": (0.666667, 1.0, 0.8),
        "lea": (0.333333, 1.0, 0.5),
    },
    "G1": {
        "key": "{A B} {C D}",
        "response": "{A B C D}",
        "muc": (1.0, 0.666667, 0.8),
        "lea": (1.0, 0.333333, 0.5),
    },
    "H1": {
        "key": "{A B C D}",
        "response": "{A B C D}",
        "muc": (1.0, 1.0, 1.0),
        "lea": (1.0, 1.0, 1.0),
    },
    "I1": {
        "key": "{A B C D}",
        "response": "{A B} {C D}",
        "muc": (0.666667, 1.0, 0.8),
        "lea": (0.333333, 1.0, 0.5),
    },
    "J1": {
        "key": "{A B C}",
        "response": "{A C}",
        "muc": (0.5, 1.0, 0.666667),
        "lea": (0.333333, 1.0, 0.5),
    },
    "K1": {
        "key": "{B C D E G H J}",
        "response": "{A B C} {D E F} {G H I}",
        "muc": (0.5, 0.5, 0.5),
        "lea": (0.142857, 0.333333, 0.2),
    },
    "L1": {
        "key": "{A B C} {D E F G}",
        "response": "{A B} {C D} {F G H}",
        "muc": (0.4, 0.5, 0.444444),
        "lea": (0.238095, 0.428571, 0.306122),
    },
    "M1": {
        "key": "{a b c d e f}",
        "response": "{a b c d e f}",
        "muc": (1.0, 1.0, 1.0),
        "b3": (1.0, 1.0, 1.0),
        "ceafm": (1.0, 1.0, 1.0),
        "ceafe": (1.0, 1.0, 1.0),
        "blanc": (1.0, 1.0, 1.0),
        "lea": (1.0, 1.0, 1.0),
    },
    "M2": {
        "key": "{a b c d e f}",
        "response": "{a} {b} {c} {d} {e} {f}",
        "muc": (0.0, 0.0, 0.0),
        "blanc": (0.0, 0.0, 0.0),
        "lea": (0.0, 0.0, 0.0),
    },
    "M3": {
        "key": "{a b c d e f}",
        "response": "{a b} {c d e} {f}",
        "blanc": (0.26667, 1.0, 0.42105),
        "lea": (0.266667, 0.833333, 0.40404),
    },
    "M4": {
        "key": "{a b c d e f}",
        "response": "{a b c x y z}",
        "blanc": (0.2, 0.2, 0.2),
        "lea": (0.2, 0.2, 0.2),
    },
    "M5": {
        "key": "{a b c d e f}",
        "response": "{a} {b} {c} {x} {y} {z}",
        "muc": (0.0, 0.0, 0.0),
        "blanc": (0.0, 0.0, 0.0),
        "lea": (0.0, 0.0, 0.0),
    },
    "M6": {
        "key": "{a b c d e f}",
        "response": "{a b} {c x y} {z}",
        "blanc": (0.06667, 0.25, 0.10526),
        "lea": (0.066667, 0.333333, 0.111111),
    },
    "N1": {
        "key": "{a} {b} {c} {d} {e} {f}",
        "response": "{a} {b} {c} {d} {e} {f}",
        "muc": (0.0, 0.0, 0.0),
        "blanc": (1.0, 1.0, 1.0),
        "lea": (1.0, 1.0, 1.0),
    },
    "N2": {
        "key": "{a} {b} {c} {d} {e} {f}",
        "response": "{a b c d e f}",
        "muc": (0.0, 0.0, 0.0),
        "blanc": (0.0, 0.0, 0.0),
        "lea": (0.0, 0.0, 0.0),
    },
    "N3": {
        "key": "{a} {b} {c} {d} {e} {f}",
        "response": "{a b} {c d e} {f}",
        "blanc": (0.73333, 1.0, 0.84615),
        "lea": (0.166667, 0.166667, 0.166667),
    },
    "N4": {
        "key": "{a} {b} {c} {d} {e} {f}",
        "response": "{a} {b} {c} {x} {y} {z}",
        "muc": (0.0, 0.0, 0.0),
        "blanc": (0.2, 0.2, 0.2),
        "lea": (0.5, 0.5, 0.5),
    },
    "N5": {
        "key": "{a} {b} {c} {d} {e} {f}",
        "response": "{a b c x y z}",
        "blanc": (0.0, 0.0, 0.0),
        "lea": (0.0, 0.0, 0.0),
    },
    "N6": {
        "key": "{a} {b} {c} {d} {e} {f}",
        "response": "{a b} {c x y} {z}",
        "blanc": (0.13333, 0.18182, 0.15385),
        "lea": (0.0, 0.0, 0.0),
    },
}

# Luo 2005, "On coreference resolution performance metrics", as quoted by the tests of another
# scorer (the paper itself was not seen). F1 to three decimals.
LUO_KEY = "{1 2 3 4 5} {6 7} {8 9 A B C}"
LUO: dict[str, dict] = {
    "a": {
        "response": "{1 2 3 4 5} {6 7 8 9 A B C}",
        "muc": 0.947,
        "b3": 0.865,
        "ceafm": 0.833,
        "ceafe": 0.733,
    },
    "b": {
        "response": "{1 2 3 4 5 8 9 A B C} {6 7}",
        "muc": 0.947,
        "b3": 0.737,
        "ceafm": 0.583,
        "ceafe": 0.667,
    },
    "c": {
        "response": "{1 2 3 4 5 6 7 8 9 A B C}",
        "muc": 0.900,
        "b3": 0.545,
        "ceafm": 0.417,
        "ceafe": 0.294,
    },
    "d": {
        "response": "{1} {2} {3} {4} {5} {6} {7} {8} {9} {A} {B} {C}",
        "muc": 0.0,
        "b3": 0.400,
        "ceafm": 0.250,
        "ceafe": 0.178,
    },
}

# Recasens 2010, thesis, pp. 124-125, as quoted by another scorer's test (the thesis itself was
# not seen). F1 in percent to two decimals. A response is the key but for the entities named; all
# other mentions are as in the key.
RECASENS_KEY = [[62, 63, 64, 65], [66, 67, 68], [69, 70], *([m] for m in range(1, 62))]
RECASENS: dict[str, dict] = {
    "A": {"change": [[1, 2]], "muc": 92.31, "b3": 99.28, "ceafm": 98.57, "blanc": 97.61},
    "B": {
        "change": [[1, 62, 63, 64, 65]],
        "muc": 92.31,
        "b3": 98.84,
        "ceafm": 98.57,
        "blanc": 91.63,
    },
    "C": {
        "change": [[66], [67], [68]],
        "muc": 80.00,
        "b3": 98.55,
        "ceafm": 97.14,
        "blanc": 91.15,
    },
    "D": {
        "change": [[62, 63, 64, 65, 66, 67, 68]],
        "muc": 92.31,
        "b3": 97.49,
        "ceafm": 95.71,
        "blanc": 81.12,
    },
    "E": {
        "change": [[1, 62, 63], [28, 64, 65]],
        "muc": 76.92,
        "b3": 96.66,
        "ceafm": 95.71,
        "blanc": 79.92,
    },
    "F": {
        "change": [[1, 62], [4, 63], [28, 64], [57, 65]],
        "muc": 46.15,
        "b3": 94.99,
        "ceafm": 94.29,
        "blanc": 72.12,
    },
    # MUC is "undefined" here.
    "G": {"change": [[m] for m in range(62, 71)], "b3": 95.52, "ceafm": 91.43, "blanc": 49.90},
    "H": {"change": [[*range(1, 71)]], "muc": 16.00, "b3": 3.61, "ceafm": 5.71, "blanc": 0.41},
}


def changed(entities: list[list], change: list[list]) -> list[frozenset]:
    """The entities with those of ``change``; their other mentions stay together."""
    moved = {mention for entity in change for mention in entity}
    rest = [frozenset(entity) - moved for entity in entities]
    return [*map(frozenset, change), *filter(None, rest)]
