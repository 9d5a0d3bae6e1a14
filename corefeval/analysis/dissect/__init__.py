"""An optional part: where a response's points went, entity by entity. No score needs it."""
