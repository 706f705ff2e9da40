"""`headcount plan pilot`: what a pilot tells about which classifier to choose."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headcount.cli import options as shared
from headcount.cli.choices import chooses
from headcount.cli.output import emit, remark
from headcount.cli.plan_shared import (
    LABELS,
    ItemCost,
    LabelCost,
    under,
)
from headcount.cli.reading import reads
from headcount.options import PilotOptions

if TYPE_CHECKING:
    from headcount.data import Predictions, Ratings, Study

Gold = Annotated[
    Path | None, under(LABELS, "The truth of some items (item, label): compares right answers.")
]
ItemsFile = Annotated[
    Path | None,
    typer.Option(
        "--items", help="Also write the items to label next, best first: .csv, .parquet or .jsonl."
    ),
]
Texts = Annotated[
    Path | None, typer.Option(help="What the items say (item, text), to stand beside them.")
]


@reads("required")
@chooses(PilotOptions)
def pilot(
    ratings: "Ratings",
    predictions: "Predictions",
    options: PilotOptions,
    gold: Gold = None,
    item_cost: ItemCost = 0.0,
    label_cost: LabelCost = 1.0,
    items: ItemsFile = None,
    texts: Texts = None,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """Choose a classifier from a pilot: what does that lose, and what would more labels save?"""
    from headcount.data import Study
    from headcount.plan import Costs, plan_from_pilot
    from headcount.results.files import FRAME_SUFFIXES, check_writable

    if items is not None:
        check_writable(items, "The items", FRAME_SUFFIXES)
    study = Study(ratings, predictions, options.positive, options.unknown)
    result = plan_from_pilot(
        study,
        gold=None if gold is None else _truths(gold),
        costs=Costs(label=label_cost, item=item_cost),
        **options.as_given(),
    )
    if items is not None:
        _write_items(study, items, texts)
    emit(result, output, chart)
    if items is not None:
        remark(f"Items to label next written to {items}")


def _write_items(study: "Study", path: Path, texts: Path | None) -> None:
    from headcount.plan import next_items
    from headcount.results.files import write_frame

    found = next_items(study, texts=None if texts is None else _read_texts(texts))
    write_frame(found.to_frame("pyarrow"), path, "The items")


def _read_texts(path: Path) -> dict[str, str]:
    """What each item says: a file with the item and one other column, or one called text."""
    from headcount.door import open_file
    from headcount.door.roles import require_column
    from headcount.errors import InputError

    source = open_file(str(path))
    item = require_column("item", source.columns, None, table=source.name)
    others = [name for name in source.columns if name != item]
    text = "text" if "text" in others else others[0] if len(others) == 1 else None
    if text is None:
        raise InputError(
            f"{source.name} has no column 'text': name it so, or leave the others out."
        )
    table = source.ask(f"SELECT {source.text(item)} AS i, {source.text(text)} AS t FROM source")
    pairs = zip(table["i"].to_pylist(), table["t"].to_pylist(), strict=True)
    return {str(i): str(t) for i, t in pairs if i is not None and t is not None}


def _truths(path: Path) -> dict[str, str]:
    """The truth by item: a file with item and label, a row an item."""
    from headcount.data import Ratings

    gold = Ratings.read(path)
    counted = gold.item_counts()
    return {
        str(item): gold.labels.names[int(row.argmax())]
        for item, row in zip(counted.items, counted.counts, strict=True)
    }
