"""What the papers' printed figures need beyond the registered measures, one module per paper.

Each public function of a module may be named as a ``measure`` in the paper's file in ``data/``.
"""
