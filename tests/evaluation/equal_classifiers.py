"""Classifiers of which none is better than another, and how often one is said to be.

Raters choose by random utility: an item has a utility for each of three labels, a rater tastes of
its own, every choice a Gumbel error, which gives multinomial logits. Classifiers choose alike, each
with errors of its own, so that none is better, by any number. No other page or test draws so.
`python tests/evaluation/equal_classifiers.py --cell 6,anonymous --data-sets 200` prints a row.
"""

import argparse
import time

import numpy as np
import pyarrow as pa

import headcount as hc
from headcount.agreement.crowd import Crowd
from headcount.evaluation.differences import differences_of
from headcount.sampling import Bootstrap

LABELS = np.array(["a", "b", "c"])
TASTE, SAMPLES, PER_DOCUMENT = 0.4, 100, 8
ITEMS = {"anonymous": 400, "raters": 300, "ragged": 400, "documents": 400}


def study(n_classifiers: int, shape: str, run: int, *, ahead: float = 0.0) -> hc.Study:
    """One data set; the first classifier errs less by `ahead`, the share of its error it lacks."""
    rng = np.random.default_rng([n_classifiers, len(shape), run])
    n, m = ITEMS[shape], 3 if shape == "anonymous" else 8
    utility = rng.normal(0, 1.5, (n, 3))
    if shape == "documents":
        shared = rng.normal(0, 1.5, (n // PER_DOCUMENT, 3)).repeat(PER_DOCUMENT, axis=0)
        utility = 0.7 * shared + 0.7 * utility
    taste = np.zeros((m, 3)) if shape == "anonymous" else rng.normal(0, TASTE, (m, 3))
    said = (utility[:, None] + taste + rng.gumbel(size=(n, m, 3))).argmax(axis=2)
    error = rng.gumbel(size=(n, n_classifiers, 3))
    error[:, 0] *= 1 - ahead
    answers = (utility[:, None] + error).argmax(axis=2)
    names = np.char.add("i", np.arange(n).astype(str))
    judges = pa.table(
        {"item": names} | {f"c{c}": LABELS[answers[:, c]] for c in range(n_classifiers)}
    )
    if shape == "anonymous":
        counts = np.stack([(said == each).sum(axis=1) for each in range(3)], axis=1)
        columns = {"item": names} | {f"n_{x}": counts[:, c] for c, x in enumerate(LABELS)}
        ratings = hc.Ratings.from_counts(pa.table(columns), item="item")
        renamed = {x: f"n_{x}" for x in LABELS}
        judges = pa.table(
            {"item": names}
            | {f"c{c}": [renamed[x] for x in LABELS[answers[:, c]]] for c in range(n_classifiers)}
        )
        return hc.Study(ratings, hc.Predictions.from_frame(judges))
    asked = rng.random((n, m)) < (0.5 if shape == "ragged" else 1.0)
    asked[:, :2] |= asked.sum(axis=1)[:, None] < 2
    item, rater = np.nonzero(asked)
    columns = {"item": names[item], "rater": rater.astype(str), "label": LABELS[said[item, rater]]}
    if shape == "documents":
        columns["document"] = np.char.add("d", (item // PER_DOCUMENT).astype(str))
    cluster = "document" if shape == "documents" else None
    ratings = hc.Ratings.from_frame(pa.table(columns), cluster=cluster)
    return hc.Study(ratings, hc.Predictions.from_frame(judges))


def claims(of: hc.Study) -> set[str]:
    """The quantities in which somebody is said to be better than somebody."""
    found = hc.survey_equivalence(of, n_bootstrap=SAMPLES)
    crowd = Crowd.of(of, Bootstrap(SAMPLES, 0.95, 0))
    told = differences_of(crowd, crowd.agreeing["agree"], found, 0.95)
    for each in told.pairs:
        gap = each.difference
        if gap.low is not None and gap.high is not None and gap.value is not None:
            assert gap.low <= gap.value <= gap.high, each
    return {each.quantity for each in told.pairs if each.claimed}


def main() -> None:
    """Print a row a cell."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--cell", action="append", required=True, help="classifiers,shape")
    asked.add_argument("--data-sets", type=int, default=200)
    asked.add_argument("--ahead", type=float, default=0.0)
    given = asked.parse_args()
    for cell in given.cell:
        number, shape = cell.split(",")
        start = time.process_time()
        found = [
            claims(study(int(number), shape, run, ahead=given.ahead))
            for run in range(given.data_sets)
        ]
        by = {x: sum(x in each for each in found) for x in ("worth", "agree", "score")}
        print(cell, given.data_sets, "any", sum(map(bool, found)), by, end=" ")
        print(f"{time.process_time() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
