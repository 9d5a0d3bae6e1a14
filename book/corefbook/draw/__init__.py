"""Pictures of keys and responses, of the graphs their links form, and of what measures add up.

`sets`, `graphs`, `grids`, `alignments` and `sums` each draw one kind of picture with the `shapes`;
`discs` shows how large entities are, `strips` tears them where the other side splits them, and
`panels` shows one response as five measures see it. `plots` and `rows` are charts that need no
Matplotlib, made of `pieces`; `charts` gives Matplotlib's histogram the same looks. `heat` colours
the cells of a table, `guide` lists questions with what to do for each answer, and `sentences`
marks the mentions in a text.
"""

from corefbook.draw.alignments import alignment
from corefbook.draw.charts import histogram
from corefbook.draw.discs import discs
from corefbook.draw.graphs import links
from corefbook.draw.grids import pairs
from corefbook.draw.guide import Guide
from corefbook.draw.heat import coloured, heat
from corefbook.draw.panels import five
from corefbook.draw.pieces import Axis
from corefbook.draw.plots import bars, ladder, lines, spans, spots, strip
from corefbook.draw.rows import dots, rankings
from corefbook.draw.sentences import sentence
from corefbook.draw.sets import overlap, relative_partition
from corefbook.draw.shapes import Drawing, row
from corefbook.draw.strips import torn
from corefbook.draw.sums import credits
from corefbook.draw.timeline import timeline
from corefbook.picture import Gallery, Picture

__all__ = [
    "Axis",
    "Drawing",
    "Gallery",
    "Guide",
    "Picture",
    "alignment",
    "bars",
    "coloured",
    "credits",
    "discs",
    "dots",
    "five",
    "heat",
    "histogram",
    "ladder",
    "lines",
    "links",
    "overlap",
    "pairs",
    "rankings",
    "relative_partition",
    "row",
    "sentence",
    "spans",
    "spots",
    "strip",
    "timeline",
    "torn",
]
