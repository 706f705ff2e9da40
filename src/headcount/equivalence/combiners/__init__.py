"""How the answers of a few raters become a prediction of the next rater's answer.

To add a combiner, copy the shortest one here (`Plurality` in `registry.py`), state the same facts
about it and name it there. Anything callable works too, without being added.
"""

from headcount.equivalence.combiners.anonymous_bayes import AnonymousBayes
from headcount.equivalence.combiners.combiner import (
    Combiner,
    Others,
    Produces,
    alike,
    plurality_of,
)
from headcount.equivalence.combiners.registry import (
    COMBINERS,
    Custom,
    Frequency,
    Mean,
    Plurality,
    resolve_combiner,
)

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
    "alike",
    "plurality_of",
    "resolve_combiner",
]
