"""How the answers of a few raters become a prediction of the next rater's answer.

To add a combiner, copy the shortest one here (`plurality.py`), state the same facts about
it and name it in `choosing.py`. Anything callable works too, without being added.
"""

from headcount.equivalence.combiners.abc import AnonymousBayes
from headcount.equivalence.combiners.choosing import COMBINERS, resolve_combiner
from headcount.equivalence.combiners.custom import Custom
from headcount.equivalence.combiners.frequency import Frequency
from headcount.equivalence.combiners.grammar import Combiner, Others, Produces
from headcount.equivalence.combiners.mean import Mean
from headcount.equivalence.combiners.plurality import Plurality

__all__ = [
    "COMBINERS",
    "AnonymousBayes",
    "Combiner",
    "Custom",
    "Frequency",
    "Mean",
    "Others",
    "Plurality",
    "Produces",
    "resolve_combiner",
]
