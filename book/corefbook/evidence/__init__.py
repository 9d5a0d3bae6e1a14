"""The fold at the end of each chapter, and for each chapter the file of what it holds."""

from corefbook.evidence.fold import Evidence, Held, evidence

__all__ = ["Evidence", "Held", "evidence"]
