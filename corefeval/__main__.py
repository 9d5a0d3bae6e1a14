"""``python -m corefeval`` is the command ``corefeval``."""

import sys

from corefeval.cli import main

if __name__ == "__main__":
    sys.exit(main())
