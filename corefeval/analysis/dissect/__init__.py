"""A wing: where a response's points went, entity by entity. No score needs it."""
