"""Worlds over time: which of three changes, and when, is known."""

from typing import Any

import numpy as np
import pyarrow as pa

from headcount import Predictions, Ratings, Study

PERIODS = 8


def world(
    seed: int,
    *,
    items: int = 800,
    raters: int = 12,
    each: int = 3,
    right: float = 0.92,
    agree: float = 0.88,
    change: float = 0.5,
    judge: float = 0.0,
    harder: float = 0.0,
    careless: float = 0.0,
    careless_raters: float = 1.0,
    season: float = 0.0,
    judges: int = 1,
    labels: int = 2,
) -> Study:
    """Items at times 0 … 1 in eight periods; at `change` something happens, to the end.

    `judge` is how much less often the judge is right, `harder` what share of items becomes such
    that people are evenly split and the judge no better, `careless` the share of answers that
    people (a share `careless_raters` of them) give at random; `season` is how much less often the
    judge is right in the third period alone.
    """
    rng = np.random.default_rng([seed, 36])
    when = np.sort(rng.random(items))
    later = when >= change
    period = np.minimum((when * PERIODS).astype(int), PERIODS - 1)
    truth = rng.integers(labels, size=items)
    contested = (rng.random(items) < 0.1) | (later & (rng.random(items) < harder))

    def answer(p_right: Any, of: Any) -> Any:
        good = rng.random(len(of)) < np.where(contested[of], 1 / labels, p_right)
        other = (truth[of] + rng.integers(1, labels, size=len(of))) % labels
        return np.where(good, truth[of], other)

    everything = np.arange(items)
    p_judge = right - judge * later - season * (period == 2)
    machines = {
        f"judge{j}" if judges > 1 else "judge": answer(p_judge, everything) for j in range(judges)
    }
    of = np.repeat(everything, each)
    rater = np.concatenate([rng.permutation(raters)[:each] for _ in range(items)])
    said = answer(agree, of)
    tired = later[of] & (rater < careless_raters * raters) & (rng.random(len(of)) < careless)
    said = np.where(tired, rng.integers(labels, size=len(of)), said)
    frame = {"item": of, "rater": rater, "label": said, "period": period[of] + 1}
    told = {"item": everything, **machines}
    return Study(
        Ratings.from_frame(pa.table(frame), time="period"),
        Predictions.from_frame(pa.table(told), classifiers=list(machines)),
    )
