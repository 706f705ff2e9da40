"""Hugging Face datasets: rows as a table that names its labels, and soft labels as a dataset."""

from typing import Any

import pyarrow as pa

from headcount.errors import MissingExtraError
from headcount.population import SoftLabels


def table_of(dataset: Any) -> pa.Table:
    """A `datasets.Dataset` as an Arrow table that says its labels by name.

    Parameters
    ----------
    dataset : datasets.Dataset
        A split, such as ``load_dataset(...)["train"]``.

    Returns
    -------
    pyarrow.Table
        For `Ratings.from_frame`, `Predictions.from_frame` and whatever takes a frame. A
        `ClassLabel` is its name and no number, in lists too; −1, which datasets write for no
        label, is missing.
    """
    kind = _datasets().ClassLabel
    table = dataset.with_format("arrow")[:]
    for place, (name, feature) in enumerate(dataset.features.items()):
        inner = getattr(feature, "feature", None)
        codes = table[name].to_pylist()
        if isinstance(feature, kind):
            named = pa.array([_name(feature, code) for code in codes], pa.string())
        elif isinstance(inner, kind):
            lists = [[_name(inner, code) for code in each or ()] for each in codes]
            named = pa.array(lists, pa.list_(pa.string()))
        else:
            continue
        table = table.set_column(place, name, named)
    return table.replace_schema_metadata(None)


def _name(labels: Any, code: int | None) -> str | None:
    """A label's name; none for −1."""
    return None if code is None or code < 0 else str(labels.names[code])


def dataset_of(labels: SoftLabels) -> Any:
    """Labels to train on as a `datasets.Dataset`.

    Parameters
    ----------
    labels : SoftLabels
        What `soft_labels` gave.

    Returns
    -------
    datasets.Dataset
        A row an item: `soft_label` and `given` are lists in the order of the names of `majority`,
        which is a `ClassLabel`; `weight`, `entropy` and `ratings` beside them.
    """
    return _datasets().Dataset(labels.to_arrow_dataset())


def _datasets() -> Any:
    try:
        import datasets
    except ImportError as error:
        raise MissingExtraError(
            "datasets is not installed: pip install 'headcount[datasets]'."
        ) from error
    return datasets
