"""What a message has to name."""

import re

import pytest

from corefeval import CorefError


def assert_names(message: str, named: str, begin: str = "") -> None:
    """A message names the file and all of these, and begins with the file if with its line."""
    assert named, f"nothing that the message has to name: {message}"
    parts = named.split(" & ")
    if parts[0].startswith("line"):
        beginning = re.escape(f"{begin}, {parts[0]}")
        assert re.match(rf"{beginning}(?!\d)", message), message
    assert [part for part in (begin, *parts) if part not in message] == [], message


def says(*words: str):
    """Expect an error of the library's own type whose message has these words, in this order."""
    return pytest.raises(CorefError, match=".*".join(map(re.escape, words)))
