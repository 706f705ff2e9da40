"""Accuracy from fallible experts, and its latent classes against crowd-kit's Dawid–Skene.

Each of our runs is a process of its own; the time counts from the first line read to the
result, imports not included. The peer has the same answers in memory as a pandas frame and runs
its EM from the same start, the vote, for as many iterations as it needs to come within 1e-3 of
the summit's log-likelihood (its own stopping rule ends it after two on sleep-stages, far below);
that likelihood is worked out outside its time. Ours gets there with answers in memory too: once
from coded answers (EM with its grouping, one start), once as the whole `system_accuracy` of the
raters from a frame, with ten starts and all checks. The real data are read from ../shared/data
(HEADCOUNT_DATA elsewhere).
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
PEER = "crowd-kit"

_WHOLE = """
import json, sys, time
from pathlib import Path
import altair, duckdb, numpy, pyarrow, scipy.optimize, scipy.sparse, scipy.stats
import headcount as hc
from headcount.accuracy import system_accuracy
folder, samples = Path(sys.argv[1]), int(sys.argv[2])
start = time.process_time()
people = hc.Ratings.read(folder / "ratings.csv.gz")
models = hc.Predictions.read(folder / "predictions.csv.gz")
read = time.process_time()
result = system_accuracy(people, models, n_bootstrap=samples)
end = time.process_time()
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps({"seconds": end - start, "after_reading": end - read,
                  "memory": int(peak.split()[1]) / 1024, "verdict": result.verdict()}))
"""

_OURS = """
import json, sys, time
import numpy as np, pandas as pd, scipy.optimize, scipy.sparse, scipy.stats
import headcount as hc
from headcount.accuracy import system_accuracy
from headcount.accuracy.items import group_items
from headcount.accuracy.latent_classes import fit_raters
from headcount.data import as_study
frame = pd.read_csv(sys.argv[1], dtype=str)
hc.system_accuracy(hc.Ratings.from_frame(frame.head(300)), n_bootstrap=0)
start = time.process_time()
whole = system_accuracy(hc.Ratings.from_frame(frame), latent_class="each", n_bootstrap=0)
everything = time.process_time() - start
study = as_study(frame)
judged, named = study.judged, study.named
start = time.process_time()
items = group_items(judged, named)
fitted = fit_raters(items, restarts=0, seed=0)
em = time.process_time() - start
print(json.dumps({"everything": everything, "em": em, "rows": items.rows.n_rows,
                  "iterations": fitted.fit.iterations,
                  "log_likelihood": fitted.fit.log_likelihood,
                  "best": whole.latent_class.log_likelihood}))
"""

_PEER = """
import json, sys, time
import numpy as np, pandas as pd
from crowdkit.aggregation import DawidSkene
data = pd.read_csv(sys.argv[1], dtype=str).set_axis(["task", "worker", "label"], axis=1)
summit = float(sys.argv[2])
def reached(model):
    labels = list(model.priors_.index)
    chances = data.join(np.log(model.errors_[labels]), on=["worker", "label"])
    score = chances.groupby("task")[labels].sum() + np.log(model.priors_)
    return float(np.logaddexp.reduce(score.to_numpy(), axis=1).sum())
DawidSkene(n_iter=1, tol=-np.inf).fit(data)
for iterations in (5, 10, 15, 20, 30, 40, 60, 80, 120, 200, 400):
    start = time.process_time()
    model = DawidSkene(n_iter=iterations, tol=-np.inf).fit(data)
    seconds = time.process_time() - start
    if reached(model) >= summit - 1e-3:
        break
print(json.dumps({"seconds": seconds, "iterations": iterations, "log_likelihood": reached(model)}))
"""


def run() -> list[Row]:
    """The home ground with intervals, then EM against the peer; what cannot be run is said."""
    if not DATA.is_dir():
        print(f"Not measured: the real data are not in reach ({DATA}; set HEADCOUNT_DATA).")
        return []
    return [
        *_sleep_stages(),
        *_against_peer("sleep-stages", "ratings.csv.gz"),
        *_against_peer("entailment-rte", "ratings.csv"),
    ]


def _sleep_stages() -> list[Row]:
    ours = _own(_WHOLE, str(DATA / "sleep-stages"), str(SAMPLES))
    work = f"sleep-stages, 24,665 items, six models, {SAMPLES} samples of both estimates"
    note = ours["verdict"].partition(", if")[0]
    return [
        Row(
            f"{work}, reading included",
            ours["seconds"],
            limit=3.0,
            memory=ours["memory"],
            note=note,
        ),
        Row("the same, once read", ours["after_reading"], limit=3.0, memory=ours["memory"]),
    ]


def _against_peer(folder: str, file: str) -> list[Row]:
    path = str(DATA / folder / file)
    ours = _own(_OURS, path)
    work = f"{folder}: Dawid–Skene to the summit's log-likelihood"
    try:
        peer = ask_peer(peer_python(PEER, "crowd-kit"), _PEER, path, str(ours["log_likelihood"]))
    except subprocess.CalledProcessError as error:
        note = f"peer not measured: {(error.stderr or '').strip().splitlines()[-1:]}"
        return [Row(work, ours["em"], note=note)]
    note = (
        f"ours {ours['log_likelihood']:.3f} in {ours['iterations']} steps over {ours['rows']:,} "
        f"rows, peer {peer['log_likelihood']:.3f} in {peer['iterations']}"
    )
    return [
        Row(work, ours["em"], PEER, peer["seconds"], note=note),
        Row(
            f"{folder}: all of system_accuracy of the raters, ten starts, from a frame",
            ours["everything"],
            PEER,
            peer["seconds"],
            note="the peer: one start of EM alone",
        ),
    ]


def _own(script: str, *arguments: str) -> dict[str, Any]:
    command = [sys.executable, "-c", script, *arguments]
    answer: dict[str, Any] = json.loads(subprocess.check_output(command).splitlines()[-1])
    return answer
