"""Pictures of keys and responses, of the graphs their links form, and of what measures add up.

`sets`, `graphs`, `grids`, `alignments` and `sums` each draw one kind of picture with the `shapes`;
`discs` shows how large entities are, `strips` tears them where the other side splits them, and
`panels` shows one response as five measures see it. `plots` and `rows` are charts that need no
Matplotlib, made of `pieces`; `charts` gives Matplotlib's histogram the same looks. `heat` colours
the cells of a table, `guide` lists questions with what to do for each answer, and `sentences`
marks the mentions in a text.
"""

from companion.draw.alignments import alignment
from companion.draw.charts import histogram
from companion.draw.discs import discs
from companion.draw.graphs import links
from companion.draw.grids import pairs
from companion.draw.guide import Guide
from companion.draw.heat import coloured, heat
from companion.draw.panels import five
from companion.draw.pieces import Axis
from companion.draw.plots import bars, lines, spans, spots, strip
from companion.draw.rows import dots, rankings
from companion.draw.sentences import sentence
from companion.draw.sets import overlap, relative_partition
from companion.draw.shapes import Drawing, row
from companion.draw.strips import torn
from companion.draw.sums import credits
from companion.draw.timeline import timeline
from companion.picture import Gallery, Picture

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
