"""Combiners of the answers alone, functions of their counts, and all of them by name."""

from collections.abc import Callable
from typing import Any, ClassVar, Literal

import numpy as np

from headcount.arrays import Floats, Ints
from headcount.data import Labels
from headcount.equivalence.combiners.anonymous_bayes import AnonymousBayes
from headcount.equivalence.combiners.combiner import Combiner, Others, Produces
from headcount.equivalence.combiners.population_bayes import FittedBayes, LinearBayes
from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.metrics import top_shares


@frozen
class Plurality(Combiner):
    """The most common label. Ties share its weight: the expectation of a coin flip.

    With no answers: the commonest label of all items (`empty="commonest"`), or every label
    equally (`empty="uniform"`, the paper's convention).
    """

    name: str = "plurality"
    produces: Produces = "labels"
    empty: Literal["commonest", "uniform"] = "uniform"
    summary: ClassVar[str] = "most common label, ties shared; no answers: the commonest of all"

    def __call__(self, surveys: Ints, others: Others, *, labels: Labels) -> Floats:
        """Shares (R, L) of the most common labels."""
        del labels
        shares = top_shares(surveys)
        if not self.learns(0):
            return shares
        commonest = top_shares((others.items @ others.shares())[None])
        return np.where(surveys.any(axis=1, keepdims=True), shares, commonest)

    def learns(self, raters: int) -> bool:
        """Only the commonest label of all depends on the items."""
        return self.empty == "commonest" and raters == 0


@frozen
class Frequency(Combiner):
    """The share of each label among the answers.

    With no answers: every label equally (`empty="uniform"`, the paper's text) or the label
    shares over all items (`empty="overall"`, what the paper's package does).
    """

    name: str = "frequency"
    produces: Produces = "probabilities"
    empty: Literal["uniform", "overall"] = "uniform"
    summary: ClassVar[str] = "share of each label; no answers: every label equally, or overall"

    def __post_init__(self) -> None:
        if self.empty not in ("uniform", "overall"):
            raise OptionError(
                f'frequency starts from empty="uniform" or empty="overall", not {self.empty!r}.'
            )

    def __call__(self, surveys: Ints, others: Others, *, labels: Labels) -> Floats:
        """Probabilities (R, L)."""
        raters = surveys.sum(axis=1, keepdims=True)
        if self.empty == "overall":
            empty = others.items @ others.shares() / others.items.sum()
        else:
            empty = np.full(labels.n, 1 / labels.n)
        chances: Floats = np.where(raters > 0, surveys / np.maximum(raters, 1), empty)
        return chances

    def learns(self, raters: int) -> bool:
        """Only the overall shares depend on the items."""
        return self.empty == "overall" and raters == 0


@frozen
class Mean(Combiner):
    """The mean of the labels as numbers; with no answers, the mean over the other items."""

    name: str = "mean"
    produces: Produces = "numbers"
    summary: ClassVar[str] = "mean of numeric labels; no answers: mean of the other items"

    def __call__(self, surveys: Ints, others: Others, *, labels: Labels) -> Floats:
        """Numbers (R,)."""
        values = self._values(labels)
        raters = surveys.sum(axis=1)
        means: Floats = surveys @ values / np.maximum(raters, 1)
        if (raters > 0).all():
            return means
        return np.where(raters > 0, means, others.average(others.shares() @ values))

    def learns(self, raters: int) -> bool:
        """Only the prediction from no answers depends on the other items."""
        return raters == 0

    def check(self, labels: Labels) -> None:
        """Labels must be numbers."""
        self._values(labels)

    def _values(self, labels: Labels) -> Floats:
        if labels.values is None:
            raise OptionError(
                "combiner='mean' needs labels that are numbers; these are "
                f"{labels.listing(4)}: choose 'plurality', 'frequency' or 'abc'."
            )
        return labels.values


# The combiners that have a name, in the order they are listed to people.
COMBINERS: dict[str, Combiner] = {
    combiner.name: combiner
    for combiner in (
        AnonymousBayes(),
        FittedBayes(),
        LinearBayes(),
        Plurality(),
        Frequency(),
        Frequency("frequency-overall", empty="overall"),
        Mean(),
    )
}

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
            f"There is no combiner {combiner!r}: choose auto, {', '.join(COMBINERS)}, "
            "or give a function of the surveys' counts."
        )
    if callable(combiner):
        return Custom.of(combiner, n_labels)
    raise OptionError(
        f"combiner is a name (auto, {', '.join(COMBINERS)}) or a function, not {combiner!r}."
    )


@frozen
class Custom(Combiner):
    """A function of the counts: `function(surveys)` with `surveys` (R, L) whole numbers.

    It returns (R, L) probabilities, (R,) whole numbers (label positions) or (R,) other
    numbers, and must answer for a survey of nobody (a row of zeros) too.

    >>> def add_one(surveys):
    ...     return (surveys + 1) / (surveys + 1).sum(axis=1, keepdims=True)
    >>> Custom.of(add_one).produces
    'probabilities'
    """

    function: Callable[[Ints], Any]
    name: str
    produces: Produces

    @classmethod
    def of(cls, function: Callable[[Ints], Any], n_labels: int = 2) -> "Custom":
        """Wrap a function; what it produces is seen from its answer on some small surveys."""
        name = getattr(function, "__name__", type(function).__name__)
        surveys = np.eye(n_labels + 1, n_labels, k=-1, dtype=np.int64)
        return cls(function, name, _kind(np.asarray(function(surveys)), name, surveys.shape))

    def __call__(self, surveys: Ints, others: Others, *, labels: Labels) -> Floats:
        """What the function says, checked."""
        del others
        answer = np.asarray(self.function(surveys))
        kind = _kind(answer, self.name, surveys.shape)
        if kind == "labels" and self.produces == "numbers":
            kind = "numbers"
        if kind != self.produces:
            raise OptionError(
                f"combiner {self.name} gave {kind} for surveys of {int(surveys[0].sum())} "
                f"raters and {self.produces} before: give the same kind for every survey."
            )
        if kind == "numbers":
            return answer.astype(np.float64)
        if kind == "probabilities":
            return self._checked(answer.astype(np.float64))
        if ((answer < 0) | (answer >= labels.n)).any():
            raise OptionError(
                f"combiner {self.name} gave a label position outside 0 to {labels.n - 1}: "
                "return positions in the order of the labels."
            )
        chosen: Floats = np.eye(labels.n)[answer]
        return chosen

    def _checked(self, chances: Floats) -> Floats:
        if not np.isfinite(chances).all() or (chances < 0).any():
            raise OptionError(f"combiner {self.name} gave a probability that is not at least 0.")
        if not np.allclose(chances.sum(axis=1), 1, atol=1e-6):
            raise OptionError(
                f"combiner {self.name} gave probabilities that do not sum to one for each survey."
            )
        return chances


def _kind(answer: np.ndarray, name: str, shape: tuple[int, ...]) -> Produces:
    if answer.shape == shape:
        return "probabilities"
    if answer.shape == shape[:1]:
        return "labels" if answer.dtype.kind in "iu" else "numbers"
    raise OptionError(
        f"combiner {name} gave an answer of shape {answer.shape} for surveys of shape {shape}: "
        "return a row of probabilities, a label position or a number for each survey."
    )
