"""Agreement with intervals, against the package `krippendorff` and a loop over its alpha.

Both get the label counts of the same items in memory. The peer computes alpha alone, once for
each bootstrap sample of items; headcount computes all five coefficients (alpha at every level
the labels allow), their intervals and the contested items, reading the counts included.
"""

import tempfile
from pathlib import Path

import numpy as np

import headcount as hc
from benchmarks.peers import ask_peer, peer_python
from benchmarks.row import Row, processor
from headcount.agreement.coefficients import Level

_PEER = """
import json, sys, time
import krippendorff, numpy as np
counts = np.load(sys.argv[1])
level, samples = sys.argv[2], int(sys.argv[3])
values = list(range(1, counts.shape[1] + 1))
rng = np.random.default_rng(0)
def alpha(table):
    return float(krippendorff.alpha(
        value_counts=table, value_domain=values, level_of_measurement=level))
start = time.process_time()
value = alpha(counts)
draws = [alpha(counts[rng.integers(0, len(counts), len(counts))]) for _ in range(samples)]
print(json.dumps({"seconds": time.process_time() - start, "alpha": value}))
"""


def _counts(n_items: int, n_labels: int, seed: int) -> np.ndarray:
    """Ragged items, 2 to 8 ratings each, from a handful of kinds."""
    rng = np.random.default_rng(seed)
    kinds = rng.dirichlet(np.full(n_labels, 0.6), size=6)
    sizes = rng.integers(2, 9, size=n_items)
    return rng.multinomial(sizes, kinds[rng.integers(0, 6, size=n_items)])


def run() -> list[Row]:
    """Alpha alone, then with 500 bootstrap samples, nominal and ordinal."""
    python = peer_python("krippendorff", "krippendorff")
    return [
        *_case(python, "200,000 items, 3 labels, no intervals", 200_000, 3, "nominal", 0),
        *_case(python, "20,000 items, 2 labels, 500 samples", 20_000, 2, "nominal", 500),
        *_case(python, "20,000 items, 5 labels, ordinal, 500 samples", 20_000, 5, "ordinal", 500),
    ]


def _case(
    python: Path, work: str, items: int, labels: int, level: Level, samples: int
) -> list[Row]:
    """The same work from an array of counts, and from ratings that are already counted."""
    counts = _counts(items, labels, seed=items + labels)
    names = [str(label) for label in range(1, labels + 1)]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "counts.npy"
        np.save(file, counts)
        peer = ask_peer(python, _PEER, str(file), level, str(samples))
    counted = hc.Ratings.from_counts(counts, labels=names)
    value = hc.agreement(counted, level=level, n_bootstrap=0).krippendorff_alpha.value
    same = f"alphas differ by {abs(peer['alpha'] - (value or 0)):.0e}"

    def fresh() -> hc.Agreement:
        ratings = hc.Ratings.from_counts(counts, labels=names)
        return hc.agreement(ratings, level=level, n_bootstrap=samples)

    def again() -> hc.Agreement:
        return hc.agreement(counted, level=level, n_bootstrap=samples)

    return [
        Row(
            f"{work}{how}",
            processor(ours, repeat=3),
            peer="krippendorff: alpha alone",
            peer_seconds=peer["seconds"],
            note=same,
        )
        for how, ours in (("", fresh), (", once counted", again))
    ]
