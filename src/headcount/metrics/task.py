"""What a scorer must know besides the rows: the labels, the one of interest, the clip."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headcount.data import Labels
from headcount.errors import OptionError
from headcount.frozen import frozen


@frozen
class Task:
    """The labels, the position of the positive one where the user named it, and the clip.

    `clip=None` is 0.04 / L: the paper's 0.02 for two labels.
    """

    labels: Labels
    positive: int | None = None
    clip: float | None = None

    @property
    def n_labels(self) -> int:
        """How many labels there are."""
        return self.labels.n

    @property
    def focus(self) -> int | None:
        """The one label a two-sided scorer looks at, or None to average over all of them."""
        if self.positive is None and self.labels.n == 2:
            return 1
        return self.positive

    @cached_property
    def epsilon(self) -> float:
        """The clip in use."""
        return clip_for(self.labels.n, self.clip)

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """The labels as numbers; refuses labels that are not."""
        if self.labels.values is None:
            raise OptionError(
                f"Numbers are needed, but the labels are not numbers ({self.labels.listing()}): "
                "use a scorer and a combiner for labels, or recode the labels as numbers."
            )
        return self.labels.values

    @cached_property
    def levels(self) -> NDArray[np.float64]:
        """The labels' numbers where these rise with the labels; refuses labels in another order."""
        values = self.values
        if not (np.diff(values) > 0).all():
            raise OptionError(
                f"The labels' numbers must rise in their order ({self.labels.listing()}): give "
                "them so with order=."
            )
        return values


def clip_for(n_labels: int, clip: float | None = None) -> float:
    """The clip ε in use: the one given, or 0.04 / L.

    >>> clip_for(2)
    0.02
    """
    if clip is None:
        return 0.04 / n_labels
    if isinstance(clip, bool) or not 0 < clip < 1 / n_labels:
        raise OptionError(
            f"clip is the least probability a prediction may give a label: with {n_labels} labels "
            f"a number above 0 and below {1 / n_labels:.3g}; it was {clip!r}."
        )
    return float(clip)
