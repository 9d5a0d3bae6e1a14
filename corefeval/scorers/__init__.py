"""An optional part: what other scorers compute, and why they differ. No score of ours needs it."""
