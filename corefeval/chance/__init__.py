"""A wing: what chance alone would do to a score, or to a difference. No score needs it."""
