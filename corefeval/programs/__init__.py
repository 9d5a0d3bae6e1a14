"""A wing: what other programs compute, and why they differ. No score of ours needs it."""
