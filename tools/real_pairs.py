"""Try all swaps of ECB+'s subtopics for every two configurations of hypercoref.

python tools/real_pairs.py says whether data/real/ecbp-pairs.csv has what is counted from the
stored labels of hypercoref; the exit code is 1 if it has not. ``--write`` stores what is counted.
It takes some minutes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "book"))  # the companion is no part of an installation

from companion.studies import chances  # noqa: E402


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="store the counts in data/real")
    chosen = parser.parse_args(arguments)
    found = chances.as_far_apart(chances.all_couples())
    if chosen.write:
        chances.write(found)
        return 0
    stored = chances.stored()
    differ = [place for place in found.keys() | stored.keys()
              if found.get(place) != stored.get(place)]  # fmt: skip
    print(f"{len(found) - len(differ):,} of {len(found):,} counts are as stored")
    for place in sorted(differ)[:10]:
        print(f"  {place}: counted {found.get(place)}, stored {stored.get(place)}")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
