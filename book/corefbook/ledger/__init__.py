"""Printed figures against computed ones.

Every figure that a paper prints is typed once, in ``data/``, exactly as printed. The ledger
computes each again and gives a verdict.
"""

from corefbook.ledger.agreement import COUNTS as COUNTS
from corefbook.ledger.agreement import NUMBERS as NUMBERS
from corefbook.ledger.agreement import PARTS_OF_ONE as PARTS_OF_ONE
from corefbook.ledger.agreement import WORDS as WORDS
from corefbook.ledger.agreement import Bounds as Bounds
from corefbook.ledger.agreement import Search as Search
from corefbook.ledger.agreement import as_precise as as_precise
from corefbook.ledger.agreement import display as display
from corefbook.ledger.agreement import matches as matches
from corefbook.ledger.agreement import reckoned as reckoned
from corefbook.ledger.beside import as_printed as as_printed
from corefbook.ledger.beside import not_computed as not_computed
from corefbook.ledger.beside import ticked as ticked
from corefbook.ledger.counts import GROUPED as GROUPED
from corefbook.ledger.counts import groups_in_words as groups_in_words
from corefbook.ledger.counts import verdicts_in_words as verdicts_in_words
from corefbook.ledger.figures import DATA as DATA
from corefbook.ledger.figures import OF_PAPERS as OF_PAPERS
from corefbook.ledger.figures import SOURCES as SOURCES
from corefbook.ledger.figures import Example as Example
from corefbook.ledger.figures import Figures as Figures
from corefbook.ledger.figures import Paper as Paper
from corefbook.ledger.figures import Row as Row
from corefbook.ledger.figures import load as load
from corefbook.ledger.figures import papers as papers
from corefbook.ledger.figures import rows as rows
from corefbook.ledger.figures import slug as slug
from corefbook.ledger.verdicts import FAILED as FAILED
from corefbook.ledger.verdicts import GROUPS as GROUPS
from corefbook.ledger.verdicts import judge as judge
