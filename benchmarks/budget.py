"""Exact comparison probabilities against convolution, whole grids, and the sweep's pace."""

import numpy as np

from benchmarks.row import Row, processor
from headcount.plan import plan_comparison, plan_from_pilot, walk_ends
from headcount.simulate import make
from research.sweep import sweep

STEP = (0.2185, 0.1885, 0.03)


def convolved(up: float, down: float, steps: int) -> float:
    """P(S > 0) by repeated squaring of the three-point distribution."""
    total, power = np.array([1.0]), np.array([down, 1 - up - down, up])
    left = steps
    while left:
        if left % 2:
            total = np.convolve(total, power)
        power = np.convolve(power, power)
        left //= 2
    return float(total[steps + 1 :].sum())


def run() -> list[Row]:
    """One probability, a grid of them, a whole plan, and points of the sweep."""
    up, down, drift = STEP
    rows = []
    for steps, limit in ((1_000, None), (10_000, 1e-3)):
        exact = float(walk_ends(up, down, drift, steps).win)
        assert abs(exact - convolved(up, down, steps)) < 1e-9
        rows.append(
            Row(
                f"exact probability, n = {steps:,}",
                processor(lambda n=steps: walk_ends(up, down, drift, n), repeat=50),
                peer="convolution by squaring",
                peer_seconds=processor(lambda n=steps: convolved(up, down, n), repeat=3),
                limit=limit,
            )
        )
    rows.append(
        Row(
            "exact probability, n = 10,000,000",
            processor(lambda: walk_ends(*STEP, 10**7), repeat=50),
        )
    )
    rng = np.random.default_rng(0)
    ups = rng.uniform(0.1, 0.4, 100_000)
    downs = ups * rng.uniform(0.5, 1, 100_000)
    sizes = rng.integers(1, 10_000, 100_000)
    rows.append(
        Row(
            "a grid of 100,000 probabilities, n to 10,000",
            processor(lambda: walk_ends(ups, downs, ups - downs, sizes), repeat=2),
        )
    )
    rows.append(
        Row(
            "plan for a target, six strategies",
            processor(
                lambda: plan_comparison(accuracy=0.8, margin=0.02, label_accuracy=0.8, target=0.95),
                repeat=5,
            ),
        )
    )
    made = make("comments", items=2000, seed=0)
    ratings, predictions = made.ratings, made.predictions
    plan_from_pilot(ratings, predictions)  # counted once: what is timed is the plan
    rows.append(
        Row(
            "a plan from a pilot, 2,000 items, three classifiers, raters as a sample",
            processor(lambda: plan_from_pilot(ratings, predictions), repeat=3),
        )
    )
    found = sweep(
        accuracy="0.55:0.95:0.05",
        margin="0.01:0.1:0.01",
        label_accuracy="0.55:0.95:0.05",
        labels="3,5,7",
        items="1:200",
        workers=2,
    )
    rows.append(
        Row(
            f"sweep of {found.points:,} points, items to 200, two threads",
            found.seconds,
            limit=found.points / 2e6 * 60,
            note=f"{found.points / found.seconds * 60 / 1e6:.1f} million points a minute; "
            f"{found.counter_examples} counter-examples",
        )
    )
    return rows
