"""Where the checker of tables went: it is a command of the library."""

import sys

if __name__ == "__main__":
    sys.exit("python -m corefbook.pages.table is now: corefeval table FILE")
