"""The story in parts, a key and a response: paths, and what a page gets of them."""

from companion.ledger import DATA

PATHS = [DATA / "examples" / f"sredni-vashtar-in-parts.{name}.conll" for name in ("key", "nearest")]
KEY, RESPONSE = (path.read_bytes() for path in PATHS)
