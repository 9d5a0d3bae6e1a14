"""Pictures of keys and responses, of the graphs their links form, and of what measures add up.

`sets`, `graphs`, `grids`, `alignments` and `sums` each draw one kind of picture with the `shapes`;
`charts` gives Matplotlib's the same looks, `plots` are charts that need no Matplotlib, `heat`
colours the cells of a table, `guide` lists questions with what to do for each answer, and
`sentences` marks the mentions in a text.
"""

from companion.draw.alignments import alignment
from companion.draw.charts import setup
from companion.draw.graphs import links
from companion.draw.grids import pairs
from companion.draw.guide import Guide
from companion.draw.heat import coloured, heat
from companion.draw.plots import Axis, bars, histogram, lines, spans, spots, strip
from companion.draw.sentences import sentence
from companion.draw.sets import overlap, relative_partition
from companion.draw.shapes import COLOURS, Drawing, row
from companion.draw.sums import credits
from companion.draw.timeline import timeline
from companion.picture import Gallery, Picture, chart

__all__ = [
    "COLOURS",
    "Axis",
    "Drawing",
    "Gallery",
    "Guide",
    "Picture",
    "alignment",
    "bars",
    "chart",
    "coloured",
    "credits",
    "heat",
    "histogram",
    "lines",
    "links",
    "overlap",
    "pairs",
    "relative_partition",
    "row",
    "sentence",
    "setup",
    "spans",
    "spots",
    "strip",
    "timeline",
]
