"""What a recipe is (a name, checked options, `make(seed)`) and the data that it makes."""

import csv
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from headcount.errors import InputError, OptionError
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


@frozen
class Setting:
    """One option of a recipe, for help texts.

    Attributes
    ----------
    name : str
        What it is called.
    default : object
        What it is where nobody says.
    help : str
        What it means.

    Examples
    --------
    >>> from headcount.simulate import Comments
    >>> Comments.settings()[0]
    Setting(name='items', default=2000, help='how many comments')
    """

    name: str
    default: Any
    help: str


@frozen(kw_only=True)
class Recipe(ABC):
    """Data with known truth, described by options.

    A recipe is a frozen dataclass whose fields are its options (keyword-only, each with a
    `help` in its metadata), with a `name`, one line `about` it, checks in `__post_init__`,
    and `_make(rng)`. Equal options and equal seeds give equal data.

    Examples
    --------
    >>> from headcount.simulate import RunningExample
    >>> RunningExample(items=7).make(seed=1).ratings.n_items
    7
    """

    name: ClassVar[str]
    about: ClassVar[str]

    def make(self, seed: int = 0) -> Simulated:
        """Draw the data.

        Parameters
        ----------
        seed : int
            The same seed gives the same data.

        Returns
        -------
        Simulated

        Examples
        --------
        >>> from headcount.simulate import Scores
        >>> Scores(items=30).make(seed=1).labels
        ('1', '2', '3', '4', '5')
        """
        return self._make(np.random.default_rng(whole("seed", seed, least=0)))

    @abstractmethod
    def _make(self, rng: np.random.Generator) -> Simulated:
        """Draw the data from a generator."""

    @classmethod
    def settings(cls) -> tuple[Setting, ...]:
        """The options with their defaults and meanings."""
        return tuple(
            Setting(each.name, each.default, each.metadata.get("help", ""))
            for each in fields(cls)
            if each.default is not MISSING
        )

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Self:
        """The recipe with these options; text is read as the kind of value the default is.

        Parameters
        ----------
        options : mapping of str to object
            Options by their names, as values or as a command line gives them.

        Returns
        -------
        Recipe

        Examples
        --------
        >>> from headcount.simulate import Mixture
        >>> Mixture.from_options({"items": "40", "labels": "no,yes"}).items
        40
        """
        defaults = {setting.name: setting.default for setting in cls.settings()}
        for name in options:
            if name not in defaults:
                raise OptionError(
                    f"The recipe {cls.name!r} has no option {name!r}: "
                    f"it takes {', '.join(defaults)}."
                )
        return cls(
            **{
                name: _read(name, value, defaults[name]) if isinstance(value, str) else value
                for name, value in options.items()
            }
        )


def whole(name: str, value: Any, *, least: int, most: int | None = None) -> int:
    """`value` as a whole number within limits, or the sentence that says what it must be."""
    number = _finite(value)
    if number is None or number != int(number) or not _within(number, least, most):
        limits = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise OptionError(f"{name} is a whole number {limits}; it was {value!r}.")
    return int(number)


def share(name: str, value: Any) -> float:
    """`value` as a number from 0 to 1, or the sentence that says what it must be."""
    number = _finite(value)
    if number is None or not 0 <= number <= 1:
        raise OptionError(f"{name} is a number from 0 to 1; it was {value!r}.")
    return number


def spread(name: str, value: Any) -> float:
    """`value` as a finite number of at least 0, or the sentence that says what it must be."""
    number = _finite(value)
    if number is None or number < 0:
        raise OptionError(f"{name} is a number of at least 0; it was {value!r}.")
    return number


def simplex(name: str, values: Any) -> NDArray[np.float64]:
    """`values` as probabilities that sum to one, or the sentence that says they do not."""
    try:
        numbers = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        numbers = np.array([np.nan])
    if numbers.ndim != 1 or not np.all(numbers >= 0) or not np.isclose(numbers.sum(), 1):
        raise OptionError(f"{name} holds probabilities that sum to 1; it was {values!r}.")
    return np.asarray(numbers / numbers.sum())


def names(name: str, values: Any) -> tuple[str, ...]:
    """`values` as at least two different names."""
    if isinstance(values, str) or len({str(value) for value in values}) != len(values):
        raise OptionError(f"{name} lists different names; it was {values!r}.")
    if len(values) < 2:
        raise OptionError(f"{name} needs at least two names; it was {values!r}.")
    return tuple(str(value) for value in values)


def _finite(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if np.isfinite(number) else None


def _within(number: float, least: int, most: int | None) -> bool:
    return number >= least and (most is None or number <= most)


def _read(name: str, text: str, default: Any) -> Any:
    """Text from a command line as the kind of value `default` is.

    Lists are separated by commas; a list of lists separates its inner values by slashes.
    """
    if isinstance(default, tuple):
        parts = [part.strip() for part in text.split(",") if part.strip()]
        if default and isinstance(default[0], tuple):
            return tuple(
                tuple(_read(name, inner, default[0][0]) for inner in part.split("/"))
                for part in parts
            )
        return tuple(_read(name, part, default[0] if default else "") for part in parts)
    if isinstance(default, int | float):
        number = _finite(text)
        if number is None:
            raise OptionError(f"{name} is a number; it was {text!r}.")
        return int(number) if isinstance(default, int) and number == int(number) else number
    return text


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
