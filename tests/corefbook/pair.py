"""The story in parts, a key and a response: paths, and what a page gets of them."""

from corefbook.ledger import DATA

PATHS = [DATA / "examples" / "parts" / name for name in ("key.conll", "a.conll")]
KEY, RESPONSE = (path.read_bytes() for path in PATHS)
