"""Spans and gold against real gold: workers, crowds of workers and networks as systems.

The workers, or the crowds, that stand for a system are held out: their ratings are no part of
what judges them.
"""

import csv
import gzip
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from headcount.accuracy.gold import gold_accuracy, right_chances, truth_chances
from headcount.accuracy.score_span import score_span

sys.path.append(str(Path(__file__).parent))
from spans import span_of


@dataclass(frozen=True)
class System:
    """Counts (n, L) of the ratings that judge it, its answers (n,), gold (n,); who said what."""

    name: str
    counts: np.ndarray
    answer: np.ndarray
    gold: np.ndarray
    ratings: np.ndarray | None = None

    @property
    def accuracy(self):
        return float((self.answer == self.gold).mean())


def read_named(folder):
    """Ratings (n, J) as codes, −1 for none, and gold (n,) codes."""
    with (folder / "ratings.csv").open() as file:
        rows = list(csv.DictReader(file))
    with (folder / "gold.csv").open() as file:
        gold = {row["item"]: row["gold"] for row in csv.DictReader(file)}
    items, raters = sorted(gold), sorted({row["rater"] for row in rows})
    labels = sorted({row["label"] for row in rows} | set(gold.values()))
    item = {name: code for code, name in enumerate(items)}
    rater = {name: code for code, name in enumerate(raters)}
    ratings = np.full((len(items), len(raters)), -1)
    for row in rows:
        if row["item"] in item:
            ratings[item[row["item"]], rater[row["rater"]]] = labels.index(row["label"])
    return ratings, np.array([labels.index(gold[name]) for name in items]), len(labels)


def read_networks(folder):
    """CIFAR-10H: counts (n, 10), gold (n,), and the two networks' answers."""
    with (folder / "counts.csv").open() as file:
        counts = np.array([row[1:] for row in list(csv.reader(file))[1:]], dtype=np.int64)
    with (folder / "gold.csv").open() as file:
        gold = np.array([int(row["gold"]) for row in csv.DictReader(file)])
    with gzip.open(folder / "predictions.csv.gz", "rt") as file:
        soft = np.array([[float(x) for x in row[1:]] for row in list(csv.reader(file))[1:]])
    return counts, gold, {"resnet": soft[:, :10].argmax(1), "densenet": soft[:, 10:].argmax(1)}


def counted(ratings, n_labels):
    return np.stack([(ratings == label).sum(axis=1) for label in range(n_labels)], axis=1)


def plurality(counts, rng):
    return (counts + 1e-3 * rng.random(counts.shape)).argmax(axis=1)


def thinned(ratings, k, rng):
    """At most k ratings of each item, drawn at random."""
    order = np.where(ratings >= 0, rng.random(ratings.shape), 2.0)
    return np.where(order.argsort(axis=1).argsort(axis=1) < k, ratings, -1)


def workers(ratings, gold, n_labels, k, rng, least=60):
    """Each worker with enough items, judged by k of the others."""
    for rater in range(ratings.shape[1]):
        seen = ratings[:, rater] >= 0
        if seen.sum() >= least:
            others = np.delete(ratings[seen], rater, axis=1)
            kept = thinned(others, k, rng)
            counts = counted(kept, n_labels)
            yield System(f"worker {rater}", counts, ratings[seen, rater], gold[seen], kept)


def crowds(ratings, gold, n_labels, k, rng, times):
    """Pluralities of 1, 3 and 5 ratings an item, judged by k of the others."""
    for size in (1, 3, 5) * times:
        crowd = thinned(ratings, size, rng)
        others = thinned(np.where(crowd >= 0, -1, ratings), k, rng)
        answer = plurality(counted(crowd, n_labels), rng)
        yield System(f"crowd of {size}", counted(others, n_labels), answer, gold, others)


def drawn_counts(counts, k, rng):
    return np.stack([rng.multivariate_hypergeometric(row, k) for row in counts])


def networks(counts, gold, answers, n, k, rng):
    """Two networks and crowds of 1, 3 and 5 on n images, judged by k other people."""
    some = rng.choice(len(gold), n, replace=False)
    judges = drawn_counts(counts[some], k, rng)
    left = counts[some] - judges
    for name, answer in answers.items():
        yield System(name, judges, answer[some], gold[some])
    for size in (1, 3, 5):
        answer = plurality(drawn_counts(left, size, rng), rng)
        yield System(f"crowd of {size}", judges, answer, gold[some])


def systems_of(name, folder, k, seed, *, times=3, n=1000):
    rng = np.random.default_rng([seed, 37])
    if name == "cifar10h":
        return list(networks(*read_networks(folder), n, k, rng))
    ratings, gold, n_labels = read_named(folder)
    return [
        *workers(ratings, gold, n_labels, k, rng),
        *crowds(ratings, gold, n_labels, k, rng, times),
    ]


def spans_held(systems):
    """How many spans hold accuracy against gold, how many at x = 0, and their widths."""
    held, at_zero, widths = 0, 0, []
    for system in systems:
        span, _ = span_of(system.counts, system.answer, ratings=system.ratings, n_bootstrap=100)
        inside = span.low <= system.accuracy <= span.high
        held += inside
        at_zero += span.low_at_zero <= system.accuracy <= span.high_at_zero
        widths.append(span.high - span.low)
        if not inside:
            print(f"\nmissed: {system.name}, {system.accuracy:.3f}, {span.low:.3f}–{span.high:.3f}")
    return held, at_zero, widths


def gold_held(systems, draws, gold_items=100):
    """Share of draws of gold whose interval holds, width over that of gold alone, and errors."""
    held, ratios, errors = [], [], []
    for number, system in enumerate(systems):
        guess = right_chances(truth_chances(system.counts), system.answer)
        right = system.answer == system.gold
        n = len(right)
        if n < 1.5 * gold_items:
            continue
        for seed in range(draws):
            rng = np.random.default_rng([seed, number])
            gold = rng.choice(n, gold_items, replace=False)
            found = gold_accuracy(right[gold], guess, gold, seed=seed)
            held.append(found.low <= right.mean() <= found.high)
            ratios.append((found.high - found.low) / (found.alone_high - found.alone_low))
            errors.append(int((~right[gold]).sum()))
    return np.mean(held), np.array(ratios), np.array(errors)


@pytest.mark.parametrize("name", ["entailment-rte", "word-sense", "cifar10h"])
def test_span_holds_real_accuracy(name, shared_data):
    systems = systems_of(name, shared_data(name), 5, 0, times=1, n=500)
    systems = [system for system in systems if len(system.gold) >= 100][-8:]
    held, _, _ = spans_held(systems)
    assert held >= 0.85 * len(systems)


@pytest.mark.parametrize("name", ["entailment-rte", "cifar10h"])
def test_gold_holds_real_accuracy(name, shared_data):
    held, ratios, _ = gold_held(systems_of(name, shared_data(name), 5, 1, times=1), 25)
    assert held >= 0.93
    assert np.median(ratios) < 1


def test_two_errors_are_enough_to_sharpen_gold(shared_data):
    """Word senses: none to five errors in 177 items, one of them where everyone denies gold.

    With no error among the gold items, or that one alone, ratings have nothing to add.
    """
    held, ratios, errors = gold_held(systems_of("word-sense", shared_data("word-sense"), 5, 1), 25)
    assert held >= 0.93
    assert (ratios[errors == 0] == 1).all()
    assert np.median(ratios[errors > 1]) < 0.9


@pytest.mark.prove
@pytest.mark.parametrize("k", [3, 5, 9])
@pytest.mark.parametrize("name", ["entailment-rte", "word-sense", "cifar10h"])
def test_span_holds_real_accuracy_in_full(name, k, shared_data):
    systems = [
        system for seed in range(3) for system in systems_of(name, shared_data(name), k, seed)
    ]
    held, at_zero, widths = spans_held(systems)
    print(
        f"\n{name}, {k} ratings: {held} of {len(systems)} (x = 0: {at_zero}), width "
        f"{np.mean(widths):.3f}, median {np.median(widths):.3f}"
    )
    assert held >= 0.85 * len(systems)


@pytest.mark.prove
@pytest.mark.parametrize("k", [3, 5, 9])
@pytest.mark.parametrize("name", ["entailment-rte", "word-sense", "cifar10h"])
def test_gold_holds_real_accuracy_in_full(name, k, shared_data):
    """Where no gold item is wrong, or one that nobody foresaw, nothing is to be learned."""
    held, ratios, errors = gold_held(systems_of(name, shared_data(name), k, 5), 100)
    some = np.median(ratios[errors > 1])
    print(
        f"\n{name}, {k} ratings: {held:.3f}, width over gold alone {np.median(ratios):.3f}, where "
        f"two items are wrong ({(errors > 1).mean():.2f} of draws) {some:.3f}"
    )
    assert held >= 0.93
    assert some < 1
    assert np.median(ratios) < 1 or name == "word-sense"
    assert ratios.max() <= 1.0


def test_score_span_holds_real_correlation(shared_data):
    """Headlines' valence: workers and crowds against the experts' scores."""
    folder = shared_data("valence")
    with (folder / "ratings.csv").open() as file:
        rows = list(csv.DictReader(file))
    with (folder / "gold.csv").open() as file:
        gold = {row["item"]: float(row["gold"]) for row in csv.DictReader(file)}
    items, raters = sorted(gold), sorted({row["rater"] for row in rows})
    ratings = np.full((len(items), len(raters)), np.nan)
    for row in rows:
        ratings[items.index(row["item"]), raters.index(row["rater"])] = float(row["label"])
    truth = np.array([gold[name] for name in items])
    rng = np.random.default_rng(0)
    held, at_zero, widths = [], [], []
    systems = [(ratings[:, [rater]], rater) for rater in range(len(raters))]
    for mine, rater in systems:
        seen = ~np.isnan(mine[:, 0])
        others = np.delete(ratings, rater, axis=1)[seen]
        _judge_scores(mine[seen, 0], others, truth[seen], held, at_zero, widths)
    for size in (1, 3, 5) * 5:
        order = np.where(np.isnan(ratings), 2.0, rng.random(ratings.shape))
        crowd = order.argsort(axis=1).argsort(axis=1) < size
        mean = np.nanmean(np.where(crowd, ratings, np.nan), axis=1)
        others = np.where(crowd, np.nan, ratings)
        _judge_scores(mean, others, truth, held, at_zero, widths)
    print(f"\nvalence: {sum(held)} of {len(held)} (x = 0: {sum(at_zero)}), {np.mean(widths):.2f}")
    assert len(held) >= 50
    assert np.mean(held) >= 0.85


def _judge_scores(scores, ratings, truth, held, at_zero, widths):
    given = (~np.isnan(ratings)).sum(axis=1)
    mean = np.nansum(ratings, axis=1) / np.maximum(given, 1)
    away = np.nansum((ratings - mean[:, None]) ** 2, axis=1)
    noise = np.where(given > 1, away / np.maximum(given - 1, 1) / np.maximum(given, 1), np.nan)
    span = score_span(scores, mean, noise)
    if span is None or scores.std() == 0:
        return
    reached = np.corrcoef(scores, truth)[0, 1]
    held.append(span.low <= reached <= span.high)
    at_zero.append(span.low_at_zero <= reached <= span.high_at_zero)
    widths.append(span.high - span.low)
