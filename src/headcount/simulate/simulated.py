"""What a recipe makes: ratings, predictions and the truth behind them."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from headcount.errors import InputError
from headcount.frozen import frozen
from headcount.results.files import replacing
from headcount.simulate.crowd import Replies

if TYPE_CHECKING:
    from headcount.data import Predictions, Ratings

Columns = dict[str, NDArray[Any]]


@frozen(eq=False)
class Simulated:
    """Data with known truth, as columns of equal length.

    Attributes
    ----------
    labels : tuple of str
        The labels, from lowest to highest where they are `ordered`.
    rating_columns : dict of str to ndarray
        Item, rater and label, one row an answer; a second answer by the same rater on the same
        item is a retest. With `group` where raters come in groups.
    prediction_columns : dict of str to ndarray
        Item and the classifiers: `name` for a hard one, `name:label` for a soft one. Empty where
        a recipe has no classifiers.
    truth : dict of str to ndarray
        Item, and what nobody knows in life.
    facts : mapping of str to float
        Single true numbers.
    ordered : bool
        Whether the labels have an order.

    Examples
    --------
    >>> from headcount.simulate import make
    >>> data = make("fallible", cases=40, seed=1)
    >>> data.ratings.n_ratings, sorted(data.truth)
    (120, ['difficulty', 'item', 'truth'])
    """

    labels: tuple[str, ...]
    rating_columns: Columns
    prediction_columns: Columns
    truth: Columns
    facts: Mapping[str, float] = field(default_factory=dict)
    ordered: bool = False

    @property
    def ratings(self) -> "Ratings":
        """The ratings, as if read from a file."""
        from headcount.data import Ratings

        order = self.labels if self.ordered else None
        return Ratings.from_frame(_frame(self.rating_columns), order=order)

    @property
    def predictions(self) -> "Predictions":
        """The predictions, as if read from a file."""
        from headcount.data import Predictions

        if not self.prediction_columns:
            raise InputError("This recipe simulates ratings only: it has no classifiers.")
        return Predictions.from_frame(_frame(self.prediction_columns))

    def write(self, folder: str | Path) -> tuple[Path, ...]:
        """Write ratings.csv, predictions.csv (where there are any) and truth.csv.

        Parameters
        ----------
        folder : str or path
            Where to; made if it is not there.

        Returns
        -------
        tuple of path
            The files written.

        Examples
        --------
        >>> import tempfile
        >>> from headcount.simulate import make
        >>> [file.name for file in make("comments", items=10).write(tempfile.mkdtemp())]
        ['ratings.csv', 'predictions.csv', 'truth.csv']
        """
        target = Path(folder)
        tables = {
            "ratings.csv": self.rating_columns,
            "predictions.csv": self.prediction_columns,
            "truth.csv": self.truth,
        }
        try:
            target.mkdir(parents=True, exist_ok=True)
            return tuple(
                _write_csv(target / name, columns) for name, columns in tables.items() if columns
            )
        except OSError as error:
            raise InputError(
                f"{target} cannot be written to ({error.strerror}): name another folder."
            ) from error


def numbered(prefix: str, count: int) -> NDArray[np.object_]:
    """Names such as r01, r02 …, of equal length, so that they sort in their order."""
    width = len(str(count))
    return np.array([f"{prefix}{number:0{width}d}" for number in range(1, count + 1)], dtype=object)


def rating_columns(
    replies: Replies,
    items: NDArray[np.object_],
    raters: NDArray[np.object_],
    labels: Sequence[str],
) -> Columns:
    """Replies as columns of names, first answers by item, then the retests."""
    columns: Columns = {
        "item": items[replies.item],
        "rater": raters[replies.rater],
        "label": np.array(labels, dtype=object)[replies.label],
    }
    if replies.occasion.any():  # which tells a second answer from a copied row
        columns["occasion"] = replies.occasion + 1
    return columns


def soft_columns(name: str, labels: Sequence[str], probabilities: NDArray[np.float64]) -> Columns:
    """A soft classifier's probabilities (n, L) as columns `name:label`."""
    return {f"{name}:{label}": probabilities[:, j] for j, label in enumerate(labels)}


def _frame(columns: Columns) -> Any:
    import pyarrow as pa

    return pa.table({name: pa.array(values) for name, values in columns.items()})


def _write_csv(path: Path, columns: Columns) -> Path:
    with (
        replacing(path, "The data") as beside,
        beside.open("w", encoding="utf-8", newline="") as file,
    ):
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*(values.tolist() for values in columns.values()), strict=True))
    return path
