"""A test set of drawn primary labels, for tools that read files and know no weights."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.errors import InputError, OptionError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class DrawnLabels:
    """Labels drawn from each item's primary labels: `item`, `draw` and `label`, a row each."""

    item: NDArray[np.object_]
    draw: Ints
    label: NDArray[np.object_]

    def columns(self) -> dict[str, list[Any]]:
        """The rows as named columns."""
        return {
            "item": self.item.tolist(),
            "draw": self.draw.tolist(),
            "label": self.label.tolist(),
        }

    def to_frame(self, backend: str = "pyarrow") -> Any:
        """The rows as a frame: a `pyarrow.Table`, or "pandas" or "polars" on request."""
        from headcount.results.result import frame_from_columns

        return frame_from_columns(self.columns(), backend)

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write the rows as .csv or .parquet."""
        import pyarrow.csv
        import pyarrow.parquet

        target = Path(path)
        writers = {".csv": pyarrow.csv.write_csv, ".parquet": pyarrow.parquet.write_table}
        if target.suffix not in writers:
            raise OptionError(f"{target} must end in .csv or .parquet.")
        try:
            writers[target.suffix](self.to_frame(), str(target))
        except OSError as error:
            raise InputError(
                f"{target} cannot be written ({error.strerror or error}): name another place."
            ) from error
        return target


def draw_codes(primary: Floats, labels_per_item: int, seed: int) -> Ints:
    """Label positions (n, labels_per_item) drawn with the chances in `primary` (n, L)."""
    rng = np.random.default_rng([seed, 6])
    edges = primary.cumsum(axis=1)
    edges /= edges[:, -1:]
    chance = rng.random((len(primary), labels_per_item))
    codes: Ints = (chance[:, :, None] >= edges[:, None, :-1]).sum(axis=2)
    return codes


def draw_labels(
    items: NDArray[np.object_],
    names: tuple[str, ...],
    primary: Floats,
    *,
    labels_per_item: int = 10,
    seed: int = 0,
) -> DrawnLabels:
    """Draw the same number of labels for every item; equal seeds give equal labels."""
    number = labels_per_item
    if isinstance(number, bool) or number != int(number) or number < 1:
        raise OptionError(f"labels_per_item is a whole number of at least 1; it was {number!r}.")
    codes = draw_codes(primary, number, seed)
    return DrawnLabels(
        np.repeat(items, number),
        np.tile(np.arange(1, number + 1), len(items)),
        np.array(names, dtype=object)[codes.ravel()],
    )
