"""What the benchmarks measure by: the least that anyone must do who reads these inputs.

python benchmarks/yardstick.py KEY RESPONSE reads two CoNLL files and splits their last column, or
two files of JSON lines and loads each line, or two CorefUD files and splits all their columns.
"""

import json
import sys


def read(path):
    """How many tokens a CoNLL file has, and how many mentions begin in it."""
    tokens = mentions = 0
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.isspace() or line.startswith("#"):
                continue
            tokens += 1
            column = line.rsplit(maxsplit=1)[-1]
            if column != "-":
                mentions += sum(part.startswith("(") for part in column.split("|"))
    return tokens, mentions


def load(path):
    """How many documents a file of JSON lines has, each loaded and let go."""
    with open(path, encoding="utf-8") as file:
        return (sum(isinstance(json.loads(line), dict) for line in file),)


def read_corefud(path):
    """How many nodes and multiword tokens a CorefUD file has, and how many mentions begin in it."""
    tokens = mentions = 0
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.isspace() or line.startswith("#"):
                continue
            tokens += 1
            misc = line.rstrip("\n").split("\t")[9]
            if misc != "_":
                mentions += sum(
                    each.count("(") for each in misc.split("|") if each.startswith("Entity=")
                )
    return tokens, mentions


def pair_codes(key, response):
    """The distinct pairs of labels of two arrays, each as one number, and how often it occurs."""
    import numpy as np

    return np.unique(key * (response.max() + 1) + response, return_counts=True)


if __name__ == "__main__":
    for path in sys.argv[1:]:
        kind = path.rpartition(".")[2]
        print(path, *{"jsonl": load, "conllu": read_corefud}.get(kind, read)(path))
