"""README as a package's description: without links that only a checkout can follow."""

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"\[([^\]]*)\]\((?!https?:)[^)]*\)")


def outside(text: str) -> str:
    """The text with the words of such links in their place."""
    return LINK.sub(r"\1", text)


class Readme(MetadataHookInterface):
    def update(self, metadata: dict) -> None:
        text = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": outside(text)}
