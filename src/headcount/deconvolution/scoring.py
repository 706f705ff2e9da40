"""From votes and predictions to scores: who is scored, on which items, by which metrics."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.data import Classifier, Labels
from headcount.deconvolution.expected import (
    Metric,
    Part,
    Scored,
    bootstrap_scores,
    point_scores,
)
from headcount.deconvolution.jury import Jury
from headcount.deconvolution.outputs import Contender
from headcount.deconvolution.scores import Score
from headcount.errors import OptionError
from headcount.results import Estimate, Progress, no_progress
from headcount.scorers import Scorer, check_scorer, resolve_scorer
from headcount.stats import Bootstrap, estimate_from_draws

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MetricOption = str | Scorer | Callable[..., Any]
DEFAULT_METRICS = ("accuracy", "precision", "recall", "f1", "auc", "cross_entropy")


def chosen_metrics(
    asked: MetricOption | Sequence[MetricOption] | None,
    labels: Labels,
    positive: str | None,
    clip: float | None,
) -> tuple[Metric, ...]:
    """The metrics asked for; all the usual ones by default."""
    if asked is None:
        asked = DEFAULT_METRICS
    wanted = (asked,) if isinstance(asked, str) or not isinstance(asked, Sequence) else asked
    code = None if positive is None else labels.positive(positive)
    named = {scorer.name: scorer for scorer in (resolve_scorer(each) for each in wanted)}
    metrics = tuple(Metric(scorer, labels, code, clip) for scorer in named.values())
    if not metrics:
        raise OptionError("metric names at least one metric, such as 'accuracy'.")
    for metric in metrics:
        check_scorer(metric.scorer, labels)
    return metrics


def score_parts(
    jury: Jury,
    parts: Sequence[Part],
    metrics: Sequence[Metric],
    plan: Bootstrap,
    *,
    bounded: bool,
    progress: Progress = no_progress,
) -> list[tuple[Score, ...]]:
    """Every contender of each part by every metric; the oracle among them is named "oracle"."""
    points = point_scores(jury, parts, metrics)
    draws = bootstrap_scores(jury, parts, metrics, plan, progress=progress)
    return [
        _packed(part, metrics, point, drawn, plan.tail(int(jury.size[part.rows].sum())), bounded)
        for part, point, drawn in zip(parts, points, draws, strict=True)
    ]


def part_of(
    jury: Jury,
    rows: NDArray[np.bool_],
    classifiers: Sequence[Classifier],
    *,
    soft: bool = False,
) -> Part:
    """The classifiers, the oracle and perhaps the soft one on some rows of the jury."""
    people = jury.take(rows)
    n = len(people.shares)
    contenders = [Contender.classifier(outputs.take(rows), n) for outputs in classifiers]
    contenders.append(Contender.oracle(people.shares))
    if soft:
        contenders.append(Contender.soft_oracle(people.primary()))
    return Part(np.flatnonzero(rows), tuple(contenders))


def _packed(
    part: Part,
    metrics: Sequence[Metric],
    point: Scored,
    drawn: Scored,
    tail: float,
    bounded: bool,
) -> tuple[Score, ...]:
    oracle = next(c for c, each in enumerate(part.contenders) if each.own_truth)
    scores = []
    for c, contender in enumerate(part.contenders):
        for m, metric in enumerate(metrics):
            why = metric.scorer.undefined

            def estimate(view: str, c: int = c, m: int = m, why: str = why) -> Estimate:
                return estimate_from_draws(
                    float(point[view][c, m]), drawn[view][c, m], tail, undefined=why
                )

            ends = sorted(
                float(point[view][c, m]) for view in ("adjusted_low", "adjusted", "adjusted_high")
            )
            known = bounded and bool(np.isfinite(ends).all())
            scores.append(
                Score(
                    contender.name,
                    metric.name,
                    estimate("aggregated"),
                    estimate("raw"),
                    estimate("adjusted"),
                    ends[0] if known else None,
                    ends[-1] if known else None,
                    _of_oracle(
                        point["adjusted"][c, m],
                        point["adjusted"][oracle, m],
                        drawn["adjusted"][c, m],
                        drawn["adjusted"][oracle, m],
                        tail,
                    ),
                    np.stack([drawn[view][c, m] for view in ("aggregated", "raw", "adjusted")]),
                )
            )
    return tuple(scores)


def _of_oracle(
    score: float, oracle: float, draws: Floats, oracle_draws: Floats, tail: float
) -> Estimate:
    """The score as a share of the oracle's; only scores that start at zero have shares."""
    if not (np.isfinite(score) and np.isfinite(oracle)):
        return Estimate.undefined("a score is missing")
    if score < 0 or oracle <= 0:
        return Estimate.undefined("a share of the oracle needs scores of zero and more")
    able = oracle_draws > 0
    shares = np.divide(draws, oracle_draws, out=np.full(draws.shape, np.nan), where=able)
    return estimate_from_draws(
        score / oracle, shares, tail, undefined="the oracle's score is not above zero"
    )
