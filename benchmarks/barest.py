"""The barest program that reads CoNLL files: which lines have a last column that is not "-"?

python benchmarks/barest.py KEY RESPONSE
"""

import sys


def marked(path):
    """How many lines end in something else than a column without a mention."""
    count = 0
    with open(path, encoding="utf-8") as file:
        for line in file:
            columns = line.rsplit(None, 1)
            if columns and columns[-1] != "-":
                count += 1
    return count


if __name__ == "__main__":
    for path in sys.argv[1:]:
        print(path, marked(path))
