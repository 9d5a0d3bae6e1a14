"""The ledger on the terminal: every printed figure beside the computed one, with a verdict.

    make reproduce [PAPER=vilain1995] [FORMAT=json]

Exit code 1 if a figure fails, 2 for a paper that is not there.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from corefbook import ledger
from corefbook.ledger import Row
from corefeval.display import Table
from corefeval.errors import CorefError

FIELDS = ("paper", "place", "example", "measure", "printed", "computed", "verdict", "note")


def main(argv: Sequence[str] | None = None) -> int:
    """Print the ledger as these arguments choose; returns the exit code."""
    parser = argparse.ArgumentParser(prog="corefbook", description="Print the ledger.")
    parser.add_argument("paper", metavar="PAPER", nargs="?", help="one paper (default: all)")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    arguments = parser.parse_args(argv)
    try:
        rows = ledger.rows(arguments.paper)
    except CorefError as error:
        print(f"corefbook: error: {error}", file=sys.stderr)
        return 2
    print(as_json(rows) if arguments.format == "json" else as_tables(rows))
    return int(any(row.verdict == ledger.FAILED for row in rows))


def as_json(rows: Sequence[Row]) -> str:
    """A list with an object per figure."""
    fields = [
        {field: getattr(row, field) for field in FIELDS} | {"note": row.explained} for row in rows
    ]
    return json.dumps(fields, indent=2, ensure_ascii=False)


def as_tables(rows: Sequence[Row]) -> str:
    """A table per paper, and how often each verdict was given, group by group."""
    columns = FIELDS[1:-1]
    tables = []
    for paper in dict.fromkeys(row.paper for row in rows):
        lines = [
            [" ".join(getattr(row, column).split()) for column in columns]
            for row in rows
            if row.paper == paper
        ]
        tables.append(f"{paper}\n\n{Table([list(columns), *lines]).text()}\n")
    counts = [f"{len(rows)} figures: {ledger.groups_in_words(rows) or 'none'}"]
    for group in ledger.GROUPS:
        if said := ledger.verdicts_in_words(rows, group):
            counts.append(f"  {group}: {said}")
    if failed := sum(row.verdict == ledger.FAILED for row in rows):
        counts.append(f"  failed: {failed}")
    return "\n".join([*tables, *counts])


if __name__ == "__main__":
    sys.exit(main())
