"""The truth probabilities of each case, as columns and as files."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.errors import InputError, OptionError, UnanswerableError

SUFFIXES = (".csv", ".parquet", ".jsonl")


@dataclass(frozen=True)
class TruthTable:
    """Probabilities (J, L) of groups of cases by each estimate, and each case's group (n,)."""

    items: NDArray[np.object_] = field(default_factory=lambda: np.empty(0, dtype=object))
    group: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    algebraic: NDArray[np.float64] | None = None
    latent_class: NDArray[np.float64] | None = None

    def columns(self, labels: tuple[str, ...], estimate: str, by_label: bool) -> dict[str, Any]:
        """Named columns: `item` and `truth:label` each, or item, label, probability rows."""
        if estimate not in ("algebraic", "latent_class"):
            raise OptionError(f'estimate is "algebraic" or "latent_class", not {estimate!r}.')
        groups = self.algebraic if estimate == "algebraic" else self.latent_class
        if groups is None:
            raise UnanswerableError(
                f"There are no truth probabilities by the {estimate.replace('_', '-')} estimate: "
                "the summary of this result says why."
            )
        truth = groups[self.group]
        if by_label:
            named = {f"truth:{label}": truth[:, code] for code, label in enumerate(labels)}
            return {"item": self.items.astype(str), **named}
        return {
            "item": np.repeat(self.items.astype(str), len(labels)),
            "label": np.tile(np.array(labels, dtype=str), len(self.items)),
            "probability": truth.ravel(),
        }


def write_frame(table: Any, path: Path) -> Path:
    """Write an Arrow table; the suffix says how."""
    if path.suffix.lower() not in SUFFIXES:
        raise OptionError(
            f"Truth probabilities cannot be written to {path.name!r}: "
            f"the name must end in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}."
        )
    try:
        _write(table, path)
    except OSError as error:
        raise InputError(
            f"The truth probabilities could not be written to {path}: {error.strerror or error}."
        ) from error
    return path


def _write(table: Any, path: Path) -> None:
    if path.suffix.lower() == ".csv":
        import pyarrow.csv as pa_csv

        pa_csv.write_csv(table, path)
    elif path.suffix.lower() == ".parquet":
        import pyarrow.parquet as pq

        pq.write_table(table, path)
    else:
        import json

        with path.open("w", encoding="utf-8") as file:
            for row in table.to_pylist():
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
