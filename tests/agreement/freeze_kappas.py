"""How the numbers of `kappas.json` were made: by other people's packages, installed apart.

    python -m venv peers && peers/bin/pip install irrCAC==0.4.4 scikit-learn==1.9.1 pandas
    peers/bin/python tests/agreement/freeze_kappas.py ../shared/data > tests/agreement/kappas.json

Labels are read as whole numbers, in whose order they lie. Of a rater's several answers on an
item the first in the file is kept. `irrCAC` gives Conger's kappa, Gwet's AC2 (AC1 with identity
weights) and Fleiss's kappa with each kind of weights, over all raters, blanks and all;
scikit-learn gives Cohen's kappa of the named pairs of raters on the items that both rated.
"""

import json
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

SETS = {
    "summeval": "ratings.csv.gz",
    "sleep-stages": "ratings.csv.gz",
    "llm-rubric": "ratings.csv",
}
WEIGHTS = {"identity": None, "linear": "linear", "quadratic": "quadratic"}
MOST_PAIRS = 10


def wide(path):
    """Items × raters as numbers, blank where a rater did not rate the item."""
    long = pd.read_csv(path, dtype=str, keep_default_na=False)
    first = long.drop_duplicates(["item", "rater"], keep="first")
    return first.pivot(index="item", columns="rater", values="label").astype(float)


def by_irrcac(table):
    """The coefficients of all raters together, by kind of weights."""
    from irrCAC.raw import CAC

    found = {}
    for weights in WEIGHTS:
        judged = CAC(table, weights=weights, digits=14)
        found[weights] = {
            "conger_kappa": judged.conger()["est"]["coefficient_value"],
            "gwet_ac2": judged.gwet()["est"]["coefficient_value"],
            "fleiss_kappa": judged.fleiss()["est"]["coefficient_value"],
        }
    return found


def by_sklearn(table):
    """Cohen's kappa of the pairs with most items in common."""
    from sklearn.metrics import cohen_kappa_score

    labels = sorted(np.unique(table.to_numpy()[table.notna().to_numpy()]))
    pairs = sorted(
        combinations(table.columns, 2),
        key=lambda pair: (-(table[list(pair)].notna().all(axis=1)).sum(), pair),
    )[:MOST_PAIRS]
    found = []
    for one, other in pairs:
        both = table[[one, other]].dropna()
        kappas = {
            name: cohen_kappa_score(both[one], both[other], labels=labels, weights=kind)
            for name, kind in WEIGHTS.items()
        }
        found.append({"raters": [one, other], "items": len(both), **kappas})
    return found


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    frozen = {}
    for name, file in SETS.items():
        table = wide(folder / name / file)
        frozen[name] = {"together": by_irrcac(table), "pairs": by_sklearn(table)}
        print(name, frozen[name]["together"], file=sys.stderr)
    print(json.dumps(frozen, indent=2))
