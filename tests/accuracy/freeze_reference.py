"""How the numbers of `reference.json` were made: by crowd-kit's Dawid–Skene, installed apart.

    python -m venv peer && peer/bin/pip install crowd-kit==1.4.2
    peer/bin/python tests/accuracy/freeze_reference.py ../shared/data > reference.json

300 iterations of EM from the majority vote (the bound it watches counts priors once a rating
and may fall, so left to itself it stops after two on sleep-stages). The log-likelihood is
worked out here from the fitted matrices. `rater_accuracy` is the expected share of ratings that
are right, `system_accuracy` Σ prior × chance of the right answer. An entry with `+ name` has
that system as one more rater.
"""

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd

SETS = {
    "sleep-stages": ("ratings.csv.gz", None),
    "sleep-stages + DeepSleepNet": ("ratings.csv.gz", "DeepSleepNet"),
    "sleep-stages + Tsinalis_et_Al": ("ratings.csv.gz", "Tsinalis_et_Al"),
    "entailment-rte": ("ratings.csv", None),
}


def rows(folder, file, system):
    """The answers as crowd-kit wants them."""
    data = pd.read_csv(folder / file, dtype=str)
    if system is not None:
        predictions = pd.read_csv(folder / "predictions.csv.gz", dtype=str)
        own = pd.DataFrame({"item": predictions["item"], "rater": system})
        own["label"] = predictions[system]
        data = pd.concat([data, own])
    return data.rename(columns={"item": "task", "rater": "worker"})


def fitted(data, system):
    """The numbers that describe crowd-kit's fit."""
    from crowdkit.aggregation import DawidSkene

    model = DawidSkene(n_iter=300, tol=-np.inf).fit(data)
    labels, errors = sorted(data["label"].unique()), model.errors_
    priors = model.priors_[labels]
    log_chances = data.join(np.log(errors[labels]), on=["worker", "label"])
    score = log_chances.groupby("task")[labels].sum() + np.log(priors)
    raters = data[data["worker"] != system]
    right = [
        model.probas_.loc[task, label]
        for task, label in zip(raters.task, raters.label, strict=True)
    ]
    own = None if system is None else sum(priors[x] * errors.loc[(system, x), x] for x in labels)
    return {
        "log_likelihood": float(np.logaddexp.reduce(score.to_numpy(), axis=1).sum()),
        "iterations": len(model.loss_history_),
        "base_rates": {label: float(priors[label]) for label in labels},
        "rater_accuracy": float(np.mean(right)),
        "system_accuracy": None if own is None else float(own),
        "labels": {label: int((model.labels_ == label).sum()) for label in labels},
    }


def main(folder):
    """Fit every set and print the numbers."""
    print(
        json.dumps(
            {
                name: fitted(rows(Path(folder) / name.split(" + ")[0], file, system), system)
                for name, (file, system) in SETS.items()
            },
            indent=1,
        )
    )


if __name__ == "__main__":
    main(sys.argv[1])
