"""Two files of predictions as one, so that their classifiers can be compared item by item."""

from dataclasses import replace

import pyarrow as pa

from headcount.data.predictions import Predictions
from headcount.door import positions
from headcount.door.answered import RawClassifier
from headcount.errors import OptionError


def beside(first: Predictions, second: Predictions, marks: tuple[str, str]) -> Predictions:
    """The classifiers of both, each with the mark of its file after its name.

    Items that only one of the files has are left out: nothing could be compared on them.

    >>> import pyarrow as pa
    >>> old = Predictions.from_frame(pa.table({"item": [1, 2], "gpt": ["x", "y"]}))
    >>> new = Predictions.from_frame(pa.table({"item": [2, 3], "gpt": ["x", "x"]}))
    >>> both = beside(old, new, (" (old)", " (new)"))
    >>> both.names, both.n_items
    (('gpt (old)', 'gpt (new)'), 1)
    """
    if (first.mapping, first.missing) != (second.mapping, second.missing):
        raise OptionError("The answers of the two are read in different ways: read them alike.")
    place = positions(first.ids.to_pylist(), second.ids)
    kept = pa.array([bool(at >= 0) for at in place])
    ours = first.table.filter(kept)
    theirs = second.table.take(pa.array([int(at) for at in place if at >= 0]))
    names = [f"{name}{marks[0]}" for name in ours.column_names[1:]]
    names += [f"{name}{marks[1]}" for name in theirs.column_names[1:]]
    table = pa.table([*ours.columns, *theirs.columns[1:]], [ours.column_names[0], *names])
    classifiers = (
        *(_marked(each, marks[0]) for each in first.classifiers),
        *(_marked(each, marks[1]) for each in second.classifiers),
    )
    name = f"{first.name} and {second.name}"
    notes = tuple(dict.fromkeys((*first.notes, *second.notes)))
    return replace(
        first,
        name=name,
        classifiers=classifiers,
        table=table,
        first_row=None,
        notes=notes,
        runs=None,
    )


def _marked(classifier: RawClassifier, mark: str) -> RawClassifier:
    def named(column: str | None) -> str | None:
        return None if column is None else f"{column}{mark}"

    return RawClassifier(
        f"{classifier.name}{mark}",
        named(classifier.whole),
        tuple((label, f"{column}{mark}") for label, column in classifier.by_label),
        named(classifier.confidence),
    )
