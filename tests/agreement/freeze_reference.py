"""How the numbers of `reference.json` were made: by other people's packages, installed apart.

    python -m venv kripp && kripp/bin/pip install krippendorff==0.9.0 pandas
    python -m venv irr && irr/bin/pip install irrCAC==0.4.4
    kripp/bin/python tests/agreement/freeze_reference.py ../shared/data > kripp.json
    irr/bin/python tests/agreement/freeze_reference.py ../shared/data > irr.json

and the two outputs merged into one. Of a rater's several answers on an item the first in
the file is kept. `krippendorff` gives alpha at each level; `irrCAC` gives Fleiss's kappa
(`fleiss`), Gwet's AC1 (`gwet`, unweighted) and alpha again with the item-wise observed
agreement that it prints (`pa`).
"""

import json
import sys
from importlib.util import find_spec
from pathlib import Path

import pandas as pd

SETS = {
    "running-example": "ratings.csv",
    "pg13": "ratings.csv.gz",
    "llm-rubric": "ratings.csv",
    "sleep-stages": "ratings.csv.gz",
    "wikipedia-attacks-published": "ratings.csv.gz",
    "credbank": "ratings.csv.gz",
}


def wide(path):
    """Items × raters, blank where a rater did not rate the item."""
    long = pd.read_csv(path, dtype=str, keep_default_na=False)
    first = long.drop_duplicates(["item", "rater"], keep="first")
    return first.pivot(index="item", columns="rater", values="label")


def by_krippendorff(table):
    """Alpha at each level that the labels allow."""
    import krippendorff

    labels = sorted(pd.unique(table.values.ravel()[~pd.isna(table.values.ravel())]))
    numbers = all(label.lstrip("-").isdigit() for label in labels)
    values = {label: float(label) if numbers else i for i, label in enumerate(labels)}
    data = table.replace(values).astype(float).to_numpy().T
    levels = ("nominal", "ordinal", "interval") if numbers else ("nominal",)
    return {
        f"alpha_{level}": float(
            krippendorff.alpha(
                reliability_data=data,
                level_of_measurement=level,
                value_domain=sorted(values.values()),
            )
        )
        for level in levels
    }


def by_irrcac(table):
    """Fleiss's kappa and Gwet's AC1 for ragged data."""
    from irrCAC.raw import CAC

    judged = CAC(table.astype(object).where(table.notna(), None), digits=14)
    fleiss, gwet = judged.fleiss()["est"], judged.gwet()["est"]
    return {
        "fleiss_kappa": fleiss["coefficient_value"],
        "gwet_ac1": gwet["coefficient_value"],
        "item_agreement": fleiss["pa"],
    }


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    compute = by_krippendorff if find_spec("krippendorff") else by_irrcac
    found = {}
    for name, file in SETS.items():
        found[name] = {
            key: float(value) for key, value in compute(wide(folder / name / file)).items()
        }
        print(name, found[name], file=sys.stderr)
    print(json.dumps(found, indent=2))
