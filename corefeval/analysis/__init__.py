"""An optional part: where the points went, and why other scorers differ. No score needs it."""
