"""Survey equivalence, against the reference package `surveyequivalence`.

Each of our runs is a process of its own, so that its peak memory is its own; the time counts
from the first line read to the result, imports not included. The real data are read from
../shared/data (HEADCOUNT_DATA elsewhere).

The peer gets the running example that it ships, the same 1,000 × 10 ratings, with one process.
A bootstrap sample takes it seconds, so its time for 500 is that of none and 500 times what one
of two samples adds. It holds the combiner fixed where we refit it in every sample.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.peers import ask_peer, peer_python
from benchmarks.row import Row

DATA = Path(os.environ.get("HEADCOUNT_DATA", Path(__file__).parents[2] / "shared" / "data"))
SAMPLES = 500

_OURS = """
import json, sys, time
from pathlib import Path
import altair, duckdb, numpy, pyarrow, scipy.special, scipy.sparse
import headcount as hc
from headcount.equivalence import survey
folder, ratings, predictions = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
options = json.loads(sys.argv[4])
start = time.process_time()
people = hc.Ratings.read(folder / ratings)
read = time.process_time()
if predictions:
    result = hc.survey_equivalence(people, hc.Predictions.read(folder / predictions), **options)
    curve = result.curve
else:
    result = curve = hc.power_curve(people, **options)
seconds = time.process_time() - start
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps({"seconds": seconds, "after_reading": time.process_time() - read,
                  "memory": int(peak.split()[1]) / 1024, "verdict": result.verdict(),
                  "curve": [float(score) for score in curve.values]}))
"""

_PEER = """
import contextlib, io, json, os, time
import pandas as pd
import surveyequivalence as se
folder = os.path.join(os.path.dirname(se.__file__), "data", "running_example")
ratings = pd.read_csv(os.path.join(folder, "ref_rater_labels.csv"), index_col=0)
outputs = pd.read_csv(os.path.join(folder, "predictions.csv"), index_col=0)
labels = ["pos", "neg"]
def soft(text):
    numbers = text.split(": ")[1].strip("[]").split(",")
    return se.DiscreteDistributionPrediction(labels, [float(each) for each in numbers])
calibrated = outputs[["calibrated hard classifier"]].applymap(soft)
def run(samples):
    start = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        pipeline = se.AnalysisPipeline(
            ratings, expert_cols=list(ratings.columns), classifier_predictions=calibrated,
            combiner=se.AnonymousBayesianCombiner(allowable_labels=labels, W=ratings),
            scorer=se.CrossEntropyScore(), allowable_labels=labels,
            num_bootstrap_item_samples=samples, anonymous_raters=True, verbosity=0, procs=1)
    return time.process_time() - start, [float(c) for c in pipeline.expert_power_curve.values]
none, curve = run(0)
two, _ = run(2)
print(json.dumps({"none": none, "each": (two - none) / 2, "curve": curve}))
"""


def run() -> list[Row]:
    """Rows 1 to 3 of the speed table; what cannot be measured here is said."""
    works = [_running_example, _wikipedia, _cifar]
    if not DATA.is_dir():
        print(f"Not measured: the real data are not in reach ({DATA}; set HEADCOUNT_DATA).")
        return []
    return [row for work in works for row in work()]


def _running_example() -> list[Row]:
    work = f"running example, 1,000 × 10, abc + cross-entropy, {SAMPLES} refits"
    files = ("running-example", "ratings.csv", "predictions.csv")
    ours = _ours(*files, n_bootstrap=SAMPLES, calibrate=False, combiner="abc")
    fitted = _ours(*files, n_bootstrap=SAMPLES, calibrate=False, combiner="fitted")
    further = Row(
        f"the same by the fitted population, {SAMPLES} samples, with the ideal, once read",
        fitted["after_reading"],
        limit=0.5,
        memory=fitted["memory"],
    )
    try:
        peer = ask_peer(peer_python("surveyequivalence", "surveyequivalence"), _PEER)
    except subprocess.CalledProcessError as error:
        note = f"peer not measured (it could not be run: {_last_line(error)}); 6.7 s a sample"
        return [Row(work, ours["seconds"], limit=0.5, memory=ours["memory"], note=note), further]
    enumerated = [0, 1, 2, 3, 7, 8, 9]
    apart = max(abs(ours["curve"][k] - peer["curve"][k]) for k in enumerated)
    note = f"peer: {peer['each']:.2f} s a sample, no refit; curves differ by {apart:.0e}"
    total = peer["none"] + SAMPLES * peer["each"]
    return [
        Row(work, ours["seconds"], "surveyequivalence", total, 0.5, ours["memory"], note),
        Row(
            "the same, once read",
            ours["after_reading"],
            "surveyequivalence",
            total,
            0.5,
            ours["memory"],
            "the peer's time is without reading too",
        ),
        further,
    ]


def _wikipedia() -> list[Row]:
    files = ("wikipedia-attacks", "counts.csv.gz", "predictions.csv.gz")
    raw = _ours(*files, n_bootstrap=SAMPLES, calibrate=False)
    calibrated = _ours(*files, n_bootstrap=SAMPLES)
    work = f"Wikipedia attacks, 23,178 ragged items, {SAMPLES} samples, reading included"
    return [
        Row(work, raw["seconds"], limit=2.0, memory=raw["memory"], note=_found(raw)),
        Row(
            "the same, calibrated too",
            calibrated["seconds"],
            limit=2.0,
            memory=calibrated["memory"],
            note=_found(calibrated),
        ),
    ]


def _cifar() -> list[Row]:
    files = ("cifar10h", "counts.csv", "")
    ours = _ours(*files, n_bootstrap=0, max_raters=47, combiner="abc")
    fitted = _ours(*files, n_bootstrap=SAMPLES, max_raters=47, combiner="fitted")
    best = max(range(len(ours["curve"])), key=lambda k: ours["curve"][k])
    note = (
        "memory limit 2,048 MiB; "
        f"best at k = {best} ({ours['curve'][best]:.3f}), "
        f"{ours['curve'][-1]:.3f} at k = {len(ours['curve']) - 1}"
    )
    work = "CIFAR-10H, 10 labels × 51 raters, exact abc curve to k = 46, reading included"
    return [
        Row(work, ours["seconds"], limit=10.0, memory=ours["memory"], note=note),
        Row(
            f"the same by the fitted population, {SAMPLES} samples, with the ideal",
            fitted["seconds"],
            limit=5.0,
            memory=fitted["memory"],
            note=f"{fitted['curve'][-1]:.3f} at k = 46",
        ),
    ]


def _ours(folder: str, ratings: str, predictions: str, **options: Any) -> dict[str, Any]:
    arguments = [str(DATA / folder), ratings, predictions, json.dumps(options)]
    command = [sys.executable, "-c", _OURS, *arguments]
    answer: dict[str, Any] = json.loads(subprocess.check_output(command).splitlines()[-1])
    return answer


def _found(ours: dict[str, Any]) -> str:
    """The verdict without its second half."""
    said: str = ours["verdict"]
    return said.split(":")[0]


def _last_line(error: subprocess.CalledProcessError) -> str:
    said = error.stderr if isinstance(error.stderr, str) else ""
    return (said.strip().splitlines() or [f"exit {error.returncode}"])[-1]
