"""From what a user names to a combiner."""

from collections.abc import Callable
from typing import Any

from headcount.equivalence.combiners.abc import AnonymousBayes
from headcount.equivalence.combiners.custom import Custom
from headcount.equivalence.combiners.frequency import Frequency
from headcount.equivalence.combiners.grammar import Combiner
from headcount.equivalence.combiners.mean import Mean
from headcount.equivalence.combiners.plurality import Plurality
from headcount.errors import OptionError

COMBINERS: dict[str, Combiner] = {
    combiner.name: combiner
    for combiner in (
        AnonymousBayes(),
        Plurality(),
        Frequency(),
        Frequency("frequency-overall", empty="overall"),
        Mean(),
    )
}
"""The combiners that have a name, in the order they are listed to people."""

_ALIASES = {"majority": "plurality"}


def resolve_combiner(
    combiner: str | Combiner | Callable[..., Any], *, n_labels: int = 2
) -> Combiner:
    """A combiner from its name, itself, or a function of the surveys' counts.

    `n_labels` is how many labels there are, for trying a function on small surveys.

    >>> resolve_combiner("majority").name
    'plurality'
    """
    if isinstance(combiner, Combiner):
        return combiner
    if isinstance(combiner, str):
        name = _ALIASES.get(combiner, combiner)
        if name in COMBINERS:
            return COMBINERS[name]
        raise OptionError(
            f"There is no combiner {combiner!r}: choose {', '.join(COMBINERS)}, "
            "or give a function of the surveys' counts."
        )
    if callable(combiner):
        return Custom.of(combiner, n_labels)
    raise OptionError(
        f"combiner is a name ({', '.join(COMBINERS)}) or a function, not {combiner!r}."
    )
