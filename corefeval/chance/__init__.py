"""An optional part: what chance alone would do to a score or a difference. No score needs it."""
