"""What the readers of other programs do with lines that are not as they expect, in words."""

PERL = ("reference", "perl_v7")
COVAL = ("coval", "coval_fork")
BY_KIND: dict[str, dict[str, str]] = {
    "bar": dict.fromkeys(COVAL, "does not see a mark before another without a bar"),
    "bare": {"coval": "stops at a number without a bracket before a bar"},
    "blank": {"perl_v7": "takes lines that hold a blank for tokens"},
    "columns": dict.fromkeys(PERL, "takes columns apart by blanks for one"),
    "comment": dict.fromkeys(PERL + COVAL, "takes comments for tokens"),
    "directive": dict.fromkeys(PERL + COVAL, "does not see directives written otherwise"),
    "end": dict.fromkeys(PERL, "ends a document where a line holds '# end document'"),
    "gap": dict.fromkeys(COVAL, "does not see directives with a blank after '#'"),
    "line end": dict.fromkeys(PERL, "does not see a line end that is a carriage return alone"),
    "mark": dict.fromkeys(PERL + COVAL, "does not see the document after a byte-order mark"),
    "name": dict.fromkeys(PERL + COVAL, "takes documents with another spelling for others"),
    "named": {
        **dict.fromkeys(PERL, "sees of a name of an entity the number beside a bracket"),
        **dict.fromkeys(COVAL, "sees of a name of an entity the digits alone"),
    },
    "sentence": dict.fromkeys(COVAL, "finds a mention by sentence and token in it"),
    "twice": dict.fromkeys(COVAL, "appends a document that begins twice to the one before"),
}
"""For each kind of untidy lines: what the `foreign_readers.READERS` that they hit make of them."""
OTHERWISE = {
    **dict.fromkeys(PERL, "reads the lines by rules of its own"),
    **dict.fromkeys(COVAL, "finds a mention by sentence and token in it"),
}
"""What a reader does where none of these rules is met."""
