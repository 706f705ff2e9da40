"""Intraclass correlations by pingouin, to be frozen in `test_reliability.py`.

    python -m venv peers && peers/bin/pip install pingouin==0.7.0
    peers/bin/python tests/scores/freeze_reference.py

Shrout and Fleiss's six subjects by four judges (1979), and thirty items by five raters on a
1-5 scale.
"""

import numpy as np

SHROUT_FLEISS = [
    [9, 2, 5, 8],
    [6, 1, 3, 2],
    [8, 4, 6, 8],
    [7, 1, 2, 6],
    [10, 5, 6, 9],
    [6, 2, 4, 7],
]


def marks() -> np.ndarray:
    """Thirty items by five raters, whole marks from 1 to 5."""
    item = np.arange(30)[:, None]
    rater = np.arange(5)[None, :]
    return np.clip(item // 6 + rater % 2 + (item * (rater + 1)) % 3, 1, 5)


if __name__ == "__main__":
    import pandas as pd
    import pingouin

    for table in (np.array(SHROUT_FLEISS), marks()):
        n, k = table.shape
        long = pd.DataFrame(
            {
                "item": np.repeat(np.arange(n), k),
                "rater": np.tile(np.arange(k), n),
                "value": table.ravel(),
            }
        )
        found = pingouin.intraclass_corr(long, targets="item", raters="rater", ratings="value")
        with pd.option_context(
            "display.precision", 10, "display.width", 200, "display.max_columns", 20
        ):
            print(found)
        for _, row in found.iterrows():
            print(row.iloc[0], repr(float(row["ICC"])), row.iloc[-1])
