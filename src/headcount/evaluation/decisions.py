"""What classifiers decide: their most probable label for each item, and nothing else."""

import numpy as np
import pyarrow as pa

from headcount.predictions import Judged, Predictions

_NO_LABEL = "(no label)"


def decisions(judged: Judged) -> Predictions:
    """The classifiers as hard ones on the judged items.

    Scores that look at decisions only come out the same; but items that got the same ratings
    and decisions now group together, which makes a bootstrap over them almost free.
    """
    names = np.array([*judged.labels.names, _NO_LABEL], dtype=object)
    columns = {
        each.name: pa.array(names[each.top()], type=pa.string()) for each in judged.classifiers
    }
    assert judged.items is not None
    item = _unused("item", columns)
    frame = pa.table({item: pa.array(judged.items, type=pa.string()), **columns})
    return Predictions.from_frame(frame, item=item)


def _unused(name: str, taken: dict[str, pa.Array]) -> str:
    while name in taken:
        name += "_"
    return name
