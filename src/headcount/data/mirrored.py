"""Comparisons with their mirror images: which of two systems is called the first is a convention.

Where one system is always the first by name, "the first is better" would be known before anybody
looked, and a judge would get no credit for saying so. So each comparison stands beside itself with
the two changed over, both in one cluster, and whoever knows nothing of the answers knows nothing.
"""

from dataclasses import replace

import pyarrow as pa

from headcount.counting import SqlCounting
from headcount.data.meaning import Declared, understand_and_group
from headcount.data.predictions import Predictions
from headcount.data.rated import Rated
from headcount.door import optional_text_column, text_column, whole
from headcount.door.comparisons import WORDS
from headcount.door.source import Source, table_source
from headcount.door.text import exact_number, plain_number

MIRROR = " ⇄"
"""What the name of a mirror image ends with."""
_SAID = (
    "Each comparison was read with its mirror image, the two systems changed over, so that nothing "
    "hangs on which is called the first: counts of items are twice those of comparisons."
)


def turned(label: str | None) -> str | None:
    """What an answer says of the mirror image.

    >>> [turned(each) for each in ("first", "tie", "-1", "0")]
    ['second', 'tie', '1', '0']
    """
    if label in WORDS:
        return WORDS[::-1][WORDS.index(label)]
    number = None if label is None else exact_number(label)
    return label if number is None else plain_number(str(-number))


def mirrored_ratings(ratings: Rated) -> Rated:
    """Ratings of comparisons beside those of their mirror images."""
    source, layout = ratings.source, ratings.layout
    assert source is not None
    assert layout.label is not None
    kept = [source.text(name) for name in source.columns]
    table = source.ask(
        f"SELECT {', '.join(f'{t} AS c{j}' for j, t in enumerate(kept))} FROM source"
    )
    table = pa.table([whole(c).cast(pa.large_string()) for c in table.columns], table.column_names)
    image = _with(table, source, layout.item, lambda t: None if t is None else t + MIRROR)
    image = _with(image, source, layout.label, turned)
    both = pa.concat_tables([table, image])
    made = table_source(source.name, source.columns, both, notes=source.notes)
    counting = SqlCounting.of(made, layout)
    meaning, grouped = understand_and_group(counting, Declared(None, None), table=source.name)
    return replace(
        ratings,
        meaning=meaning,
        reductions=counting,
        grouped=grouped,
        source=made,
        remarks=(*ratings.remarks, _SAID),
    )


def _with(table: pa.Table, source: Source, name: str, change: object) -> pa.Table:
    """The table with the texts of one column changed."""
    place = source.columns.index(name)
    coded = whole(table.column(place)).dictionary_encode()
    told = optional_text_column([change(text) for text in coded.dictionary.to_pylist()])  # type: ignore[operator]
    column = told.cast(pa.large_string()).take(coded.indices)
    return table.set_column(place, table.column_names[place], column)


def mirrored_predictions(predictions: Predictions) -> Predictions:
    """What classifiers say of comparisons beside what they say of the mirror images."""
    here = predictions.here()
    columns = {
        name: whole(here.table[name]).cast(pa.large_string()) for name in here.table.column_names
    }
    ids = here.table.column_names[0]
    image = dict(columns)
    image[ids] = text_column(f"{text}{MIRROR}" for text in columns[ids].to_pylist())
    for raw in here.classifiers:
        by_label = dict(raw.by_label)
        for label, column in raw.by_label:
            other = by_label.get(turned(label) or "")
            image[column] = columns[other or column]
        if raw.whole is not None:
            texts = columns[raw.whole].to_pylist()
            image[raw.whole] = optional_text_column([turned(text) for text in texts])
    tables = [
        pa.table({name: column.cast(pa.large_string()) for name, column in each.items()})
        for each in (columns, image)
    ]
    return replace(here, table=pa.concat_tables(tables), first_row=None, runs=None)
