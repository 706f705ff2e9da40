"""How the answers of a few raters become a prediction of the next rater's answer.

To add a combiner, copy the shortest one here (`Plurality` in `answers.py`), state the same facts
about it and name it in `choosing.py`. Anything callable works too, without being added.
"""

from headcount.equivalence.combiners.abc import AnonymousBayes
from headcount.equivalence.combiners.answers import Frequency, Mean, Plurality
from headcount.equivalence.combiners.choosing import COMBINERS, Custom, resolve_combiner
from headcount.equivalence.combiners.grammar import Combiner, Others, Produces, alike
from headcount.equivalence.combiners.reference import (
    n_possible_draws,
    plurality_of,
    possible_draws,
    shares_of_most_common,
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
    "n_possible_draws",
    "plurality_of",
    "possible_draws",
    "resolve_combiner",
    "shares_of_most_common",
]
