"""What a message has to name."""

import re

import pytest

from corefeval import CorefError


def assert_names(message: str, named: str, begin: str = "") -> None:
    """A message names the file and all of these, and begins with the file if with its line."""
    parts = named.split(" & ")
    assert not parts[0].startswith("line") or message.startswith(f"{begin}, {parts[0]}"), message
    assert [part for part in (begin, *parts) if part not in message] == [], message


def says(*words: str):
    """Expect an error of the library's own type whose message has these words, in this order."""
    return pytest.raises(CorefError, match=".*".join(map(re.escape, words)))
