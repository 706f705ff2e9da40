"""How often intervals about people hold the truth, through the public functions.

Worlds and truths are those of `tests/sampling/worlds.py`.
`python tests/evaluation/people_coverage.py --cell accuracy,60,full --data-sets 400` prints a row
of the table in docs/people.md; `--only alpha` measures agreement alone, which is quick. The shape
`past` has many items, taken for too many: raters are left out on a part of them; `many` are the
same in memory. `--items-alone` does not count raters.
"""

import argparse
import sys
import time
from contextlib import contextmanager, nullcontext
from pathlib import Path
from unittest import mock

import numpy as np
import pyarrow as pa
from scipy.stats import binom

sys.path.append(str(Path(__file__).parents[1] / "sampling"))
import worlds

import headcount as hc
from headcount.agreement.crowd import Crowd
from headcount.sampling import Bootstrap

HEADLINES = ("agree", "alpha", "worth", "ceiling", "ideal")
DOCUMENTS, PER_DOCUMENT = 100, 16
SAMPLES = 200
PAST, ON_PART = 6000, 1000
"""Items of a data set that is taken for too large, and those on which raters are left out."""


def truths(world):
    """What people at large would say: the worlds' own truths, ceiling and ideal."""
    p = np.column_stack([1 - world.yes, world.yes])
    held = np.clip(p, worlds.CLIP, 1 - worlds.CLIP)
    return world.truths() | {
        "ceiling": float(world.share @ p.max(axis=1)),
        "ideal": float(world.share @ (p * np.log2(held)).sum(axis=1)),
    }


def data_set(kind, n_raters, shape, run):
    """A study of one data set: the same rng as the small proofs on bare arrays."""
    world, ragged = worlds.WORLDS[kind], shape in ("ragged", "past", "many")
    per_document = PER_DOCUMENT if shape == "clusters" else 1
    n_items = {"clusters": DOCUMENTS * PER_DOCUMENT, "past": PAST, "many": PAST}.get(shape, 1000)
    rng = np.random.default_rng([n_raters, ragged, run])
    answers, said = world.draw(rng, n_items, n_raters, ragged=ragged, per_document=per_document)
    item, rater = np.nonzero(~np.isnan(answers))
    names = np.char.add("i", np.arange(n_items).astype(str))
    columns = {
        "item": names[item],
        "rater": np.char.add("r", rater.astype(str)),
        "label": np.array(["no", "yes"])[answers[item, rater].astype(int)],
    }
    if shape == "clusters":
        columns["document"] = np.char.add("d", (item // per_document).astype(str))
    ratings = hc.Ratings.from_frame(
        pa.table(columns), cluster="document" if shape == "clusters" else None
    )
    predictions = pa.table({"item": names, "judge": world.soft[said]})
    return hc.Study(ratings, hc.Predictions.from_frame(predictions), positive="yes")


@contextmanager
def as_if_past():
    """Data sets count as too large, so that raters are left out on a part of the items."""
    with (
        mock.patch("headcount.counting.size.LARGE", -1),
        mock.patch("headcount.counting.size.PART_ITEMS", ON_PART),
    ):
        yield


def agreeing(study, seed=0, two_way=None):
    """The share who agree as `evaluate` has it, without the rest of it."""
    crowd = Crowd.of(study, Bootstrap(SAMPLES, 0.95, seed), two_way=two_way)
    return crowd.agreeing["agree"].at(0).estimate(0.95)


def headlines(study, only=HEADLINES, two_way=None):
    """Each headline with its interval, by the public functions and their defaults."""
    about = {"n_bootstrap": SAMPLES, "two_way": two_way}
    found = {}
    if "alpha" in only:
        found["alpha"] = hc.agreement(study, **about).krippendorff_alpha
    if "agree" in only:
        found["agree"] = agreeing(study, two_way=two_way)
    if "ceiling" in only:
        found["ceiling"] = hc.population(study, **about).ceiling
    if "worth" in only:
        # The worlds' classifier is calibrated: its probabilities are the shares of people.
        worth = hc.survey_equivalence(study, calibrate=False, **about)
        found |= {"worth": worth["judge"].worth, "ideal": worth.ideal}
    return found


def cell(kind, n_raters, shape, runs, only=HEADLINES, two_way=None):
    """How many of `runs` data sets (a range) hold each truth, and the median widths."""
    truth = truths(worlds.WORLDS[kind])
    hits, widths = {}, {}
    for run in runs:
        study = data_set(kind, n_raters, shape, run)
        with as_if_past() if shape == "past" else nullcontext():
            told = headlines(study, only, two_way)
        for name, found in told.items():
            assert worlds.contains_its_value(found), (name, run, found)
            hits[name] = hits.get(name, 0) + worlds.holds(found, truth[name])
            ends = (found.low, found.high)
            widths.setdefault(name, []).append(np.inf if None in ends else ends[1] - ends[0])
    return hits, {name: float(np.median(each)) for name, each in widths.items()}


def not_below(hits, runs, claimed):
    """Whether a coverage of `claimed` would give so few hits in at least one of a hundred tests."""
    return all(binom.cdf(each, runs, claimed) > 0.01 for each in hits.values())


def claimed(n_raters):
    """What is promised: 92 % with fewer than twenty raters, 95 % from there on."""
    return 0.95 if n_raters >= 20 else 0.92


def main():
    """Print a row a cell."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--cell", action="append", required=True, help="kind,raters,shape")
    asked.add_argument("--data-sets", type=int, default=200)
    asked.add_argument("--only", nargs="*", default=list(HEADLINES))
    asked.add_argument("--items-alone", action="store_true")
    given = asked.parse_args()
    for each in given.cell:
        kind, n_raters, shape = each.split(",")
        start = time.process_time()
        two_way = False if given.items_alone else None
        runs = range(given.data_sets)
        hits, widths = cell(kind, int(n_raters), shape, runs, given.only, two_way)
        shares = {name: f"{100 * n / given.data_sets:.1f}" for name, n in hits.items()}
        fine = not_below(hits, given.data_sets, claimed(int(n_raters)))
        spent = time.process_time() - start
        print(n_raters, kind, shape, given.data_sets, shares, "widths", end=" ")
        print({name: round(width, 3) for name, width in widths.items()}, end=" ")
        print("not below" if fine else "BELOW", f"{spent:.0f} s", flush=True)


if __name__ == "__main__":
    main()
