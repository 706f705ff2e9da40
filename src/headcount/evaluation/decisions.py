"""What classifiers decide: their most probable label for each item, and nothing else."""

import numpy as np
import pyarrow as pa

from headcount.data import Judged, Predictions
from headcount.door import text_column

_NO_LABEL = "(no label)"


def decisions(judged: Judged) -> Predictions:
    """The classifiers as hard ones on the judged items.

    Scores that look at decisions only come out the same; but items that got the same ratings
    and decisions now group together, which makes a bootstrap over them almost free.
    """
    names = np.array([*judged.labels.names, _NO_LABEL], dtype=object)
    columns = {each.name: text_column(names[each.top()]) for each in judged.classifiers}
    assert judged.items is not None
    item = _unused("item", columns)
    frame = pa.table({item: text_column(judged.items), **columns})
    return Predictions.from_frame(frame, item=item)


def _unused(name: str, taken: dict[str, pa.Array]) -> str:
    while name in taken:
        name += "_"
    return name
